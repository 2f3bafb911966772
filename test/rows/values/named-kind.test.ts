import { expect, it } from 'vitest';
import { kindByName } from '../../../src/rows/values/named-kind.js';

it.each([
  ['company income', 'number'],
  ['number of teams', 'number'],
  ['jars sold', 'number'],
  ['price per unit', 'number'],
  ['date of birth', 'time'],
  ['use by', 'time'],
  ['created at', 'time'],
  ['team id', 'text'],
  ['sales manager', 'text'],
  ['price category', 'text'],
  ['phone number', 'text'],
  // May be either, or anything.
  ['size', null],
  ['species', null],
  ['address verified', null],
])('goes by the head of %s: %s', (name, kind) => expect(kindByName(name)).toBe(kind));

import { expect, it } from 'vitest';
import { granularityByName, kindByName } from '../../../src/rows/values/named-kind.js';

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
  // By the types of our lists' columns with that head.
  ['bonus', 'number'],
  ['team wins', 'number'],
  ['contract end', 'time'],
  // Sums of money, also where the head alone says none.
  ['deposit refund', 'number'],
  ['rent increase', 'number'],
  ['overtime pay', 'number'],
  ['shipping', 'number'],
  ['days left', 'number'],
  ['years in office', 'number'],
  ['year completed', 'number'],
  ['running time', 'number'],
  ['return until', 'time'],
  ['pay by', 'time'],
  ['arrival time', 'time'],
  ['founded', 'time'],
  ['translated', null],
  ['late fine', 'number'],
  ['opening hours', 'text'],
  ['barcode', 'text'],
  ['translator', 'text'],
  ['approved by', null],
  ['is full time', null],
  ['reminder sent', null],
  // May be either, or anything.
  ['size', null],
  ['species', null],
  ['address verified', null],
])('goes by the head of %s: %s', (name, kind) => expect(kindByName(name)).toBe(kind));

it.each([
  ['arrival time', 'clock'],
  ['renovation year', 'year'],
  ['date and time', 'date'],
  ['pickup date', 'date'],
] as const)('tells how finely %s is told: %s', (name, granularity) =>
  expect(granularityByName(name)).toBe(granularity),
);

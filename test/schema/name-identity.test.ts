import { describe, expect, test } from 'vitest';
import {
  columnNameKey,
  countedName,
  identifierKey,
  nameKey,
  spacedName,
  spellingKey,
} from '../../src/schema/name-identity.js';

const KEYS = { identifierKey, countedName, spacedName, columnNameKey, spellingKey, nameKey };

// The module's own table: each pair is one name to the key named and to those after it, and two to those before.
test.each([
  ['identifierKey', 'Home_Town', 'home_town'],
  ['countedName', 'Home Town', ' home  town'],
  ['spacedName', 'home town', 'home_town'],
  ['columnNameKey', 'home town', 'home-towns'],
  ['spellingKey', 'HomeTown', 'home town'],
  ['nameKey', 'home town', 'town of the home'],
])('%s is the first key that takes "%s" and "%s" for one name', (first, a, b) => {
  const same = Object.entries(KEYS).map(([, key]) => key(a) === key(b));
  const at = Object.keys(KEYS).indexOf(first);
  expect(same).toEqual(same.map((_, i) => i >= at));
});

describe('columnNameKey', () => {
  test.each([
    ['Home_Town', 'home town'],
    ['  home   towns ', 'home town'],
    ['Cities', 'city'],
    ["Driver's Name", 'drivers name'],
    ['first-name', 'first name'],
    ['address', 'Address'],
    ['status', 'STATUS'],
  ])('"%s" and "%s" count as one name', (a, b) => {
    expect(columnNameKey(a)).toBe(columnNameKey(b));
  });

  test.each([
    ['home town', 'hometown'],
    ['news', 'new'],
    ['#', '%'],
    ['id', 'ids'],
  ])('"%s" and "%s" are two names', (a, b) => {
    expect(columnNameKey(a)).not.toBe(columnNameKey(b));
  });

  test('spacedName keeps punctuation and number', () => {
    expect(spacedName(' Sales_(US$)  Totals ')).toBe('sales (us$) totals');
  });
});

describe('nameKey', () => {
  test('is equal for both orders of an "of" phrase', () => {
    expect(nameKey('date of birth')).toBe(nameKey('Birth_Dates'));
    expect(nameKey('name of owner of the car')).toBe(nameKey('car owner name'));
    expect(nameKey('of')).toBe('of');
    expect(nameKey('🙂')).toBe('');
  });
});

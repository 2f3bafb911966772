import { describe, expect, test } from 'vitest';
import { columnNameKey, spacedName } from '../../src/schema/column-name-key.js';

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

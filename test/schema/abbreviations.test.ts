import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandAbbreviations, expandSingleWords } from '../../src/schema/abbreviations.js';

describe('expandAbbreviations', () => {
  test.each([
    ['num of staff', 'number of staff'],
    ['ssn', 'social security number'],
    ['dept', 'department'],
    ['max qty', 'maximum quantity'],
    ['Addr', 'address'],
    ['yrs', 'years'],
    ['abbr', 'abbreviation'],
    ['gnp', 'gross national product'],
    ['GPA', 'grade point average'],
    ['total pts', 'total points'],
    ['vin number', 'vehicle identification number'],
    ['upc Code', 'universal product Code'],
    ['num number', 'number number'],
  ])('spells "%s" out as "%s"', (short, long) => {
    expect(expandAbbreviations(short)).toBe(long);
  });

  test.each([
    'no',
    'in',
    'long',
    'st',
    'pos',
    'dns',
    'number',
    'home town',
    '',
    '   ',
    'constructor',
    'toString',
    '__proto__',
    'emp_no',
  ])('leaves "%s" as it is', (name) => {
    expect(expandAbbreviations(name)).toBe(name);
  });

  test('changes nothing the second time', () => {
    const some = fc.constantFrom(
      'num',
      'of',
      'ref',
      'dob',
      'emp',
      'reg',
      'regd',
      'std',
      'fname',
      'mpg',
      'gnp',
      'ppg',
      'age',
      'min',
      'hq',
      'tot',
    );
    fc.assert(
      fc.property(fc.array(some), (words) => {
        const once = expandAbbreviations(words.join(' '));
        expect(expandAbbreviations(once)).toBe(once);
      }),
    );
  });
});

describe('expandSingleWords', () => {
  test.each([
    ['num of gpa', 'number of gpa'],
    ['max sku', 'maximum sku'],
    ['dob', 'dob'],
    ['home town', 'home town'],
  ])('spells "%s" out as "%s"', (short, long) => {
    expect(expandSingleWords(short)).toBe(long);
  });
});

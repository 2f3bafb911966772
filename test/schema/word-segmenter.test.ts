import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordFrequencies } from '../../src/formats/word-frequencies.js';
import { WordSegmenter } from '../../src/schema/word-segmenter.js';

const segmenter = new WordSegmenter(wordFrequencies());
const segment = (name: string): string => segmenter.segment(name).join(' ');

describe('a name that is written together', () => {
  test.each([
    'unit discharge time',
    'hospital discharge status',
    'patient unit stay id',
    'lab measure name system',
    'culture taken offset',
    'country code',
    'release date',
    'year month',
    'gas stations',
    'foul commit',
    'city pop',
    'hosp vital src',
  ])('"%s" is found', (words) => {
    expect(segment(words.replaceAll(' ', ''))).toBe(words);
  });

  test.each(['unique pid', 'value uom'])('an acronym that no dictionary has stays whole: "%s"', (words) => {
    expect(segment(words.replaceAll(' ', ''))).toBe(words);
  });
});

describe('what stays whole', () => {
  test.each(
    (
      'customer birthday hometown username cholesterol thrombosis undergraduate roosters undrafted nationality forename ' +
      'datetime bluetooth headquarters semifinalists'
    ).split(' '),
  )('a word: %s', (word) => {
    expect(segment(word)).toBe(word);
  });

  test.each(['mtgjson', 'edispl', 'wbcx', 'dept', 'a12', '', 'straße'])('what no words explain: "%s"', (name) => {
    expect(segment(name)).toBe(name);
  });
});

test('letters are neither lost nor added, whatever the name', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{0,120}$/), (letters) => {
      expect(segmenter.segment(letters).join('')).toBe(letters);
    }),
  );
});

test('ten thousand letters are no name, and cost nothing', () => {
  expect(segment('discharge'.repeat(1200))).toHaveLength(10_800);
});

import { describe, expect, test } from 'vitest';
import { wordFrequencies } from '../../src/formats/word-frequencies.js';
import { NaturalNamer } from '../../src/schema/natural-namer.js';
import { WordSegmenter } from '../../src/schema/word-segmenter.js';

const segmenter = new WordSegmenter(wordFrequencies());
const given = new NaturalNamer(segmenter, true);
const made = new NaturalNamer(segmenter, false);

describe('a data set with natural names of its own', () => {
  test.each([
    ['Song_release_year', 'song release year', 'song release year'],
    ['OnCallStart', 'oncall start', 'oncall start'],
    ['CRE', 'creatinine', 'creatinine'],
    ['WiFi', 'wifi', 'wifi'],
    ['HomeTown', 'hometown', 'hometown'],
  ])('keeps what people wrote for %s: "%s"', (originalName, name, expected) => {
    expect(given.nameOf({ name, originalName })).toBe(expected);
  });

  test.each([
    ['unitdischargetime', 'unitdischargetime', 'unit discharge time'],
    ['StatusType', 'statustype', 'status type'],
    ['CDSCode', 'cdscode', 'cds code'],
    ['birth_date', 'birth_date', 'birth date'],
    ['A2', 'district_name', 'district name'],
    ['CITYPOP', 'citypop', 'city pop'],
    ['GEO_CD_LVL_2', 'geo_cd_lvl_2', 'geo cd lvl 2'],
    ['address2', 'address2', 'address 2'],
    ['home_player_X1', 'home_player_x1', 'home player x1'],
    ['A12', 'a12', 'a12'],
    ['!', '!', '!'],
  ])('gets words where it only repeats an identifier: %s', (originalName, name, expected) => {
    expect(given.nameOf({ name, originalName })).toBe(expected);
  });
});

test('names that were made of identifiers are read as words, part by part', () => {
  expect(made.nameOf({ name: 'patient unitstayid', originalName: 'patient_unitstayid' })).toBe('patient unit stay id');
});

test('a schema keeps identifiers, types and keys', () => {
  const column = { name: 'wardid', originalName: 'wardid', type: 'number' as const };
  const table = { name: 'yearmonth', originalName: 'yearmonth', columns: [column] };
  const database = { id: 'd', tables: [table], primaryKeys: [{ table: 0, column: 0 }], foreignKeys: [] };
  expect(given.nameSchema(database)).toEqual({
    ...database,
    tables: [{ ...table, name: 'year month', columns: [{ ...column, name: 'ward id' }] }],
  });
});

import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { CorpusFilter, type CorpusFilterOptions } from '../../src/retriever/corpus-filter.js';
import { createReadTable, skipTable } from '../../src/retriever/corpus-reader.js';

interface Sketch {
  readonly headers: readonly string[];
  readonly title?: string;
  readonly rows?: readonly (readonly string[])[];
  readonly language?: string;
}

let number = 0;
function entryOf({ headers, title = `Table ${++number}`, rows = [], language }: Sketch) {
  return createReadTable({ id: 't', title, headers, rows, language: language ?? null }, 'somewhere');
}

const WORDS = new Set(
  'player team name age city country year population price mayor film director rank position'.split(' '),
);
const isWord = (word: string): boolean => WORDS.has(word);

/** Reason for which the last of the tables is left out, or 'kept'. */
function verdict(tables: readonly Sketch[], options: CorpusFilterOptions = {}): string {
  const filter = new CorpusFilter(options);
  const kept = tables.map((table) => filter.keep(entryOf(table)));
  if (kept.at(-1) !== null) return 'kept';
  return Object.keys(filter.skipped).at(-1) ?? 'no reason';
}

describe('CorpusFilter', () => {
  it('keeps tables of 2 to 5 columns unless told otherwise', () => {
    const wide = { headers: ['name', 'age', 'city', 'country', 'year', 'price'] };
    expect(verdict([{ headers: ['name'] }])).toBe('under 2 columns');
    expect(verdict([{ headers: ['name', 'age'] }])).toBe('kept');
    expect(verdict([wide])).toBe('over 5 columns');
    expect(verdict([wide], { maxColumns: 12 })).toBe('kept');
    expect(verdict([{ headers: ['name'] }], { minColumns: 1 })).toBe('kept');
  });

  it.each([
    [['name', ''], 'empty header'],
    [['name', '1999'], 'numeric header'],
    [['name', '2004-05 q1'], 'numeric header'],
    [['name', '???'], 'header of symbols'],
    [['name', 'Unnamed: 3'], 'placeholder header'],
    [['name', 'col_2'], 'placeholder header'],
    [['field', 'column'], 'kept'],
    [['name', 'age \uFFFD'], 'garbled header'],
    [['name', 'x'.repeat(300)], 'header too long'],
    [['name', 'how many of the people there had come'], 'header too long'],
    [['Name', 'name_'], 'repeated column name'],
    [['name', '🙂'], 'header of symbols'],
    [['height (m)', 'height (ft)'], 'kept'],
  ])('judges the headers %j: %s', (headers, reason) => {
    expect(verdict([{ headers }])).toBe(reason);
  });

  it('drops a second table of the same headers and title, in any order and style', () => {
    const first = { headers: ['Player Name', 'Age'], title: 'Roster 2010' };
    expect(verdict([first, { headers: ['age', 'player_name'], title: 'roster: 2010' }])).toBe('duplicate table');
    expect(verdict([first, { headers: ['age', 'player_name'], title: 'roster 2011' }])).toBe('kept');
    expect(
      verdict([
        { ...first, title: '' },
        { ...first, title: '' },
      ]),
    ).toBe('kept');
  });

  it('drops a second table of the same headers and first row', () => {
    const first = { headers: ['player', 'age'], rows: [['Ann', '30']] };
    expect(
      verdict([
        first,
        {
          ...first,
          rows: [
            ['ann', '30'],
            ['Bo', '2'],
          ],
        },
      ]),
    ).toBe('duplicate table');
    expect(verdict([first, { ...first, rows: [['Bo', '30']] }])).toBe('kept');
    expect(
      verdict([
        { ...first, rows: [['', '']] },
        { ...first, rows: [['', '']] },
      ]),
    ).toBe('kept');
  });

  it('goes by the stated language first', () => {
    const german = { headers: ['Stadt', 'Name'], language: 'de' };
    expect(verdict([german])).toBe('not English');
    expect(verdict([{ ...german, language: 'en-US' }], { isWord })).toBe('kept');
    expect(verdict([{ ...german, language: 'English' }], { isWord })).toBe('kept');
  });

  it.each<[string, Sketch]>([
    ['other letters in the header', { headers: ['имя', 'возраст'] }],
    ['other letters in the cells', { headers: ['name', 'age'], title: '名前と年齢', rows: [['山田太郎', '三十']] }],
    ['foreign function words in the header', { headers: ['stadt', 'zahl der einwohner und gäste'] }],
    ['no word in the dictionary', { headers: ['stadt', 'einwohner', 'bürgermeister'] }],
    [
      'foreign function words in the title',
      { headers: ['name', 'land', 'einwohner'], title: 'Liste von Städten und Orten' },
    ],
  ])('finds tables that are not English: %s', (_, table) => {
    expect(verdict([table], { isWord })).toBe('not English');
  });

  it.each<[string, Sketch]>([
    ['abbreviations', { headers: ['player', 'gp', 'pts', 'avg'] }],
    [
      'foreign names',
      {
        headers: ['player', 'team', 'position'],
        title: 'La Liga',
        rows: [['Luís de Müller', 'Real de los Andes', 'x']],
      },
    ],
    ['a foreign title over English headers', { headers: ['film', 'director'], title: 'Der Himmel und die Stadt' }],
    ['plurals', { headers: ['players', 'cities'], title: 'of the season' }],
  ])('keeps English tables with %s', (_, table) => {
    expect(verdict([table], { isWord })).toBe('kept');
  });

  it('counts by reason, with the first three places', () => {
    const filter = new CorpusFilter();
    for (let line = 1; line <= 5; line++) filter.keep(skipTable('no header', `corpus:${line}`));
    filter.keep(entryOf({ headers: ['name'] }));
    expect(filter.skipped).toEqual({
      'no header': { count: 5, examples: ['corpus:1', 'corpus:2', 'corpus:3'] },
      'under 2 columns': { count: 1, examples: ['somewhere'] },
    });
  });

  it('refuses limits that make no sense', () => {
    for (const options of [
      { minColumns: 3, maxColumns: 2 },
      { minColumns: 0 },
      { maxColumns: 2.5 },
      { maxColumns: NaN },
    ]) {
      expect(() => new CorpusFilter(options)).toThrow(ConfigError);
    }
  });
});

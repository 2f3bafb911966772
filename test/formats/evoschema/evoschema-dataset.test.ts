import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEvoSchemaDataset } from '../../../src/formats/evoschema/evoschema-dataset.js';
import { mustGet } from '../../../src/present.js';
import { createFolder, faultOf } from '../format-fixture.js';
import { pathsOf } from '../output-set-fixture.js';

const SINGER =
  'create table singer( singer_id integer primary key, Home Town text, Net Worth (USD, M) real, born date)';
const SONG =
  'create table song( song_id integer primary key, foreign key(singer_id) references singer(singer_id) integer, title text)';

const RENAMED = {
  train_idx: 4,
  db_id: 'music',
  question: 'Where are they from?',
  query: 'SELECT `Home Town` FROM singer',
  relevant_table: { singer: { ddl: SINGER } },
  new_relevant_table: {
    singer: { ddl: SINGER.replace('Home Town text', 'Birthplace cardText'), old_new_column_mappings: { x: 'y' } },
  },
  new_gold_sql: 'SELECT Birthplace FROM singer',
};

const MERGED = {
  db_id: 'music',
  question: 'Titles?',
  query: 'SELECT title FROM song',
  relevant_table: { singer: { ddl: SINGER }, song: { ddl: SONG } },
  new_relevant_table: {
    both: {
      columns: ['song_id', 'foreign key(singer_id) references singer(singer_id)', 'title', 'Home Town'],
      ddl: 'create table both( song_id integer primary key, title text)',
    },
  },
  old_new_table_mapping: { singer: 'both', song: 'both' },
  deduplicate_new_column_to_old_table_old_table_mapping: {
    "['a', 'b']": { old_table: "['singer', 'song']", old_column: "['born', 'title']" },
  },
  new_gold_sql: 'SELECT title FROM both',
};

const load = (files: Readonly<Record<string, unknown>>) =>
  loadEvoSchemaDataset(
    pathsOf('evoschema', {
      examples: createFolder(Object.fromEntries(Object.entries(files).map(([k, v]) => [k, JSON.stringify(v)]))),
    }),
  );

describe('loadEvoSchemaDataset', () => {
  it('reads a schema that is no SQL: names with spaces and commas, keys before types', () => {
    const dataset = load({ 'merge_tables_bird_dev.json': [MERGED] });
    const { before } = mustGet(dataset.pairs?.[0], 'a pair');
    const [singer, song] = mustGet(before.database, 'a schema').tables;
    expect(singer?.columns.map(({ originalName, type }) => `${originalName}: ${type}`)).toEqual([
      'singer_id: number',
      'Home Town: text',
      'Net Worth (USD, M): number',
      'born: time',
    ]);
    expect(song?.columns.map(({ originalName }) => originalName)).toEqual(['song_id', 'singer_id', 'title']);
    expect(before.database?.foreignKeys).toEqual([{ from: { table: 1, column: 1 }, to: { table: 0, column: 0 } }]);
    expect(before.database?.primaryKeys).toEqual([
      { table: 0, column: 0 },
      { table: 1, column: 0 },
    ]);
  });

  it('has what a record lists besides its schema, and what it says of its columns', () => {
    const [pair] = load({ 'merge_tables_bird_dev.json': [MERGED] }).pairs ?? [];
    const names = (schema: typeof pair extends undefined ? never : NonNullable<typeof pair>['intended']) =>
      schema?.tables.flatMap(({ columns }) => columns.map(({ originalName }) => originalName));
    expect(names(pair?.after.database ?? null)).toEqual(['song_id', 'title']);
    expect(names(pair?.intended ?? null)).toEqual(['song_id', 'singer_id', 'title', 'Home Town']);
    expect(pair?.mapping.merged).toEqual([
      ['a', 'singer', 'born'],
      ['b', 'song', 'title'],
    ]);
  });

  it('keeps a type that was renamed as it is written, and takes it for a type where the schema is as meant', () => {
    const dataset = load({ 'rename_columns_bird_dev.even.json': [RENAMED] });
    const [pair] = dataset.pairs ?? [];
    expect(pair?.kind).toBe('rename columns');
    expect(pair?.after.database?.tables[0]?.columns[1]?.originalName).toBe('Birthplace cardText');
    expect(pair?.intended?.tables[0]?.columns[1]?.originalName).toBe('Birthplace');
  });

  it('reads a folder of files, one kind each, and leaves out records that it can’t use', () => {
    const { query, ...broken } = RENAMED;
    const unread = { ...RENAMED, new_relevant_table: '' };
    const dataset = load({
      'rename_columns_bird_dev.json': [RENAMED, broken, unread],
      'raw.json': [{ ...MERGED, new_relevant_table: undefined, new_gold_sql: undefined }],
    });
    expect(query).toBeDefined();
    expect([...dataset.examples()].map(({ id }) => id)).toEqual(['raw:0', 'rename_columns_bird_dev:0']);
    expect(dataset.size).toBe(2);
    expect(dataset.skipped.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      'rename_columns_bird_dev:1: field "query" is missing',
      'rename_columns_bird_dev:2: its new schema can’t be read',
    ]);
    for (const { dbId } of dataset.examples()) expect(dataset.databases.has(dbId)).toBe(true);
  });

  it('says where a folder holds nothing', () => {
    const folder = createFolder({ 'notes.txt': 'x' });
    expect(faultOf(() => loadEvoSchemaDataset(pathsOf('evoschema', { examples: folder }))).message).toContain(
      'no JSON file',
    );
    expect(
      faultOf(() => loadEvoSchemaDataset(pathsOf('evoschema', { examples: join(folder, 'no') }))).message,
    ).toContain('can’t be read');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadBirdDataset, type BirdDataset } from '../../../src/formats/bird/bird-dataset.js';
import { writeBird } from '../../../src/formats/bird/bird-output.js';
import { parseCsvSpans } from '../../../src/formats/bird/bird-descriptions.js';
import { decodeWindows1252, encodeWindows1252 } from '../../../src/formats/bird/bird-descriptions.js';
import { CSV, renderCsvCell } from '../../../src/formats/csv-text.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import { applyEdits, type SqlEdit } from '../../../src/sql/edits.js';
import { createFolder, faultOf, TOWN } from '../format-fixture.js';
import { createOutput, createSqlite, pathsOf, rowsOf } from '../output-set-fixture.js';
import { added, renamed, setWith } from '../variant-fixture.js';

const TABLES = {
  ...TOWN,
  column_names: [
    [-1, '*'],
    [0, 'Singer ID'],
    [0, 'Home Town'],
    [1, 'Concert ID'],
    [1, 'Singer ID'],
  ],
  column_types: ['text', 'integer', 'text', 'integer', 'integer'],
  primary_keys: [1, [3, 4]],
};
const ASKED = {
  question_id: 5,
  db_id: 'town',
  question: 'How many come from Ulm?',
  evidence: "from Ulm refers to `Home_Town` = 'Ulm'; their home town stays",
  SQL: "SELECT COUNT(*) FROM Singer WHERE `Home_Town` = 'Ulm'",
  difficulty: 'simple',
};
const PLAIN = { question_id: 7, db_id: 'town', question: 'All?', evidence: '', SQL: 'SELECT * FROM Singer' };
const HEADER = 'original_column_name,column_name,column_description,data_format,value_description';
const SINGER = Buffer.from(
  `\uFEFF${HEADER}\r\nSinger_ID,,"the id, unique",integer,\r\nHome_Town ,home town,"of ""birth""\r\nor so",text,é\r\n`,
);
const CONCERT = Buffer.from(
  `${HEADER}\nConcert_ID,concert id,caf\xe9,integer,\nSinger_ID,singer id,,integer,\x80`,
  'latin1',
);
const ROWS = `CREATE TABLE Singer (Singer_ID, Home_Town); CREATE TABLE Concert (Concert_ID, Singer_ID);
  INSERT INTO Singer VALUES (1, 'Ulm'), (2, 'Bern');`;

function serialized(script: string): Uint8Array {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(script);
  return sqlite.serialize();
}
const DATABASE = serialized(ROWS);

function load(examples: readonly object[] = [ASKED, PLAIN], tables: object = TABLES): BirdDataset {
  const descriptions = 'dev_databases/town/database_description';
  const folder = createFolder({
    'dev_tables.json': JSON.stringify([tables]),
    'dev.json': JSON.stringify(examples),
    'dev_databases/town/town.sqlite': DATABASE,
    [`${descriptions}/singer.csv`]: SINGER,
    [`${descriptions}/Concert.csv`]: CONCERT,
    [`${descriptions}/._Concert.csv`]: 'left by an archive',
    [`${descriptions}/notes.csv`]: 'no,such,table\n',
  });
  const file = (name: string): string => join(folder, name);
  return loadBirdDataset(
    pathsOf('bird', { tables: file('dev_tables.json'), examples: file('dev.json'), databases: file('dev_databases') }),
  );
}

function write(dataset: BirdDataset, schemas: Parameters<typeof setWith>[1]): (name: string) => Buffer {
  const { path, folder } = createOutput();
  writeBird(setWith(dataset, schemas), folder);
  return (name) => readFileSync(join(path, name));
}
const birthplace = (dataset: BirdDataset): ReturnType<typeof renamed> =>
  renamed(dataset.databases.get('town')!, 0, 1, 'birthplace', 'Birth, place');
const age = (dataset: BirdDataset): ReturnType<typeof added> =>
  added(dataset.databases.get('town')!, 0, 1, { name: 'age', originalName: 'Age', type: 'number' });
const descriptionOf = (dbId: string, table: string): string => `database/${dbId}/database_description/${table}.csv`;

describe('loadBirdDataset', () => {
  test('takes SQL’s words for types, composite keys and its own ids', () => {
    const dataset = load();
    const town = dataset.databases.get('town')!;
    expect(town.tables[0]!.columns.map(({ type }) => type)).toEqual(['number', 'text']);
    expect(town.primaryKeys).toHaveLength(3);
    expect([...dataset.examples()].map(({ id, query }) => [id, query])).toEqual([
      ['5', ASKED.SQL],
      ['7', PLAIN.SQL],
    ]);
    expect(dataset.sqliteFile('town', '')).toMatch(/town\.sqlite$/);
    expect(dataset.sampleValues(town)[0]![1]).toEqual(['Ulm', 'Bern']);
  });

  test.each([
    ['datetime', 'time'],
    ['DATE', 'time'],
    ['varchar(10)', 'text'],
    ['REAL', 'number'],
    ['blob', 'others'],
    ['', 'others'],
  ])('reads the type %s as %s', (word, type) => {
    const tables = { ...TABLES, column_types: ['text', word, 'text', 'integer', 'integer'] };
    expect(load(undefined, tables).databases.get('town')!.tables[0]!.columns[0]!.type).toBe(type);
  });

  test('numbers the examples where ids are missing or repeated, and leaves out what has no SQL', () => {
    expect([...load([{ ...ASKED, question_id: undefined }, PLAIN]).examples()].map(({ id }) => id)).toEqual([
      'dev:0',
      'dev:1',
    ]);
    expect([...load([PLAIN, PLAIN]).examples()].map(({ id }) => id)).toEqual(['dev:0', 'dev:1']);
    expect(load([PLAIN, { ...ASKED, SQL: '' }]).skipped).toEqual([
      { id: '5', reason: 'it has no SQL', place: 'dev.json, record 1' },
    ]);
  });

  test('says where its gold is, and whose field a record has instead', () => {
    const record = { ...ASKED, SQL: undefined };
    expect(faultOf(() => load([record])).fix).toBe('Give the example its gold SQL, in field "SQL".');
    expect(faultOf(() => load([{ ...record, query: 'SELECT 1' }])).fix).toBe(
      'BIRD’s gold is in field "SQL"; this record has "query", as Spider’s do: check --dataset.',
    );
  });

  test('refuses an unknown database and a record without a question', () => {
    expect(faultOf(() => load([{ ...ASKED, db_id: 'village' }])).message).toMatch(/"village" is not in the tables/);
    expect(faultOf(() => load([{ db_id: 'town', SQL: 'SELECT 1' }])).where.id).toBe('dev:0');
  });

  test('works without databases', async () => {
    const folder = createFolder({ 't.json': JSON.stringify([TABLES]), 'train.json': JSON.stringify([ASKED]) });
    const dataset = await loadDataset(
      pathsOf('bird', { tables: join(folder, 't.json'), examples: join(folder, 'train.json') }),
    );
    expect(dataset.hasRows('town')).toBe(false);
    writeBird(setWith(dataset, []), createOutput().folder);
  });
});

describe('writeBird', () => {
  test('writes originals as they were', () => {
    const read = write(load(), []);
    expect(JSON.parse(read('bird/dev.json').toString())).toEqual([ASKED, PLAIN]);
    expect(read('bird/dev.json').toString()).toContain(JSON.stringify(ASKED));
    expect(JSON.parse(read('bird/dev_tables.json').toString())).toEqual([TABLES]);
    expect(read('bird/dev_gold.sql').toString()).toBe(`${ASKED.SQL}\ttown\n${PLAIN.SQL}\ttown\n`);
    expect(read(descriptionOf('town', 'singer'))).toEqual(SINGER);
    expect(read(descriptionOf('town', 'Concert'))).toEqual(CONCERT);
    expect(() => read(descriptionOf('town', '._Concert'))).toThrow();
  });

  test('renames in tables, SQL, descriptions and the evidence', () => {
    const dataset = load();
    const read = write(dataset, [birthplace(dataset)]);
    const [, variant] = JSON.parse(read('bird/dev.json').toString()) as object[];
    expect(variant).toEqual({
      ...ASKED,
      question_id: 8,
      original_question_id: 5,
      db_id: 'town__rpl_1',
      evidence: "from Ulm refers to `Birth, place` = 'Ulm'; their home town stays",
      SQL: `SELECT COUNT(*) FROM Singer WHERE "Birth, place" = 'Ulm'`,
    });
    const [, tables] = JSON.parse(read('bird/dev_tables.json').toString()) as object[];
    expect(tables).toEqual({
      ...TABLES,
      db_id: 'town__rpl_1',
      column_names: [...TABLES.column_names.slice(0, 2), [0, 'birthplace'], ...TABLES.column_names.slice(3)],
      column_names_original: [
        ...TABLES.column_names_original.slice(0, 2),
        [0, 'Birth, place'],
        ...TABLES.column_names_original.slice(3),
      ],
    });
    expect(read(descriptionOf('town__rpl_1', 'singer')).toString()).toBe(
      SINGER.toString().replace('Home_Town ,home town', '"Birth, place",birthplace'),
    );
    expect(read(descriptionOf('town__rpl_1', 'Concert'))).toEqual(CONCERT);
    expect(read(descriptionOf('town__rpl_1', 'notes')).toString()).toBe('no,such,table\n');
  });

  test('adds to tables and descriptions; the query returns what it returned', () => {
    const dataset = load();
    const read = write(dataset, [age(dataset)]);
    const tables = JSON.parse(read('bird/dev_tables.json').toString()) as (typeof TABLES)[];
    expect(tables[1]).toMatchObject({
      column_types: ['text', 'integer', 'real', 'text', 'integer', 'integer'],
      primary_keys: [1, [4, 5]],
      foreign_keys: [[5, 1]],
    });
    expect(read(descriptionOf('town__add_1', 'singer')).toString()).toBe(
      SINGER.toString().replace('Home_Town ,', 'Age,age,,real,\r\nHome_Town ,'),
    );
    const examples = JSON.parse(read('bird/dev.json').toString()) as (typeof ASKED)[];
    expect(examples.map((one) => one.question_id)).toEqual([5, 8, 7, 9]);
    const after = createSqlite(ROWS.replace('Home_Town)', 'Age, Home_Town)').replaceAll(/\((\d), '/g, "($1, 30, '"));
    expect(rowsOf(after, examples[3]!.SQL)).toEqual(rowsOf(createSqlite(ROWS), PLAIN.SQL));
  });

  test('descriptions stand apart where the run has no databases', () => {
    const dataset = load();
    const { path, folder } = createOutput();
    writeBird({ ...setWith(dataset, []), sqliteFile: () => null }, folder);
    const file = join(path, 'bird/databases/town/database_description/singer.csv');
    expect(readFileSync(file)).toEqual(SINGER);
  });

  test('keeps Windows-1252, and turns to UTF-8 where a new name needs it', () => {
    const dataset = load();
    const town = dataset.databases.get('town')!;
    const [rpl, add] = [
      renamed(town, 1, 0, 'gig “a”', 'Gig_“a”'),
      added(town, 1, 2, { name: 'łódź', originalName: 'Łódź', type: 'text' }),
    ];
    const read = write(dataset, [rpl, add]);
    expect(read(descriptionOf('town__rpl_1', 'Concert')).toString('latin1')).toBe(
      CONCERT.toString('latin1').replace('Concert_ID,concert id', 'Gig_\x93a\x94,gig \x93a\x94'),
    );
    expect(read(descriptionOf('town__add_1', 'Concert')).toString()).toBe(
      `${HEADER}\nConcert_ID,concert id,café,integer,\nSinger_ID,singer id,,integer,€\nŁódź,łódź,,text,`,
    );
  });

  test.each<[string, string, string, string]>([
    ['a natural name', 'the `home town`', ASKED.SQL, 'the `birthplace`'],
    ['a name in another case', '`HOME_TOWN`', ASKED.SQL, '`Birth, place`'],
    ['another name', '`Singer_ID` = 1', ASKED.SQL, '`Singer_ID` = 1'],
    ['a qualified name', 'Singer.`Home_Town`', ASKED.SQL, 'Singer.`Birth, place`'],
  ])('evidence with %s', (_, evidence, SQL, expected) => {
    const dataset = load([{ ...ASKED, evidence, SQL }]);
    const examples = JSON.parse(write(dataset, [birthplace(dataset)])('bird/dev.json').toString()) as (typeof ASKED)[];
    expect(examples[1]!.evidence).toBe(expected);
  });

  test.each([
    ['`Singer_ID` of the query’s table', 'SELECT Singer_ID FROM Concert', '`Singer_ID` of the query’s table'],
    ['`Singer_ID` of the query’s table', 'SELECT Singer_ID FROM Singer', '`Number` of the query’s table'],
    ['`Concert`.`Singer_ID`', 'SELECT Singer_ID FROM Singer', '`Concert`.`Singer_ID`'],
    ['which `Singer_ID`?', 'SELECT 1 FROM Singer, Concert', 'which `Singer_ID`?'],
  ])('evidence "%s" with %s', (evidence, SQL, expected) => {
    const dataset = load([{ ...ASKED, evidence, SQL }]);
    const rpl = renamed(dataset.databases.get('town')!, 0, 0, 'number', 'Number');
    const examples = JSON.parse(write(dataset, [rpl])('bird/dev.json').toString()) as (typeof ASKED)[];
    expect(examples[1]!.evidence).toBe(expected);
  });
});

const DESCRIBED = `${HEADER}\nSinger_ID,singer id,"the id, else ""Home_Town"" and Singer.Home_Town",integer,Home_Town = 1: their home town`;

test('descriptions name renamed columns by their new names, and say what changed where', () => {
  const dataset = load();
  const folder = createFolder({ 'singer.csv': DESCRIBED });
  const described = { ...dataset, descriptions: () => [join(folder, 'singer.csv')] };
  const read = write(described, [birthplace(dataset)]);
  const expected = DESCRIBED.replace('""Home_Town""', '""Birth, place""')
    .replace('Singer.Home_Town', 'Singer.`Birth, place`')
    .replace('Home_Town = 1: their home town', '"`Birth, place` = 1: their home town"');
  expect(read(descriptionOf('town', 'singer')).toString()).toBe(DESCRIBED);
  expect(read(descriptionOf('town__rpl_1', 'singer')).toString()).toBe(expected);
  const line = JSON.parse(read('bird/descriptions.jsonl').toString()) as { file: string; edits: SqlEdit[] };
  expect(line).toMatchObject({ db_id: 'town__rpl_1', original_db_id: 'town', file: 'singer.csv' });
  expect(applyEdits(DESCRIBED, line.edits)).toBe(expected);
});

test('texts in the tables’ file follow a rename', () => {
  const texts = [
    [-1, '*'],
    [0, 'unique'],
    [0, 'as `Home_Town`, or in Concert'],
    [1, 'like'],
    [1, 'Singer_ID = 3'],
  ];
  const dataset = load(undefined, { ...TABLES, column_descriptions: texts });
  const read = write(dataset, [birthplace(dataset)]);
  const [original, variant] = JSON.parse(read('bird/dev_tables.json').toString()) as { column_descriptions: unknown }[];
  expect(original!.column_descriptions).toEqual(texts);
  expect(variant!.column_descriptions).toEqual(
    texts.map(([table, text]) => [table, String(text).replace('`Home_Town`', '`Birth, place`')]),
  );
});

describe('parseCsvSpans', () => {
  test('finds every field where it stands', () => {
    const cell = fc.string().map((text) => text.replace(/\r/g, ''));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), (rows) => {
        const text = rows.map((row) => `${row.map((cell) => renderCsvCell(cell, CSV)).join(',')}\n`).join('');
        const records = parseCsvSpans(text);
        expect(records.map(({ fields }) => fields.map(({ value }) => value))).toEqual(rows);
        for (const { fields } of records)
          for (const { start, end, value } of fields) expect(text.slice(start, end)).toBe(renderCsvCell(value, CSV));
      }),
    );
  });

  test('begins behind a byte order mark', () => {
    expect(parseCsvSpans('\uFEFF"a",b\n')).toEqual([
      {
        start: 1,
        end: 6,
        fields: [
          { start: 1, end: 4, value: 'a' },
          { start: 5, end: 6, value: 'b' },
        ],
      },
    ]);
  });

  test('takes an unclosed quote as a character, and skips blank lines', () => {
    expect(parseCsvSpans('a,"b\n\n  \nc,d').map(({ fields }) => fields.map(({ value }) => value))).toEqual([
      ['a', '"b'],
      ['c', 'd'],
    ]);
  });
});

test('Windows-1252 gives every byte back, and knows what it lacks', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(encodeWindows1252(decodeWindows1252(bytes))).toEqual(bytes);
  expect(decodeWindows1252(Buffer.from([0x80, 0xe9]))).toBe('€é');
  expect(encodeWindows1252('ł')).toBeNull();
});

describe('gold in another dialect', () => {
  const SQL = `SELECT s.Home_Town, EXTRACT(YEAR FROM s."First Day") FROM Singer AS s WHERE Singer_ID::text = '1'`;
  const named = {
    ...TABLES,
    column_names_original: TABLES.column_names_original.map(([t, n]) => [t, n === 'Concert_ID' ? 'First Day' : n]),
  };

  async function load(name: string): Promise<BirdDataset> {
    const singer = { ...named, column_names_original: named.column_names_original.with(3, [0, 'First Day']) };
    const moved = { ...singer, column_names: singer.column_names.with(3, [0, 'First Day']) };
    const root = createFolder({
      'dev_tables.json': JSON.stringify([moved]),
      [name]: JSON.stringify([
        { ...PLAIN, SQL },
        { ...PLAIN, question_id: 8, SQL: 'SELECT COUNT(*) FROM concert' },
      ]),
    });
    createSqlite(
      'CREATE TABLE Singer (Singer_ID INT, Home_Town TEXT); INSERT INTO Singer VALUES (1, 9);',
      'database/town/town.sqlite',
      root,
    );
    const paths = {
      tables: join(root, 'dev_tables.json'),
      examples: join(root, name),
      databases: join(root, 'database'),
    };
    return (await loadDataset(pathsOf('bird', paths))) as BirdDataset;
  }

  test('is read as PostgreSQL where the file says so, on the names of its server', async () => {
    const dataset = await load('mini_dev_postgresql.json');
    expect(dataset.dialect.name).toBe('postgresql');
    expect(dataset.notes?.at(-1)).toBe('its gold query is read as PostgreSQL, after the name of its file');
    const town = dataset.databases.get('town');
    if (town === undefined) throw new Error('no schema');
    expect(town.tables[0]?.columns.map(({ originalName }) => originalName)).toEqual([
      'singer_id',
      'home_town',
      'First Day',
    ]);
    const { sql } = renameColumns(
      SQL,
      town,
      new Map([
        ['0.1', 'birthplace'],
        ['0.2', 'debut'],
      ]),
      dataset.dialect,
    );
    expect(sql).toBe(SQL.replace('Home_Town', 'birthplace').replace('"First Day"', 'debut'));
    expect(dataset.sampleValues(town)[0]).toEqual([['1'], ['9'], []]);
    expect([dataset.hasRows('town'), dataset.sqliteFile('town', '')]).toEqual([false, null]);
    const { path, folder } = createOutput();
    writeBird(setWith(dataset, []), folder);
    expect(readFileSync(join(path, 'bird/dev_tables.json'), 'utf8')).toContain('"home_town"');
  });

  test.each([
    ['mini_dev_mysql.json', 'mysql'],
    ['mini_dev_sqlite.json', 'sqlite'],
    ['dev.json', 'sqlite'],
  ])('of %s is %s', async (name, dialect) => {
    expect((await load(name)).dialect.name).toBe(dialect);
  });
});

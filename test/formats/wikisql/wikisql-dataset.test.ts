import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import {
  loadWikiSqlDataset,
  type WikiSqlDataset,
  type WikiSqlLine,
  type WikiSqlSql,
} from '../../../src/formats/wikisql/wikisql-dataset.js';
import { writeWikiSql, writeWikiSqlDb } from '../../../src/formats/wikisql/wikisql-output.js';
import { toTable, type WikiSqlTable } from '../../../src/formats/wikisql/wikisql-tables.js';
import { fileSha256 } from '../../../src/run/sha256.js';
import { createFolder } from '../format-fixture.js';
import { createOutput, createSqlite, pathsOf, rowsOf } from '../output-set-fixture.js';
import { added, renamed, setWith } from '../variant-fixture.js';

const LAKES = {
  id: '1-23-4',
  page_title: 'Lakes of Étoile (region)',
  header: ['Name', 'No. of boats', 'Depth (m)', 'Name', ''],
  types: ['text', 'real', 'real', 'text', 'text'],
  rows: [
    ['Blue Lake', 12, 3.5, 'Étang', "Ann's"],
    ['Green Lake', '1,200', 40, 'Mare', 'Bob'],
    ['Blue Lake', 7, 'unknown', 'Étang', ''],
  ],
  kept: true,
};
const BARE = { id: '2-5-1', header: ['select'], types: ['text'], rows: [['x'], ['Y']] };
type Conds = [number, number, string | number][];
const asked = (sel: number, agg: number, conds: Conds, table_id = LAKES.id): object => ({
  phase: 1,
  table_id,
  question: 'What?',
  sql: { sel, conds, agg },
});
const QUESTIONS = [
  asked(1, 1, []),
  asked(3, 0, [[0, 0, 'Blue Lake']]),
  asked(0, 3, [
    [1, 1, '5'],
    [2, 2, '1,000'],
  ]),
  asked(0, 0, [[4, 0, "ANN'S"]]),
  asked(4, 0, [[2, 0, 'about 3.5 m']]),
  asked(2, 5, [[1, 0, 12]]),
  asked(0, 0, [[0, 0, 'y']], BARE.id),
];
const lines = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Texts in lower case, as the release has them. */
const DB = `CREATE TABLE table_1_23_4 (col0 text, col1 real, col2 real, col3 text, col4 text);
  INSERT INTO table_1_23_4 VALUES ('blue lake', 12, 3.5, 'étang', 'ann''s'), ('green lake', '1,200', 40, 'mare', 'bob'),
    ('blue lake', 7, 'unknown', 'étang', '');`;

async function load(questions = lines(QUESTIONS), tables = lines([LAKES, BARE]), db?: string): Promise<WikiSqlDataset> {
  const folder = createFolder({ 'dev.tables.jsonl': tables, 'dev.jsonl': questions });
  if (db !== undefined) createSqlite(db, 'dev.db', folder);
  const paths = { tables: join(folder, 'dev.tables.jsonl'), examples: join(folder, 'dev.jsonl') };
  return loadWikiSqlDataset(pathsOf('wikisql', { ...paths, ...(db === undefined ? {} : { databases: folder }) }));
}

async function faultOf(loading: Promise<unknown>): Promise<InputFormatError> {
  const error: unknown = await loading.then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(InputFormatError);
  return error as InputFormatError;
}

/** What WikiSQL's dbengine.py does, its reading of the types out of the schema included. */
function runAsWikiSql(file: string, { table_id, sql }: { table_id: string; sql: WikiSqlSql }): unknown[] {
  const name = `table_${table_id.replaceAll('-', '_')}`;
  const [[statement]] = rowsOf(file, `SELECT sql FROM sqlite_master WHERE tbl_name = '${name}'`) as [[string]];
  const schema = /\((.+)\)/.exec(statement)![1]!.split(', ');
  const types = new Map(schema.map((column) => column.split(/\s+/) as [string, string]));
  const values: Record<string, string | number> = {};
  const where = sql.conds.map(([column, operator, value]) => {
    let bound = typeof value === 'string' ? value.toLowerCase() : value;
    if (types.get(`col${column}`) === 'real' && typeof bound === 'string') {
      const whole = Number(bound.replaceAll(',', ''));
      bound = Number.isNaN(whole) ? Number(/[-+]?\d*\.\d+|\d+/.exec(bound)![0]) : whole;
    }
    values[`col${column}`] = bound;
    return `col${column} ${['=', '>', '<'][operator]!} :col${column}`;
  });
  const aggregate = ['', 'MAX', 'MIN', 'COUNT', 'SUM', 'AVG'][sql.agg]!;
  const query = `SELECT ${aggregate}(col${sql.sel}) FROM ${name} ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`;
  const sqlite = new Sqlite(file, { readonly: true });
  const rows = sqlite.prepare(query).raw().all(values) as unknown[][];
  sqlite.close();
  return rows;
}

describe('loadWikiSqlDataset', () => {
  test('makes each table a database with a table of its title and columns of its headers', async () => {
    const dataset = await load();
    const [table] = dataset.databases.get(LAKES.id)!.tables;
    expect(table).toEqual({
      name: 'lakes of étoile (region)',
      originalName: 'Lakes_of_Etoile_region',
      columns: [
        { name: 'name', originalName: 'Name', type: 'text' },
        { name: 'no. of boats', originalName: 'No. of boats', type: 'number' },
        { name: 'depth', originalName: 'Depth (m)', type: 'number' },
        { name: 'name 2', originalName: 'Name_2', type: 'text' },
        { name: 'column 5', originalName: 'column_5', type: 'text' },
      ],
    });
    expect(dataset.databases.get(BARE.id)!.tables[0]!.originalName).toBe('table_2_5_1');
    expect(dataset.sampleValues(dataset.databases.get(LAKES.id)!)[0]![0]).toEqual(['Blue Lake', 'Green Lake']);
  });

  test('writes sel, agg and conds as SQL', async () => {
    const dataset = await load();
    expect([...dataset.examples()].map(({ query }) => query)).toEqual([
      'SELECT MAX("No. of boats") FROM Lakes_of_Etoile_region',
      "SELECT Name_2 FROM Lakes_of_Etoile_region WHERE Name = 'blue lake'",
      'SELECT COUNT(Name) FROM Lakes_of_Etoile_region WHERE "No. of boats" > 5 AND "Depth (m)" < 1000',
      "SELECT Name FROM Lakes_of_Etoile_region WHERE column_5 = 'ann''s'",
      'SELECT column_5 FROM Lakes_of_Etoile_region WHERE "Depth (m)" = 3.5',
      'SELECT AVG("Depth (m)") FROM Lakes_of_Etoile_region WHERE "No. of boats" = 12',
      `SELECT "select" FROM table_2_5_1 WHERE "select" = 'y'`,
    ]);
    expect([...dataset.examples()].map(({ id }) => id)).toEqual(QUESTIONS.map((_, index) => `dev:${index}`));
    expect(dataset.size).toBe(QUESTIONS.length);
  });

  test.each([
    ['the .db', DB],
    ['the tables’ rows', undefined],
  ])('the SQL on %s returns what WikiSQL’s engine returns', async (_, db) => {
    const dataset = await load(undefined, undefined, db);
    const { path, folder } = createOutput();
    writeWikiSql(setWith(dataset, []), folder);
    const scratch = createFolder();
    for (const example of dataset.examples()) {
      const expected = runAsWikiSql(join(path, 'wikisql/dev.db'), (example.record as WikiSqlLine).json);
      expect(expected).not.toEqual([]);
      expect(rowsOf(dataset.sqliteFile(example.dbId, scratch)!, example.query)).toEqual(expected);
    }
  });

  test('builds a file once, with the same bytes, and leaves the .db as it was', async () => {
    const dataset = await load(undefined, undefined, DB);
    const [one, two] = [createFolder(), createFolder()];
    const file = dataset.sqliteFile(LAKES.id, one)!;
    expect(dataset.sqliteFile(LAKES.id, one)).toBe(file);
    expect(fileSha256(dataset.sqliteFile(LAKES.id, two)!)).toBe(fileSha256(file));
    expect((await load(undefined, undefined, DB)).fingerprints['databases']).toBe(dataset.fingerprints['databases']);
    expect(rowsOf(file, 'SELECT typeof("Depth (m)") FROM Lakes_of_Etoile_region')).toEqual([
      ['real'],
      ['real'],
      ['text'],
    ]);
  });

  test('leaves out what WikiSQL’s engine can’t run', async () => {
    const dataset = await load(lines([asked(0, 0, [[0, 3, 'x']]), asked(9, 0, []), asked(0, 6, []), QUESTIONS[0]]));
    expect(dataset.size).toBe(1);
    expect(dataset.skipped).toEqual([
      { id: 'dev:0', reason: 'operator 3 can’t be run, by WikiSQL’s own engine either', place: 'dev.jsonl:1' },
      { id: 'dev:1', reason: 'it names column 9, but the table has 5 columns', place: 'dev.jsonl:2' },
      { id: 'dev:2', reason: 'aggregate 6 is none of WikiSQL’s', place: 'dev.jsonl:3' },
    ]);
    expect([...dataset.examples()].map(({ id }) => id)).toEqual(['dev:3']);
  });

  test.each<[string, string, string, RegExp, number | undefined]>([
    ['an unknown table', lines([asked(0, 0, [], '9-9-9')]), lines([LAKES]), /table_id "9-9-9" is not in the tables/, 1],
    ['no JSON', '{', lines([LAKES]), /not JSON/, 1],
    ['no sql', lines([{ table_id: LAKES.id, question: '' }]), lines([LAKES]), /field "sql" is missing/, 1],
    ['no question', '\n', lines([LAKES]), /holds no question/, undefined],
    ['no table', lines(QUESTIONS), '', /holds no table/, undefined],
    ['a short row', lines(QUESTIONS), lines([{ ...BARE, rows: [['x'], []] }]), /row 1 does not have 1 cells/, 1],
    ['a row of objects', lines(QUESTIONS), lines([{ ...BARE, rows: [[{}]] }]), /row 0 does not have 1 cells/, 1],
    ['too few types', lines(QUESTIONS), lines([{ ...BARE, types: [] }]), /differ in length/, 1],
    ['an id that is a path', lines(QUESTIONS), lines([{ ...BARE, id: '../x' }]), /field "id" is wrong/, 1],
  ])('refuses %s, naming the line', async (_, questions, tables, message, line) => {
    const fault = await faultOf(load(questions, tables));
    expect(fault.message).toMatch(message);
    expect(fault.where.line).toBe(line);
  });

  test('leaves out lines that are no question or no table, and none with them', async () => {
    const questions = `${lines([QUESTIONS[0]])}{\n${lines([asked(0, 0, [], '9-9-9')])}`;
    const dataset = await load(questions, lines([LAKES, { ...BARE, id: '1-23_4' }]));
    expect(dataset.size).toBe(1);
    expect(dataset.skipped).toEqual([
      { id: 'dev:1', reason: 'this is not JSON', place: 'dev.jsonl:2' },
      { id: 'dev:2', reason: 'its table_id is not in the tables file', place: 'dev.jsonl:3' },
    ]);
    expect(dataset.skippedSchemas).toEqual([
      { id: '1-23_4', reason: 'this table id occurs twice', place: 'dev.tables.jsonl:2' },
    ]);
  });

  test('takes a table that stands for several of WikiSQL’s, as FollowUp’s do', async () => {
    const dataset = await load(
      lines([asked(0, 0, [], '7-1-2'), asked(1, 0, [], LAKES.id)]),
      lines([{ ...LAKES, id: [LAKES.id, '7-1-2'] }]),
    );
    expect([...dataset.databases.keys()]).toEqual([LAKES.id]);
    expect([...dataset.examples()].map(({ dbId }) => dbId)).toEqual([LAKES.id, LAKES.id]);
  });

  test('refuses a .db that is absent or not its own', async () => {
    const folder = createFolder({
      'dev.tables.jsonl': lines([LAKES]),
      'dev.jsonl': lines([QUESTIONS[0]]),
      'text.db': 'no database '.repeat(100),
    });
    createSqlite('CREATE TABLE table_9_9_9 (col0)', 'other.db', folder);
    createSqlite('CREATE TABLE table_1_23_4 (col0)', 'narrow.db', folder);
    const loadWith = (databases: string): Promise<unknown> => {
      const paths = { tables: join(folder, 'dev.tables.jsonl'), examples: join(folder, 'dev.jsonl') };
      return loadDataset(pathsOf('wikisql', { ...paths, databases }));
    };
    expect((await faultOf(loadWith(folder))).message).toMatch(/\.db of the split is not there/);
    expect((await faultOf(loadWith(join(folder, 'other.db')))).message).toMatch(/none of the tables/);
    for (const name of ['text.db', 'narrow.db']) {
      expect((await faultOf(loadWith(join(folder, name)))).message).toMatch(/as WikiSQL’s \.db does/);
    }
  });
});

describe('toTable', () => {
  const tableOf = (record: Partial<WikiSqlTable>): ReturnType<typeof toTable> =>
    toTable({ id: '1-2-3', header: ['a'], types: ['text'], rows: [], ...record });

  test.each<[string, Partial<WikiSqlTable>, string]>([
    ['caption', { page_title: ' ', caption: 'Squad[1]' }, 'Squad'],
    ['section title', { section_title: '2008 season' }, '2008_season'],
    ['id where the title has no letters', { page_title: '—' }, 'table_1_2_3'],
    ['id where SQLite keeps the name for itself', { page_title: 'sqlite sequence' }, 'table_1_2_3'],
    [
      'a bounded title',
      { page_title: `${'word '.repeat(30)}` },
      'word_word_word_word_word_word_word_word_word_word_word_word',
    ],
    ['a title that is one long word', { page_title: 'x'.repeat(200) }, 'x'.repeat(60)],
  ])('is called after its %s', (_, record, name) => {
    expect(tableOf(record).originalName).toBe(name);
  });

  test('its columns have distinct, usable names, whatever the headers', () => {
    const sqlite = new Sqlite(':memory:');
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'A', 'a_2', ' a', '\0', 'a\n[1]'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (header) => {
        const { columns } = tableOf({ header, types: header.map(() => 'text' as const) });
        for (const kind of ['name', 'originalName'] as const) {
          const names = columns.map((column) => column[kind].toLowerCase());
          expect(names.every((name) => name.trim() !== '' && !name.includes('\0'))).toBe(true);
        }
        const declared = columns.map(({ originalName }) => `"${originalName.replaceAll('"', '""')}"`);
        sqlite.exec(`CREATE TABLE t (${declared.join()}); DROP TABLE t`);
      }),
      { numRuns: 40 },
    );
    sqlite.close();
  });
});

describe('writeWikiSql', () => {
  test('writes originals byte for byte, and reads them back', async () => {
    const dataset = await load(undefined, undefined, DB);
    const { path, folder } = createOutput();
    writeWikiSql(setWith(dataset, []), folder);
    const file = (name: string): string => join(path, 'wikisql', name);
    expect(readFileSync(file('dev.jsonl'), 'utf8')).toBe(lines(QUESTIONS));
    expect(readFileSync(file('dev.tables.jsonl'), 'utf8')).toBe(lines([LAKES, BARE]));
    const again = await loadWikiSqlDataset(
      pathsOf('wikisql', { tables: file('dev.tables.jsonl'), examples: file('dev.jsonl'), databases: file('dev.db') }),
    );
    expect(again.databases).toEqual(dataset.databases);
    expect([...again.examples()]).toEqual([...dataset.examples()]);
    const lakes = dataset.databases.get(LAKES.id)!;
    expect(again.rows.read(lakes)).toEqual(dataset.rows.read(lakes));
  });

  test('remaps the queries of variants, and writes their tables and rows', async () => {
    const dataset = await load();
    const lakes = dataset.databases.get(LAKES.id)!;
    const rpl = renamed(lakes, 0, 1, 'fleet', 'Fleet size');
    const add = added(lakes, 0, 1, { name: 'ferries', originalName: 'Ferries', type: 'number' });
    const perturbed = createSqlite(`CREATE TABLE Lakes_of_Etoile_region ("Name", Ferries);
      INSERT INTO Lakes_of_Etoile_region VALUES ('x', 4), ('x', 2.5), ('x', NULL);
      ALTER TABLE Lakes_of_Etoile_region ADD "No. of boats"; ALTER TABLE Lakes_of_Etoile_region ADD "Depth (m)";
      ALTER TABLE Lakes_of_Etoile_region ADD Name_2; ALTER TABLE Lakes_of_Etoile_region ADD column_5;`);
    const { path, folder } = createOutput();
    writeWikiSql(setWith(dataset, [rpl, add], { [add.schema.schema.id]: perturbed }), folder);
    const file = (name: string): string => join(path, 'wikisql', name);
    const parse = (name: string): Record<string, unknown>[] =>
      readFileSync(file(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [, , renamedTable, addedTable] = parse('dev.tables.jsonl');
    expect(renamedTable).toEqual({
      ...LAKES,
      id: '1-23-4__rpl_1',
      header: ['Name', 'Fleet size', 'Depth (m)', 'Name', ''],
    });
    expect(addedTable).toMatchObject({
      kept: true,
      header: ['Name', 'Ferries', 'No. of boats', 'Depth (m)', 'Name', ''],
      types: ['text', 'real', 'real', 'real', 'text', 'text'],
      rows: [
        ['Blue Lake', 4, 12, 3.5, 'Étang', "Ann's"],
        ['Green Lake', 2.5, '1,200', 40, 'Mare', 'Bob'],
        ['Blue Lake', '', 7, 'unknown', 'Étang', ''],
      ],
    });
    const questions = parse('dev.jsonl');
    expect(questions).toHaveLength(19);
    expect(questions[8]).toEqual({
      phase: 1,
      table_id: '1-23-4__add_1',
      question: 'What?',
      sql: {
        sel: 0,
        agg: 3,
        conds: [
          [2, 1, '5'],
          [3, 2, '1,000'],
        ],
      },
    });
    const again = await loadWikiSqlDataset(
      pathsOf('wikisql', { tables: file('dev.tables.jsonl'), examples: file('dev.jsonl'), databases: file('dev.db') }),
    );
    const [scratch, results] = [createFolder(), new Map<string, unknown[]>()];
    for (const { dbId, query, record } of again.examples()) {
      const rows = rowsOf(again.sqliteFile(dbId, scratch)!, query);
      expect(rows).toEqual(runAsWikiSql(file('dev.db'), (record as WikiSqlLine).json));
      results.set(dbId, [...(results.get(dbId) ?? []), rows]);
    }
    expect(results.get('1-23-4__rpl_1')).toEqual(results.get(LAKES.id));
    expect(results.get('1-23-4__add_1')).toEqual(results.get(LAKES.id));
    expect(rowsOf(file('dev.db'), 'SELECT col1 FROM table_1_23_4__add_1')).toEqual([[4], [2.5], ['']]);
  });

  test('added cells are empty where no perturbed database is written', async () => {
    const dataset = await load();
    const add = added(dataset.databases.get(BARE.id)!, 0, 1, { name: 'from', originalName: 'From', type: 'text' });
    const { path, folder } = createOutput();
    writeWikiSql(setWith(dataset, [add]), folder);
    const text = readFileSync(join(path, 'wikisql/dev.tables.jsonl'), 'utf8');
    expect(text).toContain('"header":["select","From"],"types":["text","text"],"rows":[["x",""],["Y",""]]');
  });
});

test('writeWikiSqlDb makes a sound file of many tables, with the same bytes each time', () => {
  const folder = createFolder();
  const tables = Array.from({ length: 1203 }, (_, i) => ({
    name: `table_1_${i}`,
    types: ['text', 'real'],
    rows: Array.from({ length: i % 7 }, (_row, r) => [`${'x'.repeat(i)}${r}`, BigInt(r)]),
  }));
  const [one, two] = [join(folder, 'one.db'), join(folder, 'two.db')];
  for (const file of [one, two]) writeWikiSqlDb(file, tables);
  expect(fileSha256(one)).toBe(fileSha256(two));
  const sqlite = new Sqlite(one);
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(sqlite.prepare('SELECT count(*) FROM sqlite_master').pluck().get()).toBe(1203);
  for (const i of [0, 499, 500, 1202]) {
    expect(sqlite.prepare(`SELECT count(*) FROM table_1_${i}`).pluck().get()).toBe(i % 7);
  }
  sqlite.exec('CREATE TABLE later (x); DROP TABLE table_1_3; VACUUM');
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  sqlite.close();
  expect(existsSync(`${one}-journal`)).toBe(false);
});

import { EXAMPLE_DATA, type JsonRecord } from '../../e2e/example-data.js';
import { OUT, W2V, lines, utf16, database, group, type BadInput, type Row } from './bad-input.js';

/** A schema of one table, as `tables.json` has it. */
function schema(id: string, columns: readonly string[], more: JsonRecord = {}): JsonRecord {
  return {
    db_id: id,
    table_names: ['thing'],
    table_names_original: ['thing'],
    column_names: [[-1, '*'], ...columns.map((name) => [0, name])],
    column_names_original: [[-1, '*'], ...columns.map((name) => [0, name])],
    column_types: ['text', ...columns.map(() => 'text')],
    primary_keys: [],
    foreign_keys: [],
    ...more,
  };
}

const own = (id: string, query: string): JsonRecord => ({ db_id: id, question: 'Which are there?', query });
const SQLITE_DATA = ['--dataset', 'sqlite', '--databases', 'shop.sqlite', '--examples', 'ask.jsonl'];
const CSV_DATA = ['--dataset', 'csv', '--tables', 'tables', '--examples', 'ask.csv'];
const SYNTHETIC = ['--tables', 'tables.json', '--examples', 'dev.json', '--synthetic-databases'];

const pg = (query: string): JsonRecord => ({
  question_id: 1,
  db_id: 'community_garden',
  question: 'a?',
  evidence: '',
  SQL: query,
});
const BIRD_DATA = ['--dataset', 'bird', '--tables', EXAMPLE_DATA.tables, '--examples', 'mini_dev_postgresql.json'];
const pgFile = (...records: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  'mini_dev_postgresql.json': records,
});
const live = (...more: readonly string[]): readonly string[] => [
  'candidates',
  '--dataset',
  'postgresql',
  ...more,
  ...W2V,
  ...OUT,
];
const POSTGRESQL: readonly Row[] = [
  [
    'golds with casts and quoted names',
    ['augment', ...BIRD_DATA, ...W2V, ...OUT],
    null,
    pgFile(pg('SELECT "birth_year"::text FROM "gardener"')),
  ],
  [
    'golds in no language',
    ['augment', ...BIRD_DATA, ...W2V, ...OUT],
    null,
    pgFile(pg('SELECT $$ FROM ::'), pg('SELECT 1')),
  ],
  [
    'no gold at all',
    ['augment', ...BIRD_DATA, ...W2V, ...OUT],
    'mini_dev_postgresql.json, 1: it has no SQL',
    pgFile({ ...pg(''), SQL: null }),
  ],
  ['an empty list', ['audit', ...BIRD_DATA], 'mini_dev_postgresql.json: the list of questions is empty', pgFile()],
  ['a dollar quote that is not closed', ['audit', ...BIRD_DATA], null, pgFile(pg('SELECT $a$ FROM gardener'))],
  [
    'no address',
    live('--examples', 'ask.jsonl'),
    'data set format postgresql needs --connection',
    { 'ask.jsonl': lines({ question: 'a', query: 'SELECT 1' }) },
  ],
  [
    'an address that is none',
    live('--connection', 'nowhere', '--examples', 'ask.jsonl'),
    '--connection is not a URL',
    { 'ask.jsonl': lines({ question: 'a', query: 'SELECT 1' }) },
  ],
  [
    'an address of another system',
    live('--connection', 'mysql://u@127.0.0.1:1/x', '--examples', 'ask.jsonl'),
    'data set format postgresql needs a --connection that begins with postgres:// or postgresql://',
    { 'ask.jsonl': lines({ question: 'a', query: 'SELECT 1' }) },
  ],
  [
    'a server that is not there',
    live('--connection', 'postgres://u:secret@127.0.0.1:1/x', '--examples', 'ask.jsonl'),
    'postgres://u@127.0.0.1:1/x: the server can’t be reached',
    { 'ask.jsonl': lines({ question: 'a', query: 'SELECT 1' }) },
  ],
  [
    'an address without a database',
    live('--connection', 'postgres://127.0.0.1:1', '--examples', 'ask.jsonl'),
    'postgres://127.0.0.1:1/: the server can’t be reached',
    { 'ask.jsonl': lines({ question: 'a', query: 'SELECT 1' }) },
  ],
];

const csv = (
  tables: Readonly<Record<string, unknown>>,
  questions: unknown = 'question,query\nWhich?,SELECT name FROM item\n',
) => ({
  ...Object.fromEntries(Object.entries(tables).map(([name, content]) => [`tables/${name}`, content])),
  'ask.csv': questions,
});
const ITEMS = 'item id,name\n1,pot\n2,cup\n';
const CSV_RUN = ['augment', ...CSV_DATA, ...W2V, ...OUT];
const CSV: readonly Row[] = [
  ['no tables', CSV_RUN, 'tables: this is no folder that can be read', { 'ask.csv': 'question,query\na,SELECT 1\n' }],
  [
    'a folder without tables',
    CSV_RUN,
    'tables: no .csv or .tsv files in the folder or its sub-folders',
    csv({ 'readme.md': 'x' }),
  ],
  ['an empty table', CSV_RUN, 'tables/item.csv: the file is empty', csv({ 'item.csv': '' })],
  ['two columns of one name', CSV_RUN, null, csv({ 'item.csv': 'name,name\n1,2\n' })],
  [
    'a row that is too long',
    CSV_RUN,
    'tables/item.csv:2: this is not CSV with one record per row',
    csv({ 'item.csv': 'item id,name\n1,2,3\n' }),
  ],
  [
    'a quote that is not closed',
    CSV_RUN,
    'tables/item.csv:2: this is not CSV with one record per row',
    csv({ 'item.csv': 'item id,name\n1,"pot\n' }),
  ],
  ['a table in UTF-16', CSV_RUN, 'tables/item.csv: the file is not UTF-8 text', csv({ 'item.csv': utf16(ITEMS) })],
  [
    'bytes',
    CSV_RUN,
    'tables/item.csv: the file is not UTF-8 text',
    csv({ 'item.csv': Buffer.from([0, 255, 254, 0, 200, 13]) }),
  ],
  [
    'a table in Latin-1',
    CSV_RUN,
    'tables/item.csv: the file is not UTF-8 text',
    csv({ 'item.csv': Buffer.from('item id,name\n1,caf\xe9\n', 'latin1') }),
  ],
  ['a header of empty names', CSV_RUN, null, csv({ 'item.csv': ',\n1,2\n' })],
  ['a table twice by case', CSV_RUN, 'two tables are called', csv({ 'item.csv': ITEMS, 'ITEM.csv': ITEMS })],
  [
    'questions without a query',
    CSV_RUN,
    'ask.csv, ask:0: field "query" is missing',
    csv({ 'item.csv': ITEMS }, 'question\na\n'),
  ],
  [
    'questions with two columns of one name',
    CSV_RUN,
    'ask.csv, header: two columns are called "query"',
    csv({ 'item.csv': ITEMS }, 'question,query,query\na,b,c\n'),
  ],
  ['no questions', CSV_RUN, 'ask.csv: the file holds no questions', csv({ 'item.csv': ITEMS }, '')],
  ['a header alone', CSV_RUN, null, csv({ 'item.csv': 'item id,name\n' })],
  ['semicolons', CSV_RUN, null, csv({ 'item.csv': ITEMS.replaceAll(',', ';') })],
  ['a byte order mark and CRLF', CSV_RUN, null, csv({ 'item.csv': `\uFEFF${ITEMS.replaceAll('\n', '\r\n')}` })],
  ['a cell of a megabyte', CSV_RUN, null, csv({ 'item.csv': `${ITEMS}3,${'x'.repeat(1 << 20)}\n` })],
];

const shop = (sql: string, query: string): Readonly<Record<string, unknown>> => ({
  'shop.sqlite': database(
    `CREATE TABLE item(item_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'pot'); ${sql}`,
  ),
  'ask.jsonl': lines({ question: 'Which items are there?', query }),
});
const VIEW_RUN = ['augment', ...SQLITE_DATA, ...W2V, ...OUT];
const ENDLESS = 'WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT x FROM a';
const VIEWS: readonly Row[] = [
  ['a view over no table', VIEW_RUN, null, shop('CREATE VIEW v AS SELECT * FROM gone', 'SELECT name FROM item')],
  ['a gold on a view over no table', VIEW_RUN, null, shop('CREATE VIEW v AS SELECT * FROM gone', 'SELECT name FROM v')],
  [
    'views in a circle',
    VIEW_RUN,
    null,
    shop('CREATE VIEW v AS SELECT * FROM w; CREATE VIEW w AS SELECT * FROM v', 'SELECT name FROM item'),
  ],
  [
    'a view with one name twice',
    VIEW_RUN,
    null,
    shop('CREATE VIEW v AS SELECT name, name FROM item', 'SELECT name FROM v'),
  ],
  [
    'a view without end',
    ['suite', 'build', ...SQLITE_DATA, '--random-databases', '1', ...OUT],
    null,
    shop(`CREATE VIEW v AS ${ENDLESS}`, 'SELECT name FROM item'),
  ],
  [
    'views alone',
    VIEW_RUN,
    null,
    { ...shop('', 'SELECT a FROM v'), 'shop.sqlite': database("CREATE VIEW v AS SELECT 1 AS a, 'x' AS b") },
  ],
  [
    'a view of a thousand columns',
    VIEW_RUN,
    null,
    shop(
      `CREATE VIEW v AS SELECT ${Array.from({ length: 1000 }, (_, i) => `name AS c${i}`).join()} FROM item`,
      'SELECT c7 FROM v',
    ),
  ],
  [
    'a trigger that calls what is not there',
    VIEW_RUN,
    null,
    shop('CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT missing(NEW.name); END', 'SELECT name FROM item'),
  ],
];

const made = (schemas: readonly unknown[], ...examples: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  'tables.json': schemas,
  'dev.json': examples,
});
const MADE_RUN = ['augment', ...SYNTHETIC, ...W2V, ...OUT];
const SYNTHETIC_CASES: readonly Row[] = [
  [
    'a key onto itself',
    MADE_RUN,
    null,
    made(
      [schema('x', ['thing id', 'name'], { primary_keys: [1], foreign_keys: [[1, 1]] })],
      own('x', 'SELECT `name` FROM thing'),
    ),
  ],
  [
    'keys in a circle',
    MADE_RUN,
    null,
    made(
      [
        schema('x', ['a', 'b'], {
          primary_keys: [1, 2],
          foreign_keys: [
            [1, 2],
            [2, 1],
          ],
        }),
      ],
      own('x', 'SELECT a FROM thing'),
    ),
  ],
  [
    'a condition that nothing meets',
    MADE_RUN,
    null,
    made([schema('x', ['name', 'size'])], own('x', "SELECT name FROM thing WHERE size = 'a' AND size = 'b'")),
  ],
  [
    'names in quotes and keywords',
    MADE_RUN,
    null,
    made([schema('x', ['se"lect', 'from', "o'clock"])], own('x', 'SELECT "from" FROM thing')),
  ],
  [
    'one name twice by case',
    MADE_RUN,
    'tables.json, x: two columns of table "thing" are called "NAME"',
    made([schema('x', ['name', 'NAME'])], own('x', 'SELECT name FROM thing')),
  ],
  [
    'a table without columns',
    MADE_RUN,
    'tables.json, x: field "column_names" is wrong: at least 2 items are expected',
    made([schema('x', [])], own('x', 'SELECT * FROM thing')),
  ],
  ['empty names', MADE_RUN, null, made([schema('x', ['', 'name'])], own('x', 'SELECT name FROM thing'))],
  [
    'a name of NUL',
    MADE_RUN,
    'tables.json, x: "na\\u0000me" holds NUL, which no SQL can name',
    made([schema('x', ['na\u0000me', 'size'])], own('x', 'SELECT size FROM thing')),
  ],
  [
    'an id that leads out',
    MADE_RUN,
    'tables.json, ../x: the id "../x" can\'t be the name of a folder',
    made([schema('../x', ['name'])], own('../x', 'SELECT name FROM thing')),
  ],
  [
    'a limit of many rows',
    MADE_RUN,
    null,
    made([schema('x', ['name'])], own('x', 'SELECT name FROM thing LIMIT 999999999999')),
  ],
  [
    'a schema of fifteen hundred columns',
    MADE_RUN,
    null,
    made(
      [
        schema(
          'x',
          Array.from({ length: 1500 }, (_, i) => `part ${i}`),
        ),
      ],
      own('x', 'SELECT `part 7` FROM thing'),
    ),
  ],
];

/** PostgreSQL’s golds and servers, tables as CSV, views, synthetic databases. */
export const DATA_SETS: readonly BadInput[] = [
  ...group('PostgreSQL', POSTGRESQL),
  ...group('CSV', CSV),
  ...group('views', VIEWS),
  ...group('synthetic databases', SYNTHETIC_CASES),
];

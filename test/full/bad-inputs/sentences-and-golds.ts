import { EXAMPLE_DATA } from '../../e2e/example-data.js';
import {
  TABLES,
  DEV,
  FIRST,
  DATA,
  BARE,
  OWN,
  OUT,
  DATABASES,
  lines,
  asked,
  utf16,
  group,
  type BadInput,
  type Row,
} from './bad-input.js';

const LONE = '\ud83d';

const COMPOSE: readonly Row[] = [
  ['annotations that are not there', ['--annotations', 'ss.json'], 'ss.json: the file can’t be read'],
  ['annotations that are not JSON', ['--annotations', 'ss.json'], 'ss.json:1: this is not JSON', { 'ss.json': '[{' }],
  [
    'annotations that are no list',
    ['--annotations', 'ss.json'],
    'ss.json: the record is wrong: a list is expected, not an object',
    { 'ss.json': { a: 1 } },
  ],
  [
    'annotations of fewer questions',
    ['--annotations', 'ss.json'],
    'ss.json, dev:0: there is no annotation for this example',
    { 'ss.json': [] },
  ],
  [
    'annotations without fields',
    ['--annotations', 'ss.json'],
    'ss.json: field "0.db_id" is missing',
    { 'ss.json': DEV.map(() => ({})) },
  ],
  [
    'annotations in UTF-16',
    ['--annotations', 'ss.json'],
    'ss.json: the file is not UTF-8 text',
    { 'ss.json': utf16('[]') },
  ],
  ['a folder for annotations', ['--annotations', '.'], '.: the file can’t be read'],
  ['no depth', ['--depth', '0'], 'option --depth is wrong: a number above 0 is expected'],
  ['a word for a depth', ['--depth', 'deep'], 'option --depth is wrong: a whole number is expected'],
  ['a level of hardness that there is not', ['--hardness', 'easy=1,trivial=2'], '"trivial=2" is no part of a hardness'],
  ['hardness without numbers', ['--hardness', 'easy=much'], '"easy=much" is no part of a hardness'],
  ['a test share above one', ['--test-share', '2'], 'option --test-share is wrong: Too big: expected number to be <1'],
  ['a negative budget', ['--budget', '-1'], 'option --budget is wrong: a number above 0 is expected'],
  ['a seed that is no whole number', ['--seed', '1.5'], 'option --seed is wrong: a whole number is expected'],
].map(([name, more, refusal, files]) => [
  name as string,
  ['compose', ...DATA, ...(more as string[]), ...OUT],
  refusal as string,
  (files ?? {}) as Readonly<Record<string, unknown>>,
]);

const COMPOSE_DATA: readonly Row[] = [
  ['golds that are no SQL alone', ['compose', ...OWN, ...OUT], null, { 'dev.json': asked('SELEC 1', '((') }],
  [
    'questions without golds',
    ['compose', ...OWN, ...OUT],
    'dev.json, dev:0: field "query" is missing',
    { 'dev.json': [{ db_id: FIRST['db_id'], question: 'a?' }] },
  ],
  [
    'a file for its folder',
    ['compose', ...DATA, ...OUT],
    "out: ENOTDIR: not a directory, scandir 'out'",
    { out: 'mine' },
  ],
  [
    'a folder of something else',
    ['compose', ...DATA, ...OUT],
    'out: the folder is not empty and holds no run',
    { 'out/thesis.txt': 'mine' },
  ],
  [
    'an empty database',
    ['compose', ...BARE, '--databases', 'db', ...OUT],
    'db/community_garden/community_garden.sqlite, community_garden: the database file is empty',
    Object.fromEntries(TABLES.map(({ db_id: id }) => [`db/${String(id)}/${String(id)}.sqlite`, ''])),
  ],
  [
    'a database that is none',
    ['compose', ...BARE, '--databases', 'db', ...OUT],
    'db/community_garden/community_garden.sqlite, community_garden: the file can’t be read as a SQLite database',
    { 'db/community_garden/community_garden.sqlite': 'this is no database at all, only a text' },
  ],
  ['one question', ['compose', ...OWN, ...DATABASES, ...OUT], null, { 'dev.json': [FIRST] }],
];

const split = (questions: unknown): Readonly<Record<string, unknown>> => ({ 'q.jsonl': questions });
const SPLIT = ['split', '--questions', 'q.jsonl', '--tables', EXAMPLE_DATA.tables];
const SPLIT_CASES: readonly Row[] = [
  ['no questions', ['split'], 'option --questions is missing'],
  ['questions that are not there', SPLIT, 'q.jsonl: the file can’t be read'],
  [
    'a folder for questions',
    ['split', '--questions', '.', '--tables', EXAMPLE_DATA.tables],
    '.: the file can’t be read',
  ],
  ['a line that is not JSON', SPLIT, 'this is not JSON', split('{"question": "a"}\n{"question"\n')],
  ['a line without a question', SPLIT, 'field "question" is missing', split(lines({ id: 'a' }))],
  [
    'a number for a question',
    SPLIT,
    'field "question" is wrong: text is expected, not a whole number',
    split(lines({ question: 7 })),
  ],
  ['questions in UTF-16', SPLIT, 'is not UTF-8 text', split(utf16('{"question": "a"}\n'))],
  [
    'half of a character',
    SPLIT,
    'holds half of a surrogate pair, which is no character',
    split(lines({ question: `Who ${LONE}?` })),
  ],
  [
    'a database that tables lack',
    SPLIT,
    'there is no schema of database "x"',
    split(lines({ db_id: 'x', question: 'a' })),
  ],
  [
    'tables that are none',
    ['split', '--questions', 'q.jsonl', '--tables', 't.json'],
    't.json:1: this is not JSON',
    { ...split(lines({ question: 'a' })), 't.json': '{' },
  ],
  ['a list', SPLIT, 'q.jsonl', split(lines(['a']))],
  ['an empty question', SPLIT, null, split(lines({ question: '' }, { question: '  ' }))],
  ['a question of signs', SPLIT, null, split(lines({ question: '?!… \u0000 🌱\t' }))],
  ['a question of many words', SPLIT, null, split(lines({ question: 'which ships that sail '.repeat(500) }))],
];

const audit = (...more: readonly string[]): readonly string[] => ['audit', ...DATA, ...more];
const ownAudit = (...more: readonly string[]): readonly string[] => ['audit', ...OWN, ...DATABASES, ...more];
const AUDIT: readonly Row[] = [
  ['too few predictions', audit('--predictions', 'p.sql'), null, { 'p.sql': 'SELECT 1\n' }],
  ['too many predictions', audit('--predictions', 'p.sql'), null, { 'p.sql': 'SELECT 1\n'.repeat(99) }],
  ['predictions that are not there', audit('--predictions', 'p.sql'), 'p.sql: the file can’t be read'],
  ['a folder for predictions', audit('--predictions', '.'), '.: the file can’t be read'],
  ['a class that there is not', audit('--fail-on', 'ugly'), 'option --fail-on is wrong: there is no class "ugly"'],
  [
    'a repair into a folder of something else',
    audit('--repair', 'mine'),
    'option --repair: mine is not empty',
    { 'mine/thesis.txt': 'mine' },
  ],
  [
    'a repair onto a file',
    audit('--repair', 'mine'),
    "mine: ENOTDIR: not a directory, scandir 'mine'",
    { mine: 'mine' },
  ],
  ['a report onto a file', audit('--out', 'mine'), "mine: EEXIST: file already exists, mkdir 'mine'", { mine: 'mine' }],
  ['no time', audit('--timeout', '0'), 'option --timeout is wrong: a number above 0 is expected'],
  ['a word for a time', audit('--timeout', 'soon'), 'option --timeout is wrong: a whole number is expected'],
  [
    'databases that are not there',
    ['audit', ...BARE, '--databases', 'nowhere'],
    'nowhere, community_garden: there is no database file',
  ],
  ['no data', ['audit'], 'data set format spider needs --tables and --examples'],
  [
    'a folder of databases of others',
    ['audit', ...BARE, '--databases', 'db'],
    'db, community_garden: there is no database file',
    { 'db/x/x.sqlite': '' },
  ],
  ['golds that write', ownAudit(), null, { 'dev.json': asked('DROP TABLE gardener', 'DELETE FROM plot') }],
  [
    'a gold that never ends',
    ownAudit('--timeout', '1'),
    null,
    { 'dev.json': asked('WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a') },
  ],
  [
    'several statements and signs',
    ownAudit(),
    null,
    { 'dev.json': asked('SELECT 1; SELECT 2', 'SELECT "a\u0000b"', ';') },
  ],
  [
    'golds of a million characters',
    ownAudit(),
    null,
    { 'dev.json': asked(`SELECT '${'x'.repeat(1 << 20)}' FROM plot`) },
  ],
];

/** Of `compose`, `split` and `audit`. */
export const SENTENCES_AND_GOLDS: readonly BadInput[] = [
  ...group('compose', [...COMPOSE, ...COMPOSE_DATA]),
  ...group('split', SPLIT_CASES),
  ...group('audit', AUDIT),
];

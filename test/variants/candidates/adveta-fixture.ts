import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatasetPaths, PATH_DEFAULTS } from '../../../src/formats/dataset.js';
import { question as squallQuestion, TABLE } from '../../formats/squall/squall-fixture.js';

const lines = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Three tables in WikiSQL's form, made by us; the first two have one header. */
const INNS = {
  id: '1-77-1',
  page_title: 'Inns of the valley',
  header: ['Inn', 'Owner/Host', 'Area (m²)'],
  types: ['text', 'text', 'real'],
  rows: [
    ['Red Ox', 'Ann', 120],
    ['Fox Den', 'Bert', 80],
    ['Old Mill', 'Cora', 95],
  ],
};
const HILL_INNS = { ...INNS, id: '1-77-2', page_title: 'Inns of the hills' };
const BOATS = {
  id: '2-5-9',
  page_title: 'Boats',
  header: ['Boat', 'Built'],
  types: ['text', 'real'],
  rows: [
    ['Swan', 1990],
    ['Heron', 1985],
  ],
};

const asked = (table_id: string, question: string, sel: number, conds: readonly unknown[], agg = 0): object => ({
  phase: 1,
  table_id,
  question,
  sql: { sel, conds, agg },
});

const WIKISQL_QUESTIONS = [
  asked(INNS.id, 'Which inn has the owner/host Ann?', 0, [[1, 0, 'Ann']]),
  asked(INNS.id, 'Which inn has the owner/host Bert?', 0, [[1, 0, 'Bert']]),
  asked(INNS.id, 'What is the area of the inn Fox Den?', 2, [[0, 0, 'Fox Den']]),
  asked(INNS.id, 'What is the area of the inn Red Ox?', 2, [[0, 0, 'Red Ox']]),
  asked(HILL_INNS.id, 'Who is the owner/host of the inn Old Mill?', 1, [[0, 0, 'Old Mill']]),
  asked(HILL_INNS.id, 'Who is the owner/host of the inn Fox Den?', 1, [[0, 0, 'Fox Den']]),
  asked(BOATS.id, 'Which boat was built 1985?', 0, [[1, 0, 1985]]),
];

/** A small data set in WikiSQL's form in a folder. */
export function writeWikiSql(folder: string): DatasetPaths & { readonly tables: string; readonly examples: string } {
  const paths = { tables: join(folder, 'dev.tables.jsonl'), examples: join(folder, 'dev.jsonl') };
  writeFileSync(paths.tables, lines([INNS, HILL_INNS, BOATS]));
  writeFileSync(paths.examples, lines(WIKISQL_QUESTIONS));
  return { ...PATH_DEFAULTS, dataset: 'wikisql', ...paths };
}

/** A small data set in SQUALL's form in a folder; without `withSql` as its test file is. */
export function writeSqualls(folder: string, withSql = true): DatasetPaths & { readonly examples: string } {
  mkdirSync(join(folder, 'json'), { recursive: true });
  writeFileSync(join(folder, 'json/204_590.json'), JSON.stringify(TABLE));
  const all = [
    ['nt-1', "select c1 from w where c2 = 'red_ox'", 'what year had the red ox ?'],
    ['nt-2', "select c1 from w where c2 = 'total'", 'what year had the total ?'],
    ['nt-3', "select c3 from w where c2 = 'red_ox'", 'how many guests had the red ox ?'],
    ['nt-4', "select c3 from w where c2 = 'total'", 'how many guests had the total ?'],
    ['nt-5', 'select c2 from w order by c3_number desc limit 1', 'which name of the inn had most guests ?'],
  ] as const;
  const records = all.map(([nt, sql, nl]) => {
    const { sql: tokens, ...rest } = squallQuestion(nt, sql, { nl: nl.split(' ') });
    return withSql ? { ...rest, sql: tokens } : rest;
  });
  const examples = join(folder, withSql ? 'squall.json' : 'squall-test.json');
  writeFileSync(examples, JSON.stringify(records));
  return { ...PATH_DEFAULTS, dataset: 'squall', tables: join(folder, 'json'), examples };
}

type Dict = Readonly<Record<string, readonly string[]>>;
type TableFields = Readonly<Record<string, unknown>>;

/** A file of a release: `{table_id: {header, …, dict}}`. */
export function release(tables: Readonly<Record<string, readonly [TableFields, Dict]>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(tables).map(([id, [fields, dict]]) => [id, { ...fields, table_id: id, dict }])),
  );
}

const INN_HEADER = ['inn', 'owner/host', 'area (m 2 )'];

/** As the release writes headers: in lower case, in one of the two files without marks. */
const RPL = release({
  WSQL_0: [
    { header: INN_HEADER, id: INNS.id },
    { inn: ['tavern', 'hostelry'], 'area (m 2 )': ['size', ' '] },
  ],
  WSQL_2: [{ header: INN_HEADER, id: HILL_INNS.id }, { 'owner/host': ['landlord'] }],
  WSQL_4: [{ header: ['ship', 'built'], id: '2-5-77' }, { ship: ['vessel'] }],
  WSQL_6: [
    { header: ['boat', 'built', 'crew'], id: BOATS.id },
    { built: ['made'], crew: [] },
  ],
});
const ADD = release({
  WSQL_0: [{ header: ['inn', 'owner host', 'area m 2'], id: INNS.id }, { 'owner host': ['former owner', 'cook'] }],
  WSQL_6: [
    { header: ['boat', 'built', 'crew'], id: BOATS.id },
    { boat: ['harbor'], crew: ['captain'] },
  ],
});

/** Lists for those tables, for one that the data set lacks, and for a column that it lacks. */
export function writeWikiSqlRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wikisql-rpl-candidates.json'), RPL);
  writeFileSync(join(folder, 'wikisql-add-candidates.json'), ADD);
  return `adveta:${folder}`;
}

const WTQ_HEADER = ['year', 'name of the inn', 'guests', 'dishes', '#!', 'year number'];

/** Lists for the table of SQUALL, which they call by its file in WikiTableQuestions. */
export function writeWtqRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const fields = { header: WTQ_HEADER, id: 'csv/204-csv/590.csv' };
  const rpl = {
    year: ['season'],
    'name of the inn': ['tavern'],
    guests: ['visitors'],
    'year number': ['annual count'],
  };
  writeFileSync(join(folder, 'wtq-rpl-candidates.json'), release({ WTQ_0: [fields, rpl] }));
  const add = { 'name of the inn': ['owner of the inn'], guests: ['staff'] };
  writeFileSync(join(folder, 'wtq-add-candidates.json'), release({ WTQ_0: [fields, add] }));
  return `adveta:${folder}`;
}

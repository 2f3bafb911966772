import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type MeasuredSet, measureSet } from '../../bench/datasets/measure-set.js';
import type { ShippedSet } from '../../bench/datasets/shipped-sets.js';
import { EXAMPLE_DATA, type JsonRecord, readRecords } from './example-data.js';
import { BINARY, makeTempFolder } from './run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const records = readRecords(EXAMPLE_DATA.examples);
const recordsAt = (...positions: readonly number[]): JsonRecord[] => positions.map((at) => records[at]!);
const turnOf = ({ question, query }: JsonRecord): JsonRecord => ({ utterance: question, query });

/** An interaction on one database: its turns, the last of which is its goal. */
function dialogue(...positions: readonly number[]): JsonRecord {
  const turns = recordsAt(...positions);
  const final = turns.at(-1)!;
  return { database_id: final['db_id'], interaction: turns.map(turnOf), final: turnOf(final) };
}

/** Two questions on two columns, the same in all sets: what the judge says of them is scored once. */
const ASKED = [0, 7];

const BIRD = recordsAt(...ASKED).map(({ db_id, question, query }, question_id) => {
  return { question_id, db_id, question, evidence: '', SQL: query, difficulty: 'simple' };
});

const WIKISQL_TABLE = {
  id: '1-100-1',
  page_title: 'List of bridges',
  header: ['Bridge name', 'Country', 'Length (m)'],
  types: ['text', 'text', 'real'],
  rows: [
    ['Long Bridge', 'Norway', 812],
    ['Old Bridge', 'Portugal', 97],
  ],
};
const WIKISQL = [
  {
    table_id: WIKISQL_TABLE.id,
    question: 'Which bridge is in Norway?',
    sql: { sel: 0, agg: 0, conds: [[1, 0, 'Norway']] },
  },
  {
    table_id: WIKISQL_TABLE.id,
    question: 'What is the longest length in Portugal?',
    sql: { sel: 2, agg: 1, conds: [[1, 0, 'Portugal']] },
  },
];

const lines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join('');
const schemas = JSON.stringify(readRecords(EXAMPLE_DATA.tables));

/** Small sets of our own in the layouts of published ones, none with databases: their questions. */
const SETS: Readonly<Record<string, { readonly dataset?: string; readonly tables?: string; readonly text: string }>> = {
  bird: { dataset: 'bird', text: JSON.stringify(BIRD) },
  sparc: { dataset: 'sparc', text: JSON.stringify([dialogue(...ASKED)]) },
  wikisql: { dataset: 'wikisql', tables: lines([WIKISQL_TABLE]), text: lines(WIKISQL) },
};

/** What is evaluated of interactions are their turns. */
const TURNS = 2;

async function measure(name: string): Promise<MeasuredSet> {
  const { dataset, tables = schemas, text } = SETS[name]!;
  const folder = join(temp.path, name);
  mkdirSync(folder);
  const kind = dataset === 'wikisql' ? 'jsonl' : 'json';
  const write = (file: string, content: string): string => {
    writeFileSync(join(folder, file), content);
    return file;
  };
  const set: ShippedSet = {
    title: name,
    ...(dataset === undefined ? {} : { dataset }),
    tables: write(`tables.${kind}`, tables),
    examples: write(`dev.${kind}`, text),
    isSynthetic: true,
    // Goals of interactions are not evaluated.
    ...(dataset === 'sparc' ? { gold: write('gold.sql', goldLines(text)) } : {}),
  };
  process.env['PERTURBQL_CACHE'] = join(temp.path, 'cache');
  return measureSet(set, folder, join(folder, 'runs'), { main: BINARY, tell: () => undefined });
}

/** The queries of the turns. */
function goldLines(text: string): string {
  const [only] = JSON.parse(text) as [{ database_id: string; interaction: { query: string }[] }];
  return only.interaction.map(({ query }) => `${query}\t${only.database_id}\n`).join('');
}

describe('a data set without databases', () => {
  it.each(Object.keys(SETS))(
    'goes through candidates, augment, verify, mutate and evaluate: %s',
    async (name) => {
      const found = await measure(name);
      expect(found).toMatchObject({ bound: found.examples, unread: 0, evaluated: TURNS, correct: TURNS });
      expect(found.variants).toBeGreaterThan(0);
      expect([found.executed, found.equal]).toEqual([found.variants, found.variants]);
      expect(found.nonEmpty).toBeGreaterThan(0);
      expect(found.mutants).toBeGreaterThan(0);
    },
    240_000,
  );
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError, InputFormatError } from '../../../src/errors.js';
import { evaluate } from '../../../src/evaluate/evaluate.js';
import type { EvaluateOptions } from '../../../src/evaluate/evaluate-options.js';
import { buildSuite } from '../../../src/testsuite/suite/build-suite.js';
import { rejectionOf } from '../../error-of.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-virtual-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const LARGE = 'SELECT town_name FROM town WHERE population > 800000';
const GOLDS = [
  "SELECT author FROM notes WHERE notes MATCH 'second'",
  'SELECT id FROM places WHERE min_x > 3',
  'SELECT body FROM read_notes',
  LARGE,
];

beforeAll(async () => {
  mkdirSync(at('db'));
  const sqlite = new Sqlite(at('db/searched.sqlite'));
  sqlite.exec(`
    CREATE TABLE town (town_id INTEGER PRIMARY KEY, town_name TEXT, population INTEGER);
    CREATE VIRTUAL TABLE notes USING fts5 (body, author);
    CREATE VIRTUAL TABLE places USING rtree (id, min_x, max_x);
    CREATE VIEW read_notes AS SELECT body FROM notes;
    INSERT INTO town VALUES (1, 'Oslo', 700000), (2, 'Lima', 9000000);
    INSERT INTO notes VALUES ('the first note', 'Ann'), ('the second', 'Bob');
    INSERT INTO places VALUES (1, 0, 2), (2, 5, 6);`);
  sqlite.close();
  const examples = GOLDS.map((query) => ({ db_id: 'searched', question: query, query }));
  writeFileSync(at('dev.json'), JSON.stringify(examples));
  writeFileSync(at('pred.sql'), [...GOLDS.slice(0, 3), 'SELECT town_name FROM town', ''].join('\n'));
  const budget = { randomDatabases: 4, targetedDatabases: 0, redundancy: 2, allRound: 0 };
  const data = { dataset: 'sqlite', tables: null, examples: at('dev.json'), databases: at('db') } as const;
  await buildSuite({ ...data, connection: null, out: at('suite'), jobs: 1, budget });
});

const judged = (more: Partial<EvaluateOptions> = {}) =>
  evaluate({
    dataset: 'sqlite',
    examples: at('dev.json'),
    databases: at('db'),
    predictions: at('pred.sql'),
    suite: at('suite'),
    metrics: ['execution', 'suite'],
    jobs: 1,
    ...more,
  });

it('names the virtual table that an unread gold query reads, also behind a view', () => {
  const { unread } = JSON.parse(readFileSync(at('suite/schemas/searched.json'), 'utf8')) as {
    unread: readonly { readonly reason: string; readonly virtualTable?: string }[];
  };
  expect(unread.map(({ virtualTable }) => virtualTable)).toEqual(['notes', 'places', 'notes']);
  expect(unread.map(({ reason }) => reason)).toEqual(
    ['notes', 'places', 'notes'].map((name) => `it reads the virtual table ${name}, which suites do not hold`),
  );
});

it('leaves gold queries that read virtual tables out by name, without a flag', async () => {
  const { gold, notes, suite, execution } = await judged();
  expect(notes).toEqual([
    '3 gold queries are left out by every metric: suites hold no virtual tables (dev:0 reads notes, dev:1 reads places, dev:2 reads notes)',
  ]);
  expect(gold?.queries).toBe(1);
  expect(suite?.outcomes).toMatchObject({ wrong: 1, 'bad-gold': 0 });
  expect(execution?.pairs).toBe(1);
});

it('judges all of them where no suite is asked', async () => {
  const { gold, notes, execution } = await judged({ suite: null, metrics: ['execution'] });
  expect([gold?.queries, notes, execution?.outcomes.correct]).toEqual([4, undefined, 3]);
});

it('explains by the position in the file of predictions, and says what is left out', async () => {
  const { explained } = await judged({ explain: '3' });
  expect(explained?.id).toBe('dev:3');
  const { message } = await rejectionOf(ConfigError, () => judged({ explain: 'dev:1' }));
  expect(message).toContain('dev:1 is left out, as it reads the virtual table places');
});

it('still refuses gold that fails for another reason', async () => {
  writeFileSync(
    at('bad.json'),
    JSON.stringify([{ db_id: 'searched', question: 'Who?', query: 'SELECT no FROM town' }]),
  );
  writeFileSync(at('bad.sql'), `${LARGE}\n`);
  await rejectionOf(InputFormatError, () => judged({ examples: at('bad.json'), predictions: at('bad.sql') }));
});

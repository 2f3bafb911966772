import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { createFuzzer } from '../../src/rows/fuzz/fuzzer.js';
import { detectNamingStyle, styledIdentifier } from '../../src/schema/naming-style.js';
import type { Database } from '../../src/schema/schema.js';
import { quoteIdentifier } from '../../src/sql/dialect.js';
import { openUntouched } from '../../src/sql/execution/open-untouched.js';
import { QueryRunner } from '../../src/sql/execution/query-runner.js';
import {
  adversarialNames,
  type NameSource,
  sweepDatabase,
  SweepTally,
  type SweepVariant,
} from '../../bench/sql/gold-sweep.js';

// `npm run check:full` sets PERTURBQL_FULL: every database, five seeds. Without it, a subset.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const SPIDER = '../shared/data/spider';
const SEEDS = FULL ? [0, 1, 2, 3, 4] : [0];

const corpusNames = [
  ...new Set(
    readFileSync('data/wdc-index/tables.jsonl', 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { columns: string[] }).columns),
  ),
];

/** Column names of the corpus at random, in the style of the schema: the quick recipe. */
const quickNames: NameSource = (database, rng) => {
  const [column] = database.tables[0]!.columns;
  const style = detectNamingStyle(column!) ?? 'snake_case';
  return () => styledIdentifier(corpusNames[rng.int(corpusNames.length)]!, style);
};

const VARIANTS: Readonly<Record<string, readonly SweepVariant[]>> = Object.fromEntries(
  Object.entries({ quick: quickNames, adversarial: adversarialNames }).flatMap(([label, names]) =>
    (['RPL', 'ADD'] as const).map((kind) => [
      `${kind}, ${label} names`,
      SEEDS.map((seed): SweepVariant => ({ kind, seed, names })),
    ]),
  ),
);

interface SweptDatabase {
  readonly database: Database;
  readonly file: string;
  readonly queries: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'perturbql-full-'));
const runner = new QueryRunner();
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Databases with their gold queries, from Spider's gold file: query, tab, db_id. */
function loadSwept(tables: string, gold: string, databases: string): readonly SweptDatabase[] {
  const schemas = loadSpiderTables(tables);
  const queries = new Map<string, string[]>();
  for (const line of readFileSync(gold, 'utf8').trimEnd().split('\n')) {
    const [query, id] = line.split('\t').map((part) => part.trim()) as [string, string];
    queries.set(id, [...(queries.get(id) ?? []), query]);
  }
  return [...queries].flatMap(([id, list]) => {
    const file = sqlitePath(databases, id);
    return existsSync(file) ? [{ database: schemas.get(id)!, file, queries: list }] : [];
  });
}

function hasEmptyTables(file: string): boolean {
  const sqlite = openUntouched(file);
  try {
    const names = sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
      .pluck()
      .all() as string[];
    return names.some((name) => sqlite.prepare(`SELECT 1 FROM ${quoteIdentifier(name)}`).get() === undefined);
  } finally {
    sqlite.close();
  }
}

/** Those that have tables without rows, as copies of which every table has rows and every query some to find. */
function filled(swept: readonly SweptDatabase[]): readonly SweptDatabase[] {
  return swept
    .filter(({ file }) => hasEmptyTables(file))
    .map(({ database, file, queries }) => {
      const fuzzer = createFuzzer({ database, file }, queries);
      const orders = queries.map((sql) => ({ sql, turn: 0, batches: [2], hasBare: true, repeats: false }));
      const sqlite = fuzzer.materialize(fuzzer.withWitnesses(0, orders, 'usual'));
      const copy = join(folder, `${database.id}.sqlite`);
      writeFileSync(copy, sqlite.serialize());
      sqlite.close();
      fuzzer.close();
      return { database, file: copy, queries };
    });
}

async function sweep(swept: readonly SweptDatabase[], variants: readonly SweepVariant[], label: string): Promise<void> {
  const tally = new SweepTally();
  for (const { database, file, queries } of swept) {
    tally.add(await sweepDatabase(runner, database, file, queries, variants));
  }
  const share = ((100 * tally.nonEmpty) / Math.max(1, tally.executed)).toFixed(1);
  process.stdout.write(
    `${label}: ${swept.length} databases, ${tally.executed} executions, ${tally.equal} equal, ${tally.tie} ties, ` +
      `${tally.faults.length} faults, ${share} % with rows; bad gold: ${[...tally.badQueries].join(' | ') || 'none'}\n`,
  );
  expect(tally.faults).toEqual([]);
  // All but results that depend on row order, and gold that is no SQL to SQLite: one query each in Spider's training set.
  expect(tally.equal).toBe(tally.executed - tally.tie);
  expect(tally.tie).toBeLessThanOrEqual(variants.length);
  expect(tally.badQueries.size).toBeLessThanOrEqual(1);
  expect(tally.equal).toBeGreaterThan(0);
}

/** The project's own examples as a gold file. */
function goldOf(examples: string): string {
  const records = JSON.parse(readFileSync(examples, 'utf8')) as { query: string; db_id: string }[];
  const file = join(folder, 'gold.sql');
  writeFileSync(file, records.map(({ query, db_id }) => `${query}\t${db_id}\n`).join(''));
  return file;
}

const LONG = 3_600_000;

describe('gold SQL on databases with every column perturbed', () => {
  const own = loadSwept('examples/tables.json', goldOf('examples/dev.json'), 'examples/database');
  it.each(Object.entries(VARIANTS))('returns what it returned: examples, %s', async (label, variants) => {
    await sweep(own, variants, `examples, ${label}`);
  });
});

const SETS = [
  ['dev', 'dev_gold.sql', ['concert_singer', 'world_1', 'wta_1', 'dog_kennels', 'car_1']],
  ['train', 'train_gold.sql', ['hr_1', 'music_2', 'csu_1']],
] as const;

describe.skipIf(!existsSync(SPIDER))('Spider’s gold SQL (skipped where ../shared/data is absent)', () => {
  describe.each(SETS)('of %s', (set, gold, subset) => {
    const load = (): readonly SweptDatabase[] =>
      loadSwept(join(SPIDER, 'tables.json'), join(SPIDER, gold), join(SPIDER, 'database')).filter(
        ({ database }) => FULL || subset.some((id) => id === database.id),
      );

    it.each(Object.entries(VARIANTS))(
      'returns what it returned: %s',
      (label, variants) => sweep(load(), variants, `${set}, ${label}`),
      LONG,
    );

    it.each(Object.entries(VARIANTS))(
      'returns what it returned where databases with empty tables have rows: %s',
      (label, variants) => sweep(filled(load()), variants, `${set} filled, ${label}`),
      LONG,
    );
  });
});

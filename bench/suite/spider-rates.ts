import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputFormatError } from '../../src/errors.js';
import { loadNeededSchemas } from '../../src/evaluate/inputs/paired-files.js';
import { readGoldQueries, type GoldQuery } from '../../src/evaluate/inputs/gold-queries.js';
import type { Database } from '../../src/schema/schema.js';
import { executableSql } from '../../src/sql/executable-sql.js';
import { readUntouched } from '../../src/sql/execution/open-untouched.js';
import type { DistillTask } from '../../src/testsuite/distill/distillation.js';
import { createFuzzer } from '../../src/rows/fuzz/fuzzer.js';
import { readColumnFacts, type ColumnFacts } from '../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf } from '../../src/testsuite/neighbors/neighbors.js';
import { SUITE_BUDGET } from '../../src/testsuite/suite/suite-options.js';
import { measureScale } from '../metrics/anchors.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { measureSuite, suiteBytes } from './measured-suite.js';
import { PUBLISHED } from './published.js';

/** How much faster this has to be, and which share of neighbors may be left. */
const GOAL = { rate: 10, left: 0.005 } as const;
const SCHEMA = 'concert_singer';
const SEED = 1;

/** Where the data set is. */
export interface SpiderFiles {
  readonly tables: string;
  readonly gold: string;
  readonly databases: string;
}

interface OpenSpider {
  readonly golds: readonly GoldQuery[];
  readonly schemas: ReadonlyMap<string, Database>;
  readonly facts: ReadonlyMap<string, ColumnFacts>;
  /** The one schema that is distilled: with its file, its distinct golds. */
  readonly one: Pick<DistillTask, 'database' | 'golds' | 'seed'> & { readonly file: string };
}

function factsOf(file: string, database: Database): ColumnFacts {
  if (!existsSync(file)) {
    const fix = 'Give the folder of Spider’s databases with --databases.';
    throw new InputFormatError('the database is not there', { where: { file }, fix });
  }
  return readUntouched(file, (sqlite) => readColumnFacts(sqlite, database));
}

function openSpider({ tables, gold, databases }: SpiderFiles): OpenSpider {
  const golds = readGoldQueries(gold);
  const schemas = loadNeededSchemas(tables, golds);
  const fileOf = (id: string): string => join(databases, id, `${id}.sqlite`);
  const facts = new Map([...schemas].map(([id, database]) => [id, factsOf(fileOf(id), database)]));
  const database = schemas.get(SCHEMA);
  if (database === undefined) {
    const fix = 'Name Spider’s own dev_gold.sql with --gold.';
    throw new InputFormatError(`no query of ${SCHEMA}`, { where: { file: gold }, fix });
  }
  const own = golds.flatMap(({ sql, dbId }) => (dbId === SCHEMA ? [executableSql(sql, database)] : []));
  return { golds, schemas, facts, one: { database, golds: [...new Set(own)], seed: SEED, file: fileOf(SCHEMA) } };
}

/** Where a part says what it found. */
interface Told {
  readonly output: BenchOutput;
  /** For docs/figures/: ours and the published figure by what was measured. */
  readonly figures: [name: string, row: { ours: number; published: number | null; factor?: number }][];
}

/** Ours in a second of CPU, next to the published programs' on this machine; false where it is below the goal. */
function compareRates(name: string, ours: number, published: number, { output: { print }, figures }: Told): boolean {
  const factor = ours / published;
  figures.push([name.replace(/:.*/, ''), { ours, published, factor }]);
  const rate = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 }).padStart(8);
  print(
    `${name.padEnd(44)}${rate(ours)}/s   published, scaled ${rate(published)}/s   ${factor.toFixed(1)} times (goal ${GOAL.rate})`,
  );
  return factor >= GOAL.rate;
}

function compareNeighbors(spider: OpenSpider, scale: number, told: Told): boolean {
  const rateOf = (golds: readonly GoldQuery[]): { readonly count: number; readonly seconds: number } => {
    const start = ownSeconds();
    const count = golds.reduce((sum, { sql, dbId }) => {
      const database = spider.schemas.get(dbId)!;
      const facts = spider.facts.get(dbId)!;
      return sum + neighborsOf(executableSql(sql, database), database, { seed: SEED, facts }).length;
    }, 0);
    return { count, seconds: ownSeconds() - start };
  };
  const [first, all] = [rateOf(spider.golds.slice(0, 200)), rateOf(spider.golds)];
  return [
    { name: 'the first 200', ours: first, published: PUBLISHED.first200 },
    { name: `all ${spider.golds.length}`, ours: all, published: PUBLISHED.all },
  ]
    .map(({ name, ours, published }) =>
      compareRates(
        `neighbors of ${name}: ${ours.count} in ${ours.seconds.toFixed(2)} s`,
        ours.count / ours.seconds,
        published.neighbors / (published.seconds * scale),
        told,
      ),
    )
    .every(Boolean);
}

/**
 * Draws as many random databases as `suite build` does for a schema, and makes SQLite files of them, in memory. What is
 * done once for all of them is no part of the rate, as start-up is none of the published one, and printed with it.
 */
function compareDatabases({ one, facts }: OpenSpider, scale: number, told: Told): boolean {
  const options = { seed: SEED, facts: facts.get(SCHEMA)! };
  const neighbors = one.golds.flatMap((gold) => neighborsOf(gold, one.database, options).map(({ sql }) => sql));
  const start = ownSeconds();
  const fuzzer = createFuzzer(one, [...one.golds, ...neighbors]);
  const ready = ownSeconds();
  const count = SUITE_BUDGET.randomDatabases;
  let bytes = 0;
  for (let seed = 1; seed <= count; seed++) {
    const sqlite = fuzzer.materialize(fuzzer.database(seed));
    bytes += sqlite.serialize().length;
    sqlite.close();
  }
  fuzzer.close();
  const seconds = ownSeconds() - ready;
  const made = `${count} databases of ${SCHEMA}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s`;
  const published = PUBLISHED.databases.count / PUBLISHED.databases.seconds;
  const holds = compareRates(made, count / seconds, published / scale, told);
  told.output.print(`  before them, once for ${neighbors.length} neighbors: ${(ready - start).toFixed(2)} s`);
  return holds;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** How many neighbors the original leaves, and 100 random databases: the first ones of a distillation. */
async function compareLeft({ one }: OpenSpider, { output: { print, tell }, figures }: Told): Promise<boolean> {
  const { count } = PUBLISHED.databases;
  const random = { randomDatabases: count, targetedDatabases: 0, redundancy: 1, allRound: 0 };
  const { schema, neighbors } = await measureSuite({ ...one, budget: random, data: 'observed' }, tell);
  const shareAt = (tried: number): number =>
    (schema.curve.filter((point) => point.tried <= tried).at(-1)?.left ?? neighbors) / neighbors;
  print(`left of ${neighbors} neighbors, ${one.golds.length} queries of ${SCHEMA}:`);
  print(
    `  by the original alone     ${percent(shareAt(0)).padStart(8)}   published ${percent(PUBLISHED.left.original)}`,
  );
  print(
    `  by ${count} random databases   ${percent(shareAt(count)).padStart(8)}   published ${percent(PUBLISHED.left.random)} (goal ${percent(GOAL.left)})`,
  );
  const whole = { ...one, budget: SUITE_BUDGET, data: 'observed' as const };
  const suite = await measureSuite(whole, tell);
  const size = (suiteBytes(whole, suite.schema) / 1000).toFixed(0);
  print(
    `  by the suite              ${percent(suite.left / suite.neighbors).padStart(8)}   ${suite.schema.databases.length} databases, ${size} kB besides the original, ${suite.seconds.toFixed(1)} user s; ${suite.equivalent} more are shown to be equivalent`,
  );
  const { original, random: published } = PUBLISHED.left;
  figures.push(
    ['left by the original alone, %', { ours: 100 * shareAt(0), published: 100 * original }],
    [`left by ${count} random databases, %`, { ours: 100 * shareAt(count), published: 100 * published }],
    ['left by the suite, %', { ours: (100 * suite.left) / suite.neighbors, published: null }],
  );
  return shareAt(count) <= GOAL.left;
}

function figureTable(figures: Told['figures']): FigureTable {
  const rows = figures.map(([what, row]) => [what.replace(/\W+/g, '-').replace(/^-|-$/g, ''), { what, ...row }]);
  return {
    id: 'suite',
    title: 'Making test suites',
    about:
      "Neighbors and random databases of Spider's dev queries per user CPU second, next to the published programs (ruiqi-zhong/TestSuiteEval) scaled " +
      `to this machine by the same Python loop; and the share of neighbors of ${SCHEMA}, without those shown to be equivalent, that is left.`,
    columns: {
      what: { head: 'measured' },
      ours: { head: 'perturbql', decimals: 2 },
      published: { head: 'published', decimals: 2 },
      factor: { head: 'times', decimals: 1 },
    },
    rows: Object.fromEntries(rows) as FigureTable['rows'],
  };
}

/**
 * Prints rates next to those of the published programs, scaled to this machine, and what is left of the neighbors of
 * one schema; false where a goal is missed.
 * @throws InputFormatError where a file is absent
 */
export async function compareSpider(files: SpiderFiles, output: BenchOutput): Promise<boolean> {
  const spider = openSpider(files);
  const loop = measureScale();
  output.tell(loop === null ? 'no Python 3: published rates are not scaled' : `loop ${loop.seconds.toFixed(1)} s`);
  const scale = loop?.scale ?? 1;
  const told: Told = { output, figures: [] };
  const holds = [
    compareNeighbors(spider, scale, told),
    compareDatabases(spider, scale, told),
    await compareLeft(spider, told),
  ];
  output.record(figureTable(told.figures));
  return holds.every(Boolean);
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputFormatError } from '../../src/errors.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { isReliable } from '../../src/testsuite/report/suite-report.js';
import { SUITE_BUDGET } from '../../src/testsuite/suite/suite-options.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { readClassicalQueries, type ClassicalQueries } from './classical-queries.js';
import { measureSuite, suiteBytes } from './measured-suite.js';
import { CLASSICAL } from './published.js';

const SEED = 1;

/** Where the queries and the schemas are. */
export interface ClassicalFiles {
  readonly tables: string;
  readonly queries: string;
  readonly databases: string;
  /** Folder that keeps the row of each schema that is done, so that a later call goes on from there. */
  readonly runs: string | null;
}

const COLUMNS = [
  ...['schema', 'lines', 'queries', 'neighbors each', 'left', 'paper: queries', 'neighbors each', 'left'],
  ...['always empty', 'unread', 'databases', 'kB', 'user s', 'reliable', 'paper: reliable'],
];

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

async function rowOf(
  { database, golds, lines }: ClassicalQueries,
  folder: string,
  output: BenchOutput,
): Promise<readonly string[]> {
  const { id } = database;
  const file = join(folder, id, `${id}.sqlite`);
  const task = {
    database,
    file: existsSync(file) ? file : null,
    golds,
    seed: SEED,
    budget: SUITE_BUDGET,
    data: 'observed' as const,
  };
  const { schema, neighbors, left, seconds } = await measureSuite(task, output.tell);
  for (const { sql, left: missed } of schema.golds.filter((gold) => gold.left.length > 0)) {
    output.tell(`${id}: ${sql}`);
    for (const { kind, detail, reason } of missed) output.tell(`  ${kind}: ${detail}: ${reason}`);
  }
  const paper = CLASSICAL[id];
  const published = paper === undefined ? [] : [paper.queries, paper.neighbors, percent(paper.left)];
  const reliable = schema.golds.filter(isReliable).length;
  const empty = schema.golds.filter(({ hasRows }) => !hasRows).length;
  return [
    ...[id, lines, golds.length, Math.round(neighbors / schema.golds.length), percent(left / neighbors), ...published],
    ...[empty, schema.unread.length, schema.databases.length],
    ...[(suiteBytes(task, schema) / 1000).toFixed(0), seconds.toFixed(0)],
    ...[percent(reliable / golds.length), paper === undefined ? '' : percent(paper.reliable)],
  ].map(String);
}

/** The row that a run before this one kept, or else measured now. */
async function keptRow(set: ClassicalQueries, files: ClassicalFiles, output: BenchOutput): Promise<readonly string[]> {
  if (files.runs === null) return rowOf(set, files.databases, output);
  const file = join(files.runs, `${set.database.id}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  const cells = await rowOf(set, files.databases, output);
  mkdirSync(files.runs, { recursive: true });
  writeFileSync(file, JSON.stringify(cells));
  return cells;
}

function figureTable(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'suite-classical',
    title: 'Test suites of the classical data sets',
    about:
      'Suites distilled at the budget of `suite build`, next to Table 4 of the paper (Zhong et al. 2020). Queries are distinct ones; neighbors are those ' +
      'not shown to be equivalent; left are those that no database distinguishes from their query. The paper makes other neighbors and has its own choice of queries.',
    columns: Object.fromEntries(COLUMNS.map((head, i) => [`c${i}`, { head }])),
    rows,
  };
}

/**
 * Distills suites for the classical data sets whose schemas there are, and prints the share of neighbors that they leave
 * next to the paper's Table 4; every neighbor that is left goes to the progress, with the reason.
 * @throws InputFormatError where a file is absent
 */
export async function compareClassical(files: ClassicalFiles, output: BenchOutput): Promise<void> {
  const { tables, queries } = files;
  const schemas = loadSpiderTables(tables);
  const known = Object.keys(CLASSICAL).map((id) => {
    const database = schemas.get(id);
    if (database === undefined) {
      const fix = 'Name Spider’s own tables.json with --tables.';
      throw new InputFormatError(`the schema of ${id} is missing`, { where: { file: tables }, fix });
    }
    return database;
  });
  const { sets, unbound } = readClassicalQueries(queries, known);
  output.print(`| ${COLUMNS.join(' | ')} |\n| ${COLUMNS.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`);
  const rows: Record<string, FigureTable['rows'][string]> = {};
  for (const set of sets.filter(({ golds }) => golds.length > 0)) {
    const cells = await keptRow(set, files, output);
    output.print(`| ${cells.join(' | ')} |`);
    rows[set.database.id] = Object.fromEntries(cells.map((cell, i) => [`c${i}`, cell]));
  }
  output.record(figureTable(rows));
  output.print(`${unbound} lines are of data sets whose schemas are not there`);
}

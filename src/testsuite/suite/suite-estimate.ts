import { SqlRewriteError } from '../../errors.js';
import { formatCount, countNoun, renderSeconds } from '../../report/figures.js';
import { threadCount } from '../../run/worker-pool.js';
import type { Database } from '../../schema/schema.js';
import { neighborsOf } from '../neighbors/neighbors.js';
import type { SuiteBuildOptions } from './suite-options.js';
import type { PlannedSchema, SuitePlan } from './suite-plan.js';

/** Gold queries of a schema whose neighbors are counted; the others are taken to have as many. */
const SAMPLED_GOLDS = 6;

/**
 * CPU seconds that a neighbor costs: once, and per hundred random databases. Spider dev: 299 s for 25,400 neighbors and
 * 300 databases for each schema; pets_1 and singer: 20 s with 100, 24 s with 300.
 */
const SECONDS_PER_NEIGHBOR = 0.009;
const SECONDS_PER_HUNDRED = 0.001;

/**
 * Packed bytes of an original’s byte, and of all other files of a schema: rough figures of Spider dev, 3.4 MB in all.
 */
const PACKED_SHARE = 0.3;
const PACKED_BYTES = 150_000;

interface Estimate {
  /** Neighbors that are to be distinguished, and those in addition to them that are shown to be equivalent. */
  readonly counted: number;
  readonly equivalent: number;
}

const NONE: Estimate = { counted: 0, equivalent: 0 };

function added(a: Estimate, b: Estimate): Estimate {
  return { counted: a.counted + b.counted, equivalent: a.equivalent + b.equivalent };
}

function neighborsOfGold(sql: string, database: Database, seed: number): Estimate {
  try {
    const neighbors = neighborsOf(sql, database, { seed });
    const equivalent = neighbors.filter((one) => one.equivalent !== null).length;
    return { counted: neighbors.length - equivalent, equivalent };
  } catch (error) {
    if (error instanceof SqlRewriteError) return NONE;
    throw error;
  }
}

/** About how many neighbors a schema's gold queries have, told from some gold queries from all over the list. */
function estimateNeighbors({ golds, database }: PlannedSchema, seed: number): Estimate {
  const step = Math.max(1, golds.length / SAMPLED_GOLDS);
  const sampled = [...new Set(Array.from({ length: SAMPLED_GOLDS }, (_, i) => golds[Math.floor(i * step)]))];
  const counts = sampled.flatMap((sql) => (sql === undefined ? [] : [neighborsOfGold(sql, database, seed)]));
  const { counted, equivalent } = counts.reduce(added, NONE);
  const share = golds.length / counts.length;
  return { counted: share * counted, equivalent: share * equivalent };
}

/** To two digits: it is an estimate. */
const rough = (n: number): string => formatCount(Number(n.toPrecision(2)));

/** Describes the work of a build and its approximate cost, in lines for people. */
export function describeSuitePlan(
  { schemas, dataset }: SuitePlan,
  { seed, budget, jobs, databases }: Pick<SuiteBuildOptions, 'seed' | 'budget' | 'jobs' | 'databases'>,
): readonly string[] {
  const golds = schemas.reduce((sum, one) => sum + one.golds.length, 0);
  const { counted, equivalent } = schemas.map((one) => estimateNeighbors(one, seed)).reduce(added, NONE);
  const seconds =
    (counted + equivalent) * (SECONDS_PER_NEIGHBOR + (SECONDS_PER_HUNDRED * budget.randomDatabases) / 100);
  const threads = Math.min(threadCount(jobs), schemas.length);
  const originals = schemas.reduce((sum, { database }) => sum + (dataset.sqliteBytes?.(database.id) ?? 0), 0);
  const isBare = databases !== null && !schemas.some(({ database }) => dataset.hasRows(database.id));
  const bytes = originals * PACKED_SHARE + schemas.length * PACKED_BYTES;
  return [
    `${countNoun(schemas.length, 'schema')}, ${countNoun(dataset.size, 'example')} with ${countNoun(golds, 'distinct gold query', 'distinct gold queries')}`,
    `about ${rough(counted)} neighbors, in addition to ${rough(equivalent)} shown to be equivalent; up to ${countNoun(budget.randomDatabases, 'random database')} for each schema, ${budget.targetedDatabases} more for each neighbor that is left`,
    `about ${renderSeconds(seconds)} of CPU time in ${countNoun(threads, 'thread')}, and ${rough(bytes / 1e6)} MB of disk`,
    ...(isBare ? [`warning: ${databases} has a database of none of these schemas: there will be no original`] : []),
    ...(dataset.notes ?? []).map((note) => `warning: ${note}`),
  ];
}

import { countNoun } from '../../counts.js';
import { mustGet } from '../../present.js';
import { renderSeconds } from '../../report/figures.js';
import { secondsOfDecisions } from '../candidates/run-estimate.js';
import { sqliteBytes } from '../databases/own-files.js';
import { columnsToDecide } from '../relations/names/decisions.js';
import { MUTATING_IDS, MUTATING_RELATIONS } from '../relations/relations.js';
import type { Database } from '../../schema/schema.js';
import type { MutateInputs } from './mutate-inputs.js';
import type { MutateOptions } from './mutate-options.js';

/**
 * CPU seconds of the parts of a run, of all threads and processes, by these runs: the examples took 23.6 cold, 9.6 warm
 * and 17.1 with databases, four databases of Spider dev with 216 questions 40.5, 17.9 and 57.0, four others with 180
 * questions 23.8, 11.5 and 30.7.
 */
const COST = {
  /** Until inputs are read, and relations and the guard are opened. */
  start: 1.4,
  perTable: 0.001,
  perQuestion: 0.003,
  /** Made, checked, counted and written. */
  perMutant: 0.000_23,
  /** Processes that execute. */
  executing: 0.7,
  /** A database that is written, and each of its bytes: up to 250 kB they do not tell, so this is what a disk takes. */
  perDatabase: 0.0045,
  perByte: 0.000_000_005,
  perScript: 0.001,
  /** A gold query that is executed. */
  perGold: 0.0012,
} as const;

/** Mutants that a relation makes of an example, as far as the limit allows: of ten 3.7 to 4.9 in the same databases. */
const MUTANTS_OF_RELATION = 4.4;

/**
 * Schemas that a relation of schemas makes for each column of a database where ten are asked for: all of them 6 to 9,
 * in the seven databases above and four more. Of two 0.6 of them: the cube root is near enough.
 */
const SCHEMAS_PER_COLUMN = 0.33;
const USUAL_LIMIT = 10;

function schemasOf(database: Database, limit: number): number {
  const columns = database.tables.reduce((sum, table) => sum + table.columns.length, 0);
  return columns * SCHEMAS_PER_COLUMN * Math.cbrt(Math.min(limit, USUAL_LIMIT) / USUAL_LIMIT);
}

/** What a run is about to make, about, and what that takes. */
interface MutateEstimate {
  readonly mutants: number;
  /** Databases or scripts that are written for them. */
  readonly schemas: number;
  /** CPU seconds cold, with an empty score cache. */
  readonly seconds: number;
  /** Warm: every score is in the cache. */
  readonly warmSeconds: number;
}

type EstimateOptions = Pick<MutateOptions, 'limit' | 'compose' | 'materialize'>;

/** Makes a schema of its own of an example. */
const changesSchema = (id: string): boolean => {
  const known = MUTATING_IDS.find((one) => one === id);
  return known === undefined || MUTATING_RELATIONS[known].target === 'schema';
};

/** CPU seconds of writing the schemas, and of executing gold queries on them. */
function secondsOfDatabases(
  { dataset, cases }: MutateInputs,
  { materialize }: EstimateOptions,
  { schemas, executions }: { readonly schemas: number; readonly executions: number },
): number {
  if (materialize === null) return 0;
  const executed = materialize === 'migrations' ? 0 : COST.executing + executions * COST.perGold;
  if (materialize !== 'copy') return schemas * COST.perScript + executed;
  const bytes = [...cases.keys()].reduce((sum, id) => sum + sqliteBytes(dataset, id), 0) / Math.max(1, cases.size);
  return schemas * (COST.perDatabase + bytes * COST.perByte) + executed;
}

/** Estimates the cost of a run, before models and index are loaded. */
export function estimateMutate(inputs: MutateInputs, options: EstimateOptions): MutateEstimate {
  const { dataset, cases, parts, stages } = inputs;
  const { limit, compose } = options;
  const ofSchemas = parts.relations.filter(({ id }) => changesSchema(id)).length;
  const ofRelation = Math.min(limit, MUTANTS_OF_RELATION);
  const composed = dataset.size * limit * (compose - 1);
  const mutants = dataset.size * parts.relations.length * ofRelation + composed;
  const schemas = [...cases].reduce(
    (sum, [id, { length }]) =>
      sum + ofSchemas * Math.min(length * limit, schemasOf(mustGet(dataset.databases.get(id), id), limit)),
    composed,
  );
  const executions = dataset.size * ofSchemas * ofRelation + composed;
  const tables = [...dataset.databases.values()].reduce((sum, one) => sum + one.tables.length, 0);
  const decisions = secondsOfDecisions(columnsToDecide(stages));
  const warm =
    COST.start +
    tables * COST.perTable +
    dataset.size * COST.perQuestion +
    decisions.warm +
    mutants * COST.perMutant +
    secondsOfDatabases(inputs, options, { schemas, executions });
  return { mutants, schemas, seconds: warm + decisions.scoring, warmSeconds: warm };
}

/** To two digits: it is an estimate. */
const rough = (n: number): number => Number(n.toPrecision(2));

/** Describes the work a run is about to do and the time it may take, in one line for people. */
export function describeMutateEstimate(
  { materialize }: EstimateOptions,
  { mutants, schemas, seconds, warmSeconds }: MutateEstimate,
): string {
  const what = materialize === null || materialize === 'copy' ? 'database' : 'script';
  const written = materialize === null ? '' : `, ${countNoun(rough(schemas), what)} to write`;
  const cost =
    seconds === warmSeconds
      ? `about ${renderSeconds(seconds)} of CPU time`
      : `${renderSeconds(seconds)} of CPU time with an empty score cache, ${renderSeconds(warmSeconds)} where it has them all`;
  return `about ${countNoun(rough(mutants), 'mutant')}${written}, ${cost}`;
}

import { z } from 'zod';
import { groupBy } from '../../run/group-by.js';
import { FAULTY_VERDICTS, type Tally, type Verdict } from './verdict.js';
import type { OtherQueries } from './other-queries.js';
import { executeVariants, type ExecutionOptions, summarizeGroups, uncompared, verifyGroups } from './verify-groups.js';
import { COMPARISON, UNEQUAL, verdictTally, VERIFICATION } from './verification-schema.js';
import { mustGet } from '../../present.js';
import { RunItems } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { relationOf } from '../relations/counted-relation.js';

/** A schema with its database; the file is null where the input has no rows for it. */
export interface ExecutableSchema {
  readonly database: Database;
  readonly file: string | null;
  /** The script to run before it is read. */
  readonly setup?: QueryTask['setup'];
}

export interface MutantVerificationRequest extends ExecutionOptions {
  readonly records: readonly (Pick<
    MutantRecord,
    'id' | 'seed' | 'relations' | 'db_id' | 'origin' | 'query' | 'mapping'
  > &
    Partial<Pick<MutantRecord, 'expectation'>>)[];
  /** Gold SQL of a seed; null where it has none, and its mutants neither. */
  readonly goldOf: (seed: string) => string | null;
  readonly schemaOf: (id: string) => ExecutableSchema;
}

/** A mutant whose gold does not give what its seed's gold gives. */
interface UnequalMutant {
  readonly id: string;
  readonly verdict: Verdict;
  readonly detail: string | null;
}

/** The outcomes of mutants' gold queries on their databases: plain JSON without times. */
export interface MutantVerification {
  /** How results were compared. */
  readonly comparison: typeof COMPARISON;
  /** By relation, composed ones under their names together. */
  readonly relations: Readonly<Record<string, Tally>>;
  /** Mutants on the seed's own schema with the seed's own gold: nothing to execute. */
  readonly unchanged: number;
  readonly withoutDatabase: number;
  /** Mutants that have no gold to execute; absent where all have one. */
  readonly withoutGold?: number;
  /** Mutants that ask something else, whose gold has a result of its own; absent where there are none. */
  readonly otherQueries?: OtherQueries;
  /** Share of the compared mutants whose result has rows, 0 to 1; null of none. */
  readonly nonEmpty: number | null;
  readonly items: readonly UnequalMutant[];
}

/** The report of a verification of mutants. */
export const mutantVerification: z.ZodType<MutantVerification> = z.object({
  ...VERIFICATION,
  relations: z.record(z.string(), verdictTally),
  unchanged: z.int(),
  withoutGold: z.int().exactOptional(),
  items: z.array(z.object({ id: z.string(), ...UNEQUAL })),
});

/** Checks whether a verification found nothing wrong. */
export function areMutantsVerified({ relations }: MutantVerification): boolean {
  return Object.values(relations).every((tally) => [...FAULTY_VERDICTS].every((verdict) => tally[verdict] === 0));
}

/** The findings about the mutants of one seed. */
export interface SeedVerdict {
  readonly items: readonly (UnequalMutant & { readonly relation: string; readonly rows: number | null })[];
  readonly unchanged: number;
  readonly withoutDatabase: number;
  readonly withoutGold: number;
  readonly otherQueries?: OtherQueries;
}

type VerifiedRecord = MutantVerificationRequest['records'][number];

function taskOf(query: string, { database, file, setup }: ExecutableSchema): QueryTask | null {
  return file === null ? null : { sql: executableSql(query, database), file, ...(setup && { setup }) };
}

/** Executes the gold queries of the mutants of one seed next to the seed's. */
async function verifySeed(
  group: readonly VerifiedRecord[],
  { goldOf, schemaOf }: MutantVerificationRequest,
  runner: QueryRunner,
  signal: AbortSignal,
): Promise<SeedVerdict> {
  const [{ seed, origin }] = group as [VerifiedRecord];
  const nothing = { items: [], unchanged: 0, withoutDatabase: 0, withoutGold: 0 };
  const gold = goldOf(seed);
  if (gold === null) return { ...nothing, withoutGold: group.length };
  const changed = group.flatMap(({ query, ...mutant }) => {
    return query === null || (mutant.db_id === origin && query === gold) ? [] : [{ ...mutant, query }];
  });
  const withoutGold = group.filter(({ query }) => query === null).length;
  const counts = { ...nothing, withoutGold, unchanged: group.length - changed.length - withoutGold };
  const task = taskOf(gold, schemaOf(origin));
  if (task === null) return { ...counts, withoutDatabase: changed.length };
  if (changed.length === 0) return counts;
  const executable = changed.map((mutant) => ({
    variant: mutant,
    task: taskOf(mutant.query, schemaOf(mutant.db_id)),
    asksOther: mutant.expectation === 'other-query',
    mapping: mutant.mapping ?? null,
  }));
  const { judged, ...others } = await executeVariants(runner, task, executable, signal);
  const items = judged.map(([mutant, found]) => {
    const { verdict, detail, rows } = found ?? WITHOUT_DATABASE;
    return { id: mutant.id, relation: relationOf(mutant), verdict, detail, rows };
  });
  return { ...counts, items, ...others };
}

const WITHOUT_DATABASE = uncompared('it has no database');

function summarize(seeds: readonly SeedVerdict[], records: MutantVerificationRequest['records']): MutantVerification {
  const place = new Map(records.map(({ id }, i) => [id, i]));
  const { tallies, counts, unequal } = summarizeGroups(
    seeds,
    ({ relation }) => relation,
    ({ id }) => mustGet(place.get(id), 'place.get(id)'),
  );
  const sumOf = (key: 'unchanged' | 'withoutGold'): number => seeds.reduce((sum, seed) => sum + seed[key], 0);
  const { withoutDatabase, ...others } = counts;
  return {
    comparison: COMPARISON,
    relations: tallies,
    unchanged: sumOf('unchanged'),
    withoutDatabase,
    ...(sumOf('withoutGold') === 0 ? {} : { withoutGold: sumOf('withoutGold') }),
    ...others,
    items: unequal.map(({ id, verdict, detail }) => ({ id, verdict, detail })),
  };
}

/**
 * Executes the gold of every mutant on its database and the seed's on its own, and compares the results value by value.
 * Nothing is written.
 * @throws what `QueryRunner.run` throws
 */
export async function verifyMutants(
  request: MutantVerificationRequest,
  host: RunHost,
  results = new RunItems<SeedVerdict>(),
): Promise<MutantVerification> {
  const { records } = request;
  const groups = groupBy(records, ({ seed }) => seed);
  const verify = (group: readonly VerifiedRecord[], runner: QueryRunner): Promise<SeedVerdict> =>
    verifySeed(group, request, runner, host.signal);
  const seeds = await verifyGroups(groups, verify, request, results, host);
  return summarize(
    seeds.map(({ verdict }) => verdict),
    records,
  );
}

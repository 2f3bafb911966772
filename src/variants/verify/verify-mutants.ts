import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RunFolderError } from '../../errors.js';
import { loadSeeds, type MutantRecord, MUTANTS_FILE, SEEDS_FILE } from '../../formats/artifacts/mutants.js';
import { itemAt, mustGet } from '../../present.js';
import { RunItems } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/executable-sql.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { writtenDatabase } from '../databases/write-variants.js';
import { MutantSet } from '../mutate/mutant-set.js';
import { relationOf } from '../relations/counted-relation.js';
import { COMPARISON, isFaultless, UNEQUAL, verdictTally, VERIFICATION } from './verdict.js';
import {
  type ExecutableGroup,
  type ExecutionOptions,
  type GroupVerdict,
  runVerification,
  verifyRecords,
  type VerifyOptions,
} from './verify-groups.js';

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

type VerifiedRecord = MutantVerificationRequest['records'][number];

/** Reads the report of a verification of mutants. */
export const mutantVerification = z
  .object({
    ...VERIFICATION,
    /** By relation, composed ones under their names together. */
    relations: z.record(z.string(), verdictTally).readonly(),
    /** Mutants on the seed's own schema with the seed's own gold: nothing to execute. */
    unchanged: z.int(),
    /** Mutants that have no gold to execute; absent where all have one. */
    withoutGold: z.int().exactOptional(),
    /** Mutants whose gold does not give what their seed's gold gives. */
    items: z.array(z.object({ id: z.string(), ...UNEQUAL }).readonly()).readonly(),
  })
  .readonly();

/** The outcomes of mutants' gold queries on their databases: plain JSON without times. */
export type MutantVerification = z.infer<typeof mutantVerification>;

/** Checks whether a verification found nothing wrong. */
export function areMutantsVerified({ relations }: MutantVerification): boolean {
  return isFaultless(Object.values(relations));
}

function taskOf(query: string, { database, file, setup }: ExecutableSchema): QueryTask | null {
  return file === null ? null : { sql: executableSql(query, database), file, ...(setup && { setup }) };
}

/**
 * Executes the gold of every mutant on its database and the seed's on its own, and compares the results value by value.
 * Nothing is written.
 * @throws what `QueryRunner.run` throws
 */
export async function verifyMutants(
  { records, goldOf, schemaOf, ...options }: MutantVerificationRequest,
  host: RunHost,
  results = new RunItems<GroupVerdict>(),
): Promise<MutantVerification> {
  const lacksGold = ({ seed, query }: VerifiedRecord): boolean => query === null || goldOf(seed) === null;
  const isUnchanged = ({ seed, db_id: id, origin, query }: VerifiedRecord): boolean =>
    id === origin && query === goldOf(seed);
  const open = (group: readonly VerifiedRecord[]): ExecutableGroup<VerifiedRecord> => {
    const { seed, origin } = itemAt(group, 0);
    const changed = group.filter((record) => !lacksGold(record) && !isUnchanged(record));
    const original = changed.length === 0 ? null : taskOf(goldOf(seed) ?? '', schemaOf(origin));
    const variants = changed.map((record) => {
      const task = original === null ? null : taskOf(record.query ?? '', schemaOf(record.db_id));
      return {
        record,
        task: original === null ? null : (task ?? 'it has no database'),
        asksOther: record.expectation === 'other-query',
        mapping: record.mapping ?? null,
      };
    });
    return { original, variants };
  };
  const verified = { records, groupOf: ({ seed }: VerifiedRecord): string => seed, kindOf: relationOf, open };
  const { tallies, counts, unequal } = await verifyRecords(verified, options, results, host);
  const { withoutDatabase, ...others } = counts;
  const withoutGold = records.filter(lacksGold).length;
  return {
    comparison: COMPARISON,
    relations: tallies,
    unchanged: records.filter((record) => !lacksGold(record) && isUnchanged(record)).length,
    withoutDatabase,
    ...(withoutGold === 0 ? {} : { withoutGold }),
    ...others,
    items: unequal.map(({ record: { id }, verdict, detail }) => ({ id, verdict, detail })),
  };
}

/**
 * Executes the gold queries of a `mutate` run that wrote databases.
 * @throws RunFolderError or InputFormatError when the run can't be read, is not finished or has no databases
 */
export async function verifyMutateRun(
  options: Omit<VerifyOptions, 'databases'>,
  host: RunHost,
): Promise<MutantVerification> {
  const { run: folder, jobs, limits } = options;
  const run = new MutantSet(folder);
  if (!existsSync(join(folder, 'database'))) {
    throw new RunFolderError('the run has no databases to execute on', {
      where: { file: folder },
      fix: 'Run `perturbql mutate` with --materialize, and --databases or --synthetic-databases.',
    });
  }
  const seeds = loadSeeds(folder);
  const schemaOf = (id: string): ExecutableSchema => ({
    database: run.schemaOf(id),
    file: writtenDatabase(folder, id),
  });
  const goldOf = (seed: string): string | null => mustGet(seeds.get(seed), 'seeds.get(seed)').query;
  const request = { records: run.records, goldOf, schemaOf, jobs, ...(limits && { limits }) };
  const files = ['tables.json', MUTANTS_FILE, SEEDS_FILE];
  return runVerification({ ...options, databases: null }, files, mutantVerification, (results) =>
    verifyMutants(request, host, results),
  );
}

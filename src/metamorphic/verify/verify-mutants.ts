import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { z } from 'zod';
import { groupBy } from '../../run/group-by.js';
import { emptyTally, FAULTY_VERDICTS, type Tally, type Verdict } from '../../perturb/verify/verdict.js';
import {
  countOtherQuery,
  type OtherQueries,
  otherQueriesField,
  OWN_GOLD_FAILS,
} from '../../perturb/verify/other-queries.js';
import { originalRun, verifyVariant } from '../../perturb/verify/verify-variant.js';
import { COMPARISON, UNEQUAL, verdictTally, VERIFICATION } from '../../perturb/verify/verification-schema.js';
import { mustGet } from '../../present.js';
import { RunItems } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryLimits } from '../../sql/execution/query-outcome.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { relationOf } from '../counted-relation.js';
import { restoreValues } from '../../perturb/verify/restore-values.js';

/** A schema with its database; the file is null where the input has no rows for it. */
export interface ExecutableSchema {
  readonly database: Database;
  readonly file: string | null;
  /** What is played before it is read. */
  readonly setup?: QueryTask['setup'];
}

export interface MutantVerificationRequest {
  readonly records: readonly (Pick<
    MutantRecord,
    'id' | 'seed' | 'relations' | 'db_id' | 'origin' | 'query' | 'mapping'
  > &
    Partial<Pick<MutantRecord, 'expectation'>>)[];
  /** Gold SQL of a seed; null where it has none, and its mutants neither. */
  readonly goldOf: (seed: string) => string | null;
  readonly schemaOf: (id: string) => ExecutableSchema;
  /** Processes side by side; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  readonly limits?: Partial<QueryLimits>;
}

/** A mutant whose gold does not give what its seed's gold gives. */
interface UnequalMutant {
  readonly id: string;
  readonly verdict: Verdict;
  readonly detail: string | null;
}

/** What became of the golds of mutants on their databases: plain JSON without times. */
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

/** Whether a verification found nothing wrong. */
export function areMutantsVerified({ relations }: MutantVerification): boolean {
  return Object.values(relations).every((tally) => [...FAULTY_VERDICTS].every((verdict) => tally[verdict] === 0));
}

/** What was found of the mutants of one seed. */
export interface SeedVerdict {
  readonly items: readonly (UnequalMutant & { readonly relation: string; readonly rows: number | null })[];
  readonly unchanged: number;
  readonly withoutDatabase: number;
  readonly withoutGold: number;
  readonly otherQueries?: OtherQueries;
}

/** Executes golds of mutants next to those of their seeds, seed by seed. */
class MutantVerifier {
  readonly #request: MutantVerificationRequest;
  readonly #runner: QueryRunner;
  readonly #results: RunItems<SeedVerdict>;
  readonly #host: RunHost;

  constructor(request: MutantVerificationRequest, runner: QueryRunner, results: RunItems<SeedVerdict>, host: RunHost) {
    this.#request = request;
    this.#runner = runner;
    this.#results = results;
    this.#host = host;
  }

  async run(): Promise<MutantVerification> {
    const { records, jobs } = this.#request;
    const groups = [...groupBy(records, ({ seed }) => seed)].filter(([seed]) => this.#results.isOwn(seed));
    const total = groups.reduce((sum, [, group]) => sum + group.length, 0);
    const limit = pLimit(jobs ?? availableParallelism());
    let done = 0;
    const verdicts = await limit.map(groups, async ([seed, group]) => {
      this.#host.signal.throwIfAborted();
      const verdict = await this.#results.of(seed, () => this.#verifySeed(group));
      this.#host.progress('gold queries verified', (done += group.length), total);
      return verdict;
    });
    this.#results.end();
    return this.#summarize(verdicts);
  }

  #summarize(seeds: readonly SeedVerdict[]): MutantVerification {
    const items = seeds.flatMap((seed) => seed.items);
    const tallies: Record<string, Record<Verdict, number>> = {};
    for (const { relation, verdict } of items) (tallies[relation] ??= emptyTally())[verdict]++;
    const compared = items.filter(({ rows }) => rows !== null);
    const nonEmpty = compared.filter(({ rows }) => rows !== 0).length;
    const sumOf = (key: 'unchanged' | 'withoutDatabase' | 'withoutGold'): number =>
      seeds.reduce((sum, seed) => sum + seed[key], 0);
    const place = new Map(this.#request.records.map(({ id }, i) => [id, i]));
    const placeOf = ({ id }: UnequalMutant): number => mustGet(place.get(id), 'place.get(id)');
    const unequal = items.filter(({ verdict }) => verdict !== 'equal').sort((a, b) => placeOf(a) - placeOf(b));
    return {
      comparison: COMPARISON,
      relations: tallies,
      unchanged: sumOf('unchanged'),
      withoutDatabase: sumOf('withoutDatabase'),
      ...(sumOf('withoutGold') === 0 ? {} : { withoutGold: sumOf('withoutGold') }),
      ...otherQueriesField(seeds.flatMap(({ otherQueries }) => otherQueries ?? [])),
      nonEmpty: compared.length === 0 ? null : nonEmpty / compared.length,
      items: unequal.map(({ id, verdict, detail }) => ({ id, verdict, detail })),
    };
  }

  async #verifySeed(group: MutantVerificationRequest['records']): Promise<SeedVerdict> {
    const [{ seed, origin }] = group as [(typeof group)[number]];
    const nothing = { items: [], unchanged: 0, withoutDatabase: 0, withoutGold: 0 };
    const gold = this.#request.goldOf(seed);
    if (gold === null) return { ...nothing, withoutGold: group.length };
    const changed = group.flatMap(({ query, ...mutant }) => {
      return query === null || (mutant.db_id === origin && query === gold) ? [] : [{ ...mutant, query }];
    });
    const withoutGold = group.filter(({ query }) => query === null).length;
    const counts = { ...nothing, withoutGold, unchanged: group.length - changed.length - withoutGold };
    const task = this.#taskOf(gold, origin);
    if (task === null) return { ...counts, withoutDatabase: changed.length };
    if (changed.length === 0) return counts;
    const { signal } = this.#host;
    const before = originalRun(task, await this.#runner.run(task, signal));
    const items: SeedVerdict['items'][number][] = [];
    const others: OtherQueries[] = [];
    for (const mutant of changed) {
      const common = { id: mutant.id, relation: relationOf(mutant) };
      const after = this.#taskOf(mutant.query, mutant.db_id);
      if (after === null) items.push({ ...common, verdict: 'failed', detail: 'it has no database', rows: null });
      else if (mutant.expectation === 'other-query') {
        const count = countOtherQuery(before, await this.#runner.run(after, signal));
        if (count === null) items.push({ ...common, verdict: 'failed', detail: OWN_GOLD_FAILS, rows: null });
        else others.push(count);
      } else {
        const { verdict, detail, rows } = await verifyVariant(this.#runner, before, after, signal, (result) =>
          restoreValues(result, mutant.mapping ?? null),
        );
        items.push({ ...common, verdict, detail, rows });
      }
    }
    return { ...counts, items, ...otherQueriesField(others) };
  }

  #taskOf(query: string, id: string): QueryTask | null {
    const { database, file, setup } = this.#request.schemaOf(id);
    return file === null ? null : { sql: executableSql(query, database), file, ...(setup && { setup }) };
  }
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
  const runner = new QueryRunner({
    jobs: request.jobs,
    ...(request.limits === undefined ? {} : { limits: request.limits }),
  });
  try {
    return await new MutantVerifier(request, runner, results, host).run();
  } finally {
    await runner.close();
  }
}

import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { groupBy } from '../../run/group-by.js';
import { FAULTY_VERDICTS, VERDICTS, type Verdict } from '../../perturb/verify/verdict.js';
import { type OtherQueries, OtherQueryTally, OWN_GOLD_FAILS } from '../../perturb/verify/other-queries.js';
import { type OriginalRun, originalRun, verifyVariant } from '../../perturb/verify/verify-variant.js';
import { present } from '../../present.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryLimits } from '../../sql/execution/query-outcome.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { MutantRecord } from '../relation.js';
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

type Counted = Pick<MutantRecord, 'id' | 'relations'>;

type Tally = Readonly<Record<Verdict, number>>;

/** A mutant whose gold does not give what its seed's gold gives. */
interface UnequalMutant {
  readonly id: string;
  readonly verdict: Verdict;
  readonly detail: string | null;
}

/** What became of the golds of mutants on their databases: plain JSON without times. */
export interface MutantVerification {
  /** How results were compared. */
  readonly comparison: 'exact values, as a bag; in order where ORDER BY decides (v1)';
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

/** Whether a verification found nothing wrong. */
export function areMutantsVerified({ relations }: MutantVerification): boolean {
  return Object.values(relations).every((tally) => [...FAULTY_VERDICTS].every((verdict) => tally[verdict] === 0));
}

/** Executes golds of mutants next to those of their seeds, seed by seed. */
class MutantVerifier {
  readonly #request: MutantVerificationRequest;
  readonly #runner: QueryRunner;
  readonly #host: RunHost;
  readonly #tallies: Record<string, Record<Verdict, number>> = {};
  readonly #items: UnequalMutant[] = [];
  #unchanged = 0;
  #withoutDatabase = 0;
  #withoutGold = 0;
  readonly #others = new OtherQueryTally();
  #compared = 0;
  #nonEmpty = 0;

  constructor(request: MutantVerificationRequest, runner: QueryRunner, host: RunHost) {
    this.#request = request;
    this.#runner = runner;
    this.#host = host;
  }

  async run(): Promise<MutantVerification> {
    const { records, jobs } = this.#request;
    const groups = [...groupBy(records, ({ seed }) => seed).values()];
    const limit = pLimit(jobs ?? availableParallelism());
    let done = 0;
    await limit.map(groups, async (group) => {
      this.#host.signal.throwIfAborted();
      await this.#verifySeed(group);
      this.#host.progress('gold queries verified', (done += group.length), records.length);
    });
    const place = new Map(records.map(({ id }, i) => [id, i]));
    return {
      comparison: 'exact values, as a bag; in order where ORDER BY decides (v1)',
      relations: this.#tallies,
      unchanged: this.#unchanged,
      withoutDatabase: this.#withoutDatabase,
      ...(this.#withoutGold === 0 ? {} : { withoutGold: this.#withoutGold }),
      ...this.#others.field,
      nonEmpty: this.#compared === 0 ? null : this.#nonEmpty / this.#compared,
      items: this.#items.sort(
        (a, b) => present(place.get(a.id), 'place.get(a.id)') - present(place.get(b.id), 'place.get(b.id)'),
      ),
    };
  }

  async #verifySeed(group: MutantVerificationRequest['records']): Promise<void> {
    const [{ seed, origin }] = group as [(typeof group)[number]];
    const gold = this.#request.goldOf(seed);
    if (gold === null) {
      this.#withoutGold += group.length;
      return;
    }
    const changed = group.flatMap(({ query, ...mutant }) => {
      return query === null || (mutant.db_id === origin && query === gold) ? [] : [{ ...mutant, query }];
    });
    const withoutGold = group.filter(({ query }) => query === null).length;
    this.#withoutGold += withoutGold;
    this.#unchanged += group.length - changed.length - withoutGold;
    const task = this.#taskOf(gold, origin);
    if (task === null) this.#withoutDatabase += changed.length;
    if (task === null || changed.length === 0) return;
    const { signal } = this.#host;
    const before = originalRun(task, await this.#runner.run(task, signal));
    for (const mutant of changed) {
      const after = this.#taskOf(mutant.query, mutant.db_id);
      if (after === null) this.#record(mutant, 'failed', 'it has no database', null);
      else if (mutant.expectation === 'other-query') await this.#runOther(mutant, before, after);
      else {
        const { verdict, detail, rows } = await verifyVariant(this.#runner, before, after, signal, (result) =>
          restoreValues(result, mutant.mapping ?? null),
        );
        this.#record(mutant, verdict, detail, rows);
      }
    }
  }

  /** A gold that need not give what its seed's gives: it has to run. */
  async #runOther(mutant: Counted, before: OriginalRun, task: QueryTask): Promise<void> {
    const result = await this.#runner.run(task, this.#host.signal);
    if (!this.#others.add(before, result)) this.#record(mutant, 'failed', OWN_GOLD_FAILS, null);
  }

  #taskOf(query: string, id: string): QueryTask | null {
    const { database, file, setup } = this.#request.schemaOf(id);
    return file === null ? null : { sql: executableSql(query, database), file, ...(setup && { setup }) };
  }

  #record(mutant: Counted, verdict: Verdict, detail: string | null, rows: number | null): void {
    const tally = (this.#tallies[relationOf(mutant)] ??= emptyTally());
    tally[verdict]++;
    if (rows !== null) this.#compared++;
    if (rows !== null && rows > 0) this.#nonEmpty++;
    if (verdict !== 'equal') this.#items.push({ id: mutant.id, verdict, detail });
  }
}

function emptyTally(): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
}

/**
 * Executes the gold of every mutant on its database and the seed's on its own, and compares the results value by value.
 * Nothing is written.
 * @throws what `QueryRunner.run` throws
 */
export async function verifyMutants(request: MutantVerificationRequest, host: RunHost): Promise<MutantVerification> {
  const runner = new QueryRunner({
    jobs: request.jobs,
    ...(request.limits === undefined ? {} : { limits: request.limits }),
  });
  try {
    return await new MutantVerifier(request, runner, host).run();
  } finally {
    await runner.close();
  }
}

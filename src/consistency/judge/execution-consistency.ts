import { isOrderMeantIn } from '../../sql/execution/result-order.js';
import { joinComparisons } from '../../sql/join-comparisons.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { sameResult } from '../../sql/execution/result-mode.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { restoreValues } from '../../perturb/verify/restore-values.js';
import type { ExecutionMode } from '../../evaluate/execution/execution-mode.js';
import type { Predicted, Sameness } from './exact-consistency.js';

/** A prediction with the database that it was made for; a null source has no rows. */
export interface Executed extends Predicted {
  readonly source: QuerySource | null;
  /** The mutant's change to values; they are restored before results are compared. */
  readonly mapping?: MutantRecord['mapping'];
}

function executable(sql: string, schema: Database): string {
  const joined = joinComparisons(sql);
  return joined.includes('"') ? executableSql(joined, schema) : joined;
}

const keyOf = ({ sql, source }: Executed): string => JSON.stringify([source, sql]);

/**
 * Compares what the prediction on a seed gives on the seed's database with what those on its mutants give on theirs.
 * Each distinct query of a seed is run once.
 */
export class ResultComparison {
  readonly #runner: QueryRunner;
  readonly #mode: ExecutionMode;

  constructor(runner: QueryRunner, mode: ExecutionMode) {
    this.#runner = runner;
    this.#mode = mode;
  }

  /**
   * Checks whether each gives the result that the prediction on the seed gives, in its order where that has an ORDER
   * BY; null where there are no rows, or neither gives a result.
   */
  async compare(before: Executed, afters: readonly Executed[], signal: AbortSignal): Promise<readonly Sameness[]> {
    const reference = await this.#run(before, signal);
    const known = new Map([[keyOf(before), reference]]);
    const same: Sameness[] = [];
    for (const after of afters) {
      const key = keyOf(after);
      const outcome = known.get(key) ?? (await this.#run(after, signal));
      known.set(key, outcome);
      const restored = outcome?.kind === 'rows' ? restoreValues(outcome, after.mapping ?? null) : outcome;
      same.push(before.source === null || after.source === null ? null : this.#same(before, reference, restored));
    }
    return same;
  }

  async #run({ sql, source, schema }: Executed, signal: AbortSignal): Promise<QueryOutcome | null> {
    if (sql === null || source === null) return null;
    return this.#runner.run({ ...source, sql: executable(sql, schema) }, signal);
  }

  #same(before: Executed, reference: QueryOutcome | null, outcome: QueryOutcome | null): Sameness {
    if (reference?.kind !== 'rows') return outcome?.kind === 'rows' ? false : null;
    if (outcome?.kind !== 'rows') return false;
    if (reference === outcome) return true;
    const equality = { mode: this.#mode, tolerance: null };
    const match = sameResult(reference, outcome, equality, isOrderMeantIn(this.#mode, before.sql ?? ''));
    return match === 'undecided' ? null : match === 'equal';
  }
}

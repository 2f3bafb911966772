import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import { compareResults } from '../../sql/execution/result-comparison.js';
import type { OriginalRun } from './verify-variant.js';

/** What golds of questions that ask something else give; those that fail are among a verification's items. */
export interface OtherQueries {
  readonly run: number;
  readonly nonEmpty: number;
  /** Golds that do not give what their original's gives. */
  readonly differing: number;
}

/** Counts golds that need not give what their original's gives: they have to run. */
export class OtherQueryTally {
  #found: OtherQueries = { run: 0, nonEmpty: 0, differing: 0 };

  /** Counts a gold that runs. @returns false of one that does not */
  add({ outcome, mode }: OriginalRun, result: QueryOutcome): boolean {
    if (result.kind !== 'rows') return false;
    const isSame = outcome.kind === 'rows' && compareResults(outcome, result, mode, 'exact') === null;
    const { run, nonEmpty, differing } = this.#found;
    const hasRows = result.rows.length > 0;
    this.#found = { run: run + 1, nonEmpty: nonEmpty + Number(hasRows), differing: differing + Number(!isSame) };
    return true;
  }

  /** As a field of a verification; none where no such gold ran. */
  get field(): { readonly otherQueries?: OtherQueries } {
    return this.#found.run === 0 ? {} : { otherQueries: this.#found };
  }
}

/** Of a mutant that asks something else, where it fails. */
export const OWN_GOLD_FAILS = 'its own gold does not run';

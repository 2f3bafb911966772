import { mean } from 'simple-statistics';
import type { Thresholds } from '../../src/nli/bucket-rule.js';
import type { JudgedPair } from './judged-pair.js';
import { rocAuc } from './roc-auc.js';

/** How well one scorer tells human RPL from human ADD; all but the counts are shares, 0 to 1. */
export interface QualityFigures {
  readonly rplPairs: number;
  readonly addPairs: number;
  /** ROC AUC of min(e1, e2), RPL against ADD. */
  readonly auc: number;
  /** Precision at the RPL threshold with RPL and ADD weighted to equal number; null where nothing reaches it. */
  readonly precision: number | null;
  /** Share of human RPL at or over the RPL threshold. */
  readonly recall: number;
  /** Share of human ADD that the ADD rule accepts, against the target alone and against every column. */
  readonly addKept: { readonly target: number; readonly everyColumn: number };
  /** Share of human RPL that passes the ADD rule: each is a wrong ADD. */
  readonly rplAsAdd: { readonly target: number; readonly everyColumn: number };
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return mean(items.map((item) => (holds(item) ? 1 : 0)));
}

/**
 * The figures of one scorer on one set.
 * @throws RangeError when a bucket has no pair.
 */
export function qualityFigures(pairs: readonly JudgedPair[], { rplMin, addMax }: Thresholds): QualityFigures {
  const [rpl, add] = (['RPL', 'ADD'] as const).map((wanted) => pairs.filter(({ bucket }) => bucket === wanted)) as [
    JudgedPair[],
    JudgedPair[],
  ];
  const auc = rocAuc(
    rpl.map(({ lower }) => lower),
    add.map(({ lower }) => lower),
  );
  const [hits, misses] = [rpl, add].map((side) => share(side, ({ lower }) => lower >= rplMin)) as [number, number];
  const byAddRule = (side: readonly JudgedPair[]): QualityFigures['addKept'] => ({
    target: share(side, ({ upper }) => upper <= addMax),
    everyColumn: share(side, ({ passesAddRule }) => passesAddRule),
  });
  return {
    rplPairs: rpl.length,
    addPairs: add.length,
    auc,
    precision: hits + misses === 0 ? null : hits / (hits + misses),
    recall: hits,
    addKept: byAddRule(add),
    rplAsAdd: byAddRule(rpl),
  };
}

import { mustGet } from '../present.js';
import { relationOf } from '../metamorphic/counted-relation.js';
import type { JudgedCase } from './judge/consistency-judge.js';
import { outcomeOf } from '../victims/judged-answer.js';
import type { Sameness } from './judge/exact-consistency.js';

/** A line of `cases.jsonl`: what is said of a mutant; its answers are in `answers.jsonl`. */
export interface CaseLine {
  readonly id: string;
  readonly seed: string;
  readonly relation: string;
  readonly verdict: 'consistent' | 'inconsistent' | null;
  readonly same: Readonly<Record<'exact' | 'execution', boolean | null>>;
  /** Against the gold, of the seed and of the mutant; null where there is none. */
  readonly exact: readonly [string | null, string | null];
  readonly execution: readonly [string | null, string | null];
}

const WORDS = new Map([
  [true, 'consistent' as const],
  [false, 'inconsistent' as const],
]);

const wordOf = (isSame: Sameness): CaseLine['verdict'] =>
  isSame === null ? null : mustGet(WORDS.get(isSame), 'WORDS.get(isSame)');

/** Says of one mutant what was found. */
export function caseLine({ mutant, before, after, same, isSame }: JudgedCase): CaseLine {
  return {
    id: mutant.id,
    seed: mutant.seed,
    relation: relationOf(mutant),
    verdict: wordOf(isSame),
    same,
    exact: [outcomeOf(before, 'exact'), outcomeOf(after, 'exact')],
    execution: [outcomeOf(before, 'execution'), outcomeOf(after, 'execution')],
  };
}

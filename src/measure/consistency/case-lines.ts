import { mustGet } from '../../present.js';
import { relationOf } from '../../variants/relations/counted-relation.js';
import type { JudgedCase } from './judge/consistency-judge.js';
import { type CaseOutcomes, outcomesOf } from '../judged-answer.js';
import type { Sameness } from './judge/exact-consistency.js';

/** A line of `cases.jsonl`: what is said of a mutant; its answers are in `answers.jsonl`. */
export interface CaseLine extends CaseOutcomes {
  readonly id: string;
  readonly seed: string;
  readonly relation: string;
  readonly verdict: 'consistent' | 'inconsistent' | null;
  readonly same: Readonly<Record<'exact' | 'execution', boolean | null>>;
}

const WORDS = new Map([
  [true, 'consistent' as const],
  [false, 'inconsistent' as const],
]);

const wordOf = (isSame: Sameness): CaseLine['verdict'] =>
  isSame === null ? null : mustGet(WORDS.get(isSame), 'WORDS.get(isSame)');

/** Says of one mutant what was found. */
export function caseLine(judged: JudgedCase): CaseLine {
  const { mutant, same, isSame } = judged;
  return {
    id: mutant.id,
    seed: mutant.seed,
    relation: relationOf(mutant),
    verdict: wordOf(isSame),
    same,
    ...outcomesOf(judged),
  };
}

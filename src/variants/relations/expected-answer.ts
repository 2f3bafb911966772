import type { MutantRecord } from '../../formats/artifacts/mutants.js';

/**
 * The right answers to a mutant next to its seed: the same answer, whatever query gives it (`same-query`,
 * `same-result`), an answer of its own, or that there is none.
 */
export const EXPECTED_ANSWERS = ['kept', 'other-query', 'unanswerable'] as const;
export type ExpectedAnswer = (typeof EXPECTED_ANSWERS)[number];

/** Returns the answer that a mutant asks for. */
export function expectedAnswer({ expectation }: Pick<MutantRecord, 'expectation'>): ExpectedAnswer {
  return expectation === 'same-query' || expectation === 'same-result' ? 'kept' : expectation;
}

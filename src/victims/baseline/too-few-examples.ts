import { countNoun } from '../../counts.js';

/** Questions from which on the built-in parser's figures tell anything. */
export const LEAST_LEARNED = 40;

/** Says that the built-in parser has too few questions to learn from; null where it has enough. */
export function describeTooFew(questions: number): string | null {
  if (questions >= LEAST_LEARNED) return null;
  return `the built-in parser could learn from ${countNoun(questions, 'question')}, and below ${LEAST_LEARNED} its figures tell nothing`;
}

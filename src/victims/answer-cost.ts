import type { VictimAnswer } from './victim.js';

type Cost = Readonly<Record<'calls' | 'promptTokens' | 'completionTokens', number>>;

/** Returns the cost of answers; those from a cache cost nothing. */
export function costOf(answers: readonly VictimAnswer[]): Cost {
  const sum = (name: keyof Cost): number =>
    answers.reduce((total, { usage }) => total + (usage === null || usage.cached ? 0 : usage[name]), 0);
  return { calls: sum('calls'), promptTokens: sum('promptTokens'), completionTokens: sum('completionTokens') };
}

/** Why answers are missing, with the number of each. */
export function countFailures(answers: readonly Pick<VictimAnswer, 'failure'>[]): Record<string, number> {
  return countBy(answers.flatMap(({ failure }) => failure?.kind ?? []));
}

/** How often each text is there, in the order of their first. */
export function countBy(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

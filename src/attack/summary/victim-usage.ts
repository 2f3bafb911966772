import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import { executionsOf } from '../../victims/executions/execution-figures.js';
import type { VictimAnswer } from '../../victims/victim.js';
import { answersUnder, type ScoredExample } from './scored-example.js';

type Usage = AttackReport['usage'];

function countBy(keys: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function failuresOf(examples: readonly ScoredExample[]): Usage['failures'] {
  const entries = ATTACK_CONDITIONS.flatMap((condition) => {
    const answers = examples.flatMap((example) => answersUnder(example, condition));
    const kinds = answers.flatMap(({ answer }) => answer.failure?.kind ?? []);
    return kinds.length === 0 ? [] : [[condition, countBy(kinds)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * What the victim cost: `answers` are those it gave, each once, and those from a cache cost nothing; failures count in
 * every case that they decide.
 */
export function summarizeUsage(answers: readonly VictimAnswer[], examples: readonly ScoredExample[]): Usage {
  const sum = (of: (usage: NonNullable<VictimAnswer['usage']>) => number): number =>
    answers.reduce((total, { usage }) => total + (usage === null || usage.cached ? 0 : of(usage)), 0);
  return {
    questions: answers.length,
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    failures: failuresOf(examples),
    cleaned: countBy(answers.flatMap(({ cleaned }) => cleaned)),
    ...executionsOf(answers),
  };
}

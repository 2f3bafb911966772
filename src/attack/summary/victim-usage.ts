import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import { costOf, countBy, countFailures } from '../../victims/answer-cost.js';
import { executionsOf } from '../../victims/executions/execution-figures.js';
import type { VictimAnswer } from '../../victims/victim.js';
import { answersUnder, type ScoredExample } from './scored-example.js';

type Usage = AttackReport['usage'];

function failuresOf(examples: readonly ScoredExample[]): Usage['failures'] {
  const entries = ATTACK_CONDITIONS.flatMap((condition) => {
    const answers = examples.flatMap((example) => answersUnder(example, condition));
    const failures = countFailures(answers.map(({ answer }) => answer));
    return Object.keys(failures).length === 0 ? [] : [[condition, failures] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the cost of the victim: `answers` are those it gave, each once, and those from a cache cost nothing; failures
 * count in every case that they decide.
 */
export function summarizeUsage(answers: readonly VictimAnswer[], examples: readonly ScoredExample[]): Usage {
  return {
    questions: answers.length,
    ...costOf(answers),
    failures: failuresOf(examples),
    cleaned: countBy(answers.flatMap(({ cleaned }) => cleaned)),
    ...executionsOf(answers),
  };
}

import { describe, expect, it } from 'vitest';
import { scoreConditions } from '../../../../src/measure/attack/summary/condition-scores.js';
import type {
  ScoredAnswer,
  ScoredExample,
  ScoredVariant,
} from '../../../../src/measure/attack/summary/scored-example.js';
import { summarizeUsage } from '../../../../src/measure/attack/summary/summarize-attack.js';
import type { AttackScore } from '../../../../src/measure/attack/attack-report.js';
import { readAnswer, type VictimAnswer } from '../../../../src/victims/victim.js';
import type { Outcome } from '../../../../src/evaluate/metric.js';

function answerOf(execution: Outcome | null): ScoredAnswer {
  const judgement = { exact: { outcome: 'wrong' }, execution: execution && { outcome: execution } };
  return { answer: readAnswer('a', 'SELECT 1'), ...judgement } as unknown as ScoredAnswer;
}

/** An example by its outcomes on the original tables and under RPL and ADD, a seed each. */
function example(id: string, original: Outcome | null, ...byKind: readonly (readonly Outcome[])[]): ScoredExample {
  const variants = (['RPL', 'ADD'] as const).flatMap((kind, k) =>
    (byKind[k] ?? []).map((outcome, seed) => ({ kind, seed, after: answerOf(original && outcome) }) as ScoredVariant),
  );
  return { group: { id }, turn: 0, original: answerOf(original), variants } as unknown as ScoredExample;
}

function scoreOf(examples: readonly ScoredExample[], condition: 'original' | 'RPL' | 'ADD'): AttackScore {
  const scores = scoreConditions(examples, 2);
  return scores.find((score) => score.metric === 'execution' && score.condition === condition)!;
}

const EXAMPLES = [
  example('a', 'correct', ['correct', 'wrong'], ['correct', 'correct']),
  example('b', 'correct', ['failing', 'timed-out'], ['correct', 'wrong']),
  example('c', 'wrong', ['correct', 'wrong'], ['empty', 'refused']),
  example('d', 'wrong', ['wrong', 'wrong'], ['wrong', 'wrong']),
];

describe('scores of conditions', () => {
  it('are means over the seeds with their sample deviation', () => {
    expect(scoreOf(EXAMPLES, 'original')).toMatchObject({ accuracy: 0.5, std: null, bySeed: [0.5], drop: null });
    const rpl = scoreOf(EXAMPLES, 'RPL');
    expect(rpl).toMatchObject({ accuracy: 0.25, bySeed: [0.5, 0] });
    expect(rpl.std).toBeCloseTo(Math.SQRT1_2 / 2, 12);
    expect(scoreOf(EXAMPLES, 'ADD')).toMatchObject({ accuracy: 0.375, bySeed: [0.5, 0.25] });
  });

  it('lose what was right before, of all examples: failures are wrong answers', () => {
    const { drop, outcomes } = scoreOf(EXAMPLES, 'RPL');
    expect(drop).toMatchObject({ absolute: 0.25, relative: 0.5, mcnemar: { onlyFirst: 3, onlySecond: 1 } });
    expect(drop!.interval!.mean).toBeCloseTo(0.25, 12);
    expect(outcomes).toMatchObject({ correct: 2, wrong: 4, failing: 1, 'timed-out': 1 });
    expect(scoreOf(EXAMPLES, 'ADD').drop!.mcnemar).toMatchObject({ onlyFirst: 1, onlySecond: 0 });
  });

  it('leave out what a metric says nothing of, on both sides of a drop', () => {
    const silent = example('e', null, ['correct', 'correct'], ['correct', 'correct']);
    expect(scoreOf([...EXAMPLES, silent], 'RPL')).toEqual(scoreOf(EXAMPLES, 'RPL'));
    expect(scoreOf([...EXAMPLES, silent], 'original').accuracy).toBe(0.5);
  });
});

describe('what a victim cost', () => {
  it('is nothing for answers from a cache', () => {
    const answer = (id: string, cached: boolean): VictimAnswer =>
      readAnswer(id, 'SELECT 1', { calls: cached ? 0 : 2, promptTokens: 80, completionTokens: 9, cached });
    const usage = summarizeUsage([answer('a', false), answer('b', true)], []);
    expect(usage).toMatchObject({ questions: 2, calls: 2, promptTokens: 80, completionTokens: 9 });
  });
});

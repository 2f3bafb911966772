import { describe, expect, it } from 'vitest';
import type { CandidatesRun } from '../../src/perturb/candidates-run.js';
import type { ColumnChange } from '../../src/perturb/draw-perturbation.js';
import { EquivalenceJudge } from '../../src/perturb/equivalence-judge.js';
import type { EntailmentPair, StageContext } from '../../src/stage.js';
import { schemaOf } from '../metamorphic/schema/schema-fixture.js';

const SCHEMA = schemaOf('survey', { answer: 'first second' });

/** A judge to whom all words are near, and who takes a name for one that it begins with; what it was asked about. */
function judgeWith(): { ask: (a: string, b: string) => Promise<boolean>; scored: string[]; counted: number[] } {
  const [scored, counted]: [string[], number[]] = [[], []];
  const nameIn = (statement: string): string => /(\w+ \d+|[a-z]+ land|[a-z]+)\W*$/.exec(statement)?.[1] ?? statement;
  const scorer = {
    score: (pairs: readonly EntailmentPair[]) => {
      return Promise.resolve(
        pairs.map(({ premise, hypothesis }) => {
          scored.push(`${nameIn(premise)} > ${nameIn(hypothesis)}`);
          return { entailment: premise.length >= hypothesis.length ? 1 : 0 };
        }),
      );
    },
  };
  const run = {
    plan: { tasks: [] },
    resources: {
      recipe: { rpl: { rule: { kind: 'entailment' } } },
      scorer: () => scorer,
      thresholds: () => ({ rplMin: 0.5 }),
    },
    stages: () => Promise.resolve({ similarity: () => 0.9, tpe: { predict: () => Promise.resolve(['survey']) } }),
  } as unknown as CandidatesRun;
  const judge = new EquivalenceJudge(run, {} as StageContext, (pairs) => counted.push(pairs));
  const change = (name: string, column: number): ColumnChange =>
    ({ name, ref: { table: 0, column } }) as unknown as ColumnChange;
  return { ask: (a, b) => judge.areEquivalent(SCHEMA, 0, change(a, 0), change(b, 1)), scored, counted };
}

describe('EquivalenceJudge', () => {
  it('asks nothing about names with other numbers', async () => {
    const { ask, scored, counted } = judgeWith();
    expect(await Promise.all([ask('reply 2', 'response 3'), ask('reply 2', 'reply 12')])).toEqual([false, false]);
    expect([scored, counted]).toEqual([[], []]);
  });

  it('asks the second way only where the first holds, and counts the pairs', async () => {
    const { ask, scored, counted } = judgeWith();
    expect(await ask('land', 'native land')).toBe(false);
    expect(scored).toHaveLength(1);
    expect(await ask('reply', 'grade')).toBe(true);
    expect(scored).toHaveLength(3);
    expect(counted).toEqual([1, 2]);
  });
});

import { describe, expect, it } from 'vitest';
import type { CtaStages } from '../../../../src/pipeline.js';
import type { CandidatesRun } from '../../../../src/variants/candidates/candidates-run.js';
import type { ColumnChange } from '../../../../src/variants/relations/names/draw-perturbation.js';
import { EquivalenceJudge } from '../../../../src/variants/relations/names/equivalence-judge.js';
import type { EntailmentPair, StageContext } from '../../../../src/stage.js';
import { schemaOf } from '../schema/schema-fixture.js';

const SCHEMA = schemaOf('survey', { answer: 'first second' });
const WIDE = schemaOf('survey', { answer: Array.from({ length: 41 }, (_, i) => `c${i}`).join(' ') });

/** A judge to whom all words are so near, and who takes a name for one that it begins with; what it was asked about. */
function judgeWith(
  similarity = 0.9,
  schema = SCHEMA,
): { ask: (a: string, b: string) => Promise<boolean>; scored: string[]; counted: number[] } {
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
  } as unknown as CandidatesRun;
  const tpe = { predict: () => Promise.resolve(['survey']) };
  const stages = { similarity: () => similarity, tpe } as unknown as CtaStages;
  const judge = new EquivalenceJudge(run, stages, {} as StageContext, (pairs) => counted.push(pairs));
  const change = (name: string, column: number): ColumnChange =>
    ({ name, ref: { table: 0, column } }) as unknown as ColumnChange;
  return { ask: (a, b) => judge.areEquivalent(schema, 0, change(a, 0), change(b, 1)), scored, counted };
}

describe('EquivalenceJudge', () => {
  it('asks nothing about names with other numbers', async () => {
    const { ask, scored, counted } = judgeWith();
    expect(await Promise.all([ask('reply 2', 'response 3'), ask('reply 2', 'reply 12')])).toEqual([false, false]);
    expect([scored, counted]).toEqual([[], []]);
  });

  it('asks about nearer names alone where a table is wide', async () => {
    const counted = async (similarity: number, schema: typeof SCHEMA): Promise<number> => {
      const { ask, counted } = judgeWith(similarity, schema);
      await ask('land', 'native land');
      return counted.length;
    };
    expect([await counted(0.75, SCHEMA), await counted(0.65, SCHEMA)]).toEqual([1, 0]);
    expect([await counted(0.85, WIDE), await counted(0.75, WIDE)]).toEqual([1, 0]);
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

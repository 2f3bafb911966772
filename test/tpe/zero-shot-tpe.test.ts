import { describe, expect, test } from 'vitest';
import type { EntailmentScore, EntailmentScorer, TargetTable } from '../../src/stage.js';
import { ENTITY_LABELS } from '../../src/tpe/entity-labels.js';
import { ZeroShotTpe } from '../../src/tpe/zero-shot-tpe.js';
import { createContext, FakeScorer, scoreOf } from '../nli/nli-fixture.js';

const TABLE: TargetTable = {
  dbId: 'wikisql',
  table: {
    name: 'table 1',
    originalName: 'table_1',
    columns: ['name', 'age', 'height'].map((name) => ({ name, originalName: name, type: 'text' })),
  },
  questions: [],
  values: [['Ann', 'Bob', 'Cem'], ['31', '32', '33', '34'], []],
};

/** A scorer that likes one label. */
function fond(label: string): FakeScorer {
  return new FakeScorer(({ hypothesis }) => (hypothesis.includes(` ${label} `) ? 0.9 : 0.2));
}

describe('the entity labels', () => {
  test('are 48, distinct, lower case and singular noun phrases (ADVETA appendix B.2)', () => {
    expect(ENTITY_LABELS).toHaveLength(48);
    expect(new Set(ENTITY_LABELS).size).toBe(48);
    for (const label of ENTITY_LABELS) expect(label).toMatch(/^[a-z]+( [a-z]+)*$/);
  });
});

describe('ZeroShotTpe', () => {
  test.each(['actor', 'sports team', 'language'])('gives the label that is entailed most: %s', async (label) => {
    expect(await new ZeroShotTpe(fond(label)).predict([TABLE], createContext())).toEqual([label]);
  });

  test('compares raw logits over the labels, not each label’s own distribution', async () => {
    const scorer: EntailmentScorer = {
      id: 'logits',
      fingerprint: 'logits',
      score: async (pairs) =>
        pairs.map(({ hypothesis }): EntailmentScore => {
          if (hypothesis.includes(' city '))
            return { entailment: 0.4, neutral: 0.3, contradiction: 0.3, entailmentLogit: 9, reading: null };
          return { ...scoreOf(0.99), entailmentLogit: 1 };
        }),
    };
    expect(await new ZeroShotTpe(scorer).predict([TABLE], createContext())).toEqual(['city']);
  });

  test('asks every label once, of caption, columns and one of each column’s own values', async () => {
    const scorer = fond('actor');
    await new ZeroShotTpe(scorer).predict([TABLE], createContext());
    expect(scorer.asked).toHaveLength(48);
    const [premise] = new Set(scorer.asked.map((pair) => pair.premise));
    expect(premise).toMatch(/^table 1: name (Ann|Bob|Cem), age 3[1-4], height\.$/);
    expect(new Set(scorer.asked.map((pair) => pair.premise)).size).toBe(1);
    expect(new Set(scorer.asked.map((pair) => pair.hypothesis)).size).toBe(48);
  });

  test('draws the values by seed and table alone', async () => {
    const premise = async (seed: number, before: readonly TargetTable[] = []): Promise<string> => {
      const scorer = fond('actor');
      await new ZeroShotTpe(scorer).predict([...before, TABLE], createContext(seed));
      return scorer.asked.at(-1)!.premise;
    };
    expect(await premise(1)).toBe(await premise(1));
    expect(await premise(1, [{ ...TABLE, dbId: 'other' }])).toBe(await premise(1));
    expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => premise(seed)))).size).toBeGreaterThan(1);
  });

  test('answers a batch in order and leaves its input', async () => {
    const input = structuredClone([TABLE, { ...TABLE, dbId: 'b' }]);
    expect(await new ZeroShotTpe(fond('film')).predict(input, createContext())).toEqual(['film', 'film']);
    expect(input).toEqual([TABLE, { ...TABLE, dbId: 'b' }]);
    expect(await new ZeroShotTpe(fond('film')).predict([], createContext())).toEqual([]);
  });
});

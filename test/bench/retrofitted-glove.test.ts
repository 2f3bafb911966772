import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WordNet, wordnetFolder } from '../../src/dictionary/wordnet-reader.js';
import { createWordGraph, relatedWords, retrofit, retrofitGlove } from '../../bench/word-vectors/retrofitted-glove.js';

function graphOf(...rows: readonly (readonly number[])[]): ReturnType<typeof createWordGraph> {
  return createWordGraph(rows.map((row) => new Set(row)));
}

describe('retrofit (Faruqui et al. 2015)', () => {
  test('one step takes the mean of the own vector and the mean of the neighbors, in place', () => {
    const once = retrofit(Float32Array.of(0, 4, 8), 1, graphOf([1, 2], [0], []), { iterations: 1, alpha: 1, beta: 1 });
    expect([...once]).toEqual([3, 3.5, 8]); // (0 + (4 + 8) / 2) / 2, then (4 + 3) / 2
  });

  test('settles where every word is the mean of its own and its neighbors’ vectors', () => {
    const settled = retrofit(Float32Array.of(0, 3), 1, graphOf([1], [0]), { iterations: 60, alpha: 1, beta: 1 });
    expect(settled[0]).toBeCloseTo(1, 5);
    expect(settled[1]).toBeCloseTo(2, 5);
  });

  test('leaves its input and words without neighbors as they are', () => {
    const vectors = Float32Array.of(1, 2, 3, 4, 5, 6);
    const moved = retrofit(vectors, 2, graphOf([1], [0], []));
    expect([...vectors]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...moved.subarray(4)]).toEqual([5, 6]);
  });

  test('brings related words no farther apart', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }), (values) => {
        const vectors = Float32Array.from(values);
        const moved = retrofit(vectors, 2, graphOf([1], [0]));
        const gap = (v: Float32Array): number =>
          Math.hypot((v[0] as number) - (v[2] as number), (v[1] as number) - (v[3] as number));
        expect(gap(moved)).toBeLessThanOrEqual(gap(vectors) + 1e-6);
      }),
    );
  });

  test('refuses vectors that do not fit the graph', () => {
    expect(() => retrofit(new Float32Array(3), 2, graphOf([], []))).toThrow(RangeError);
  });
});

describe('terms from GloVe and WordNet', () => {
  const wordnet = WordNet.load(wordnetFolder());

  test('relate synonyms, and in WN_all kinds as well', () => {
    expect(relatedWords(wordnet, 'salary', 'synonyms')).toContain('wage');
    expect(relatedWords(wordnet, 'zip_code', 'synonyms')).toContain('postcode');
    expect(relatedWords(wordnet, 'car', 'all')).toContain('motor_vehicle');
    expect(relatedWords(wordnet, 'car', 'synonyms')).not.toContain('motor_vehicle');
    expect(relatedWords(wordnet, 'salary', 'all')).not.toContain('salary');
  });

  test('are single words in order of frequency, then known multi-word nouns', () => {
    const words = ['the', 'code', ',', 'zip', 'postal', '42', 'salary', 'wage', 'salaries', 'blue', 'whale'];
    const glove = {
      dimension: words.length,
      words,
      vectorOf: (word: string) => words.map((other) => (other === word ? 1 : 0)),
    };
    const made = retrofitGlove(glove, wordnet, { singleWords: 10, multiWords: 10 });
    expect(made.terms.slice(0, made.rankedCount)).toEqual([
      'the',
      'code',
      'zip',
      'postal',
      'salary',
      'wage',
      'salaries',
      'blue',
      'whale',
    ]);
    expect(made.terms.slice(made.rankedCount)).toEqual(['zip_code', 'postal_code']);
    const [salary, salaries] = [made.vectors[4], made.vectors[6]];
    expect(salary?.[words.indexOf('wage')]).toBeGreaterThan(0.2);
    expect(salaries?.[words.indexOf('salary')]).toBeGreaterThan(0.2);
    expect(made.vectors.flatMap((vector) => [...vector]).every(Number.isFinite)).toBe(true);
    expect(made.vectors.at(-1)?.[words.indexOf('zip')]).toBeGreaterThan(0.1);
  });
});

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { embeddedVectorsPath } from '../../src/reranker/embedded-vectors.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import { WordVectorRanker } from '../../src/reranker/word-vector-ranker.js';

const path = embeddedVectorsPath();
const figure = z.object({ benchmark: z.string(), pairs: z.number(), known: z.number(), spearman: z.number() });
const manifestSchema = z.object({
  name: z.string(),
  revision: z.string(),
  sha256: z.string(),
  dimension: z.number(),
  count: z.number(),
  figures: z.object({ before: z.array(figure), after: z.array(figure) }),
});
const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(dirname(path), 'manifest.json'), 'utf8')));
const simlex = '../shared/data/words/simlex999.txt';

let vectors: VectorFile;
let ranker: WordVectorRanker;
let bytesHeld: number;
beforeAll(async () => {
  const before = process.memoryUsage().arrayBuffers;
  vectors = await VectorFile.open(path);
  bytesHeld = process.memoryUsage().arrayBuffers - before;
  ranker = new WordVectorRanker(vectors);
});

function similarity(a: string, b: string): number {
  return ranker.similarity(a, b) ?? Number.NaN;
}

describe('the embedded retrofitted-glove vectors', () => {
  test('are what their manifest says, in at most 8 MB', () => {
    expect(manifest).toMatchObject({
      name: vectors.name,
      revision: vectors.header.revision,
      dimension: vectors.dimension,
      count: vectors.count,
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
    });
    expect(vectors.count).toBeGreaterThan(58_000);
    expect(statSync(path).size).toBeLessThanOrEqual(8_000_000);
  });

  test('take little more memory than their file', () => {
    expect(bytesHeld).toBeLessThan(2 * statSync(path).size);
  });

  test.each([
    ['country', 'nation', 'salary'],
    ['salary', 'wage', 'country'],
    ['zip code', 'postal code', 'salary'],
    ['phone number', 'telephone number', 'zip code'],
    ['date of birth', 'birth date', 'home town'],
    ['singer name', 'artist name', 'song year'],
    ['nationality', 'citizenship', 'height'],
    ['Home_Town', 'hometown', 'Stadium_Capacity'],
    ['students', 'pupils', 'airports'],
  ])('find %s nearer to %s than to %s', (name, near, far) => {
    expect(similarity(name, near)).toBeGreaterThan(similarity(name, far));
  });

  test('rank words by frequency, multi-word terms not at all', () => {
    expect(ranker.frequencyRank('country')).toBeLessThan(500);
    expect(ranker.frequencyRank('nation')).toBeGreaterThan(ranker.frequencyRank('country') as number);
    expect(ranker.frequencyRank('palimpsest')).toBeGreaterThan(20_000);
    expect(vectors.indexOf('zip_code')).toBeGreaterThan(0);
    expect(ranker.frequencyRank('zip_code')).toBeNull();
    expect(ranker.frequencyRank('xqzzt')).toBeNull();
  });

  test('name the nearest terms in natural words', () => {
    const names = ranker.nearestTerms('zip code', 50).map(({ name }) => name);
    expect(names).toContain('postal code');
    expect(names).toHaveLength(50);
    expect(names.join()).not.toMatch(/_/);
  });

  test('gained on SimLex-999 by retrofitting', () => {
    const spearman = (step: 'before' | 'after'): number =>
      manifest.figures[step].find(({ benchmark }) => benchmark === 'SimLex-999')?.spearman ?? Number.NaN;
    expect(spearman('after')).toBeGreaterThan(spearman('before') + 0.05);
  });

  test.skipIf(!existsSync(simlex))('know the words of SimLex-999 (needs ../shared/data/words)', () => {
    const pairs = readFileSync(simlex, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const known = pairs.filter(([a = '', b = '']) => ranker.similarity(a, b) !== null);
    expect(known.length / pairs.length).toBeGreaterThan(0.99);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cosine, phraseVector } from '../../src/reranker/phrase-vector.js';
import type { VectorFile } from '../../src/reranker/vector-file.js';
import { temporaryFolder, vectorsOf } from './vector-fixture.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

let vectors: VectorFile;
beforeAll(async () => {
  vectors = await vectorsOf(folder.path, {
    home: [1, 0, 0, 0, 0],
    town: [0, 1, 0, 0, 0],
    city: [0, 0.9, 0.1, 0, 0],
    zip: [0, 0, 1, 0, 0],
    code: [0, 0, 0, 1, 0],
    zip_code: [0, 0, 0, 0, 1],
    of: [1, 1, 1, 1, 1],
    '####': [1, -1, 0, 0, 0],
    against: [-1, 0, 0, 0, 0],
    found: [0, 0, 1, 1, 0],
  });
});

function similar(a: string, b: string): number | null {
  const [x, y] = [phraseVector(vectors, a), phraseVector(vectors, b)];
  return x === null || y === null ? null : cosine(x, y);
}

describe('the vector of a column name', () => {
  test.each([
    ['Zip Code', 'zip_code'],
    ['zip  codes', 'zip_code'],
    ['ZipCode', 'zip_code'],
    ['zip-code', 'zip_code'],
    ['HomeTown', 'home town'],
    ['HOME_TOWN', 'home town'],
    ['home (town)', 'home town'],
    ['home-town', 'home town'],
    ['cities', 'city'],
    ["town's", 'town'],
    ['founded', 'found'],
    ['town of home', 'home town'],
    ['the town', 'town'],
    ['town xqzzt', 'town'],
    ['1998', '2004'],
    ['town 2010', '1999 town'],
  ])('is the same for "%s" and "%s"', (a, b) => {
    expect(similar(a, b)).toBeCloseTo(1, 5);
  });

  test('takes the longest known n-gram before its words', () => {
    expect(similar('home zip code', 'zip')).toBe(0);
    expect(similar('home zip code', 'zip_code')).toBeCloseTo(Math.SQRT1_2, 2);
  });

  test('uses function words when there is nothing else', () => {
    expect(similar('of', 'of')).toBeCloseTo(1, 5);
  });

  test.each(['', '   ', '#', '—', '😀', 'xqzzt', '7', 'home against'])('is null for "%s"', (name) => {
    expect(phraseVector(vectors, name)).toBeNull();
  });

  test('has unit length or is null, for any text', () => {
    const words = fc.constantFrom('home', 'town', 'Zip', 'code', 'of', '2010', '-', "'", 'xq', 'Cities', '_', '😀');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((list) => list.join(' ')),
        ),
        (name) => {
          const vector = phraseVector(vectors, name);
          if (vector !== null) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        },
      ),
    );
  });

  test('gives cosines that are symmetric and within -1 and 1', () => {
    const names = fc.array(fc.constantFrom('home', 'town', 'city', 'zip', 'code', 'against', '####'), { minLength: 1 });
    fc.assert(
      fc.property(names, names, (a, b) => {
        const there = similar(a.join(' '), b.join(' '));
        expect(similar(b.join(' '), a.join(' '))).toBe(there);
        if (there !== null) expect(Math.abs(there)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

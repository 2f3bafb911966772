import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssignableChunk, assignChunks } from '../../../src/annotate/project/chunks.js';

const fresh = (sizes: readonly number[]): readonly AssignableChunk[] =>
  sizes.map((items, i) => ({ id: i + 1, items, has: [], begun: [] }));

const loadOf = (
  name: string,
  chunks: readonly AssignableChunk[],
  given: ReadonlyMap<number, readonly string[]>,
): number => chunks.reduce((sum, { id, items }) => sum + (given.get(id)!.includes(name) ? items : 0), 0);

const sizes = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 40 });
const people = fc.integer({ min: 1, max: 6 }).map((n) => ['Ada', 'Ben', 'Cleo', 'Dora', 'Eli', 'Fay'].slice(0, n));
const overlap = fc.integer({ min: 1, max: 4 });

describe('assignChunks', () => {
  it('gives each chunk to as many as asked for, none twice, loads even up to the largest chunk', () => {
    fc.assert(
      fc.property(sizes, people, overlap, fc.integer(), (counts, names, wanted, seed) => {
        const chunks = fresh(counts);
        const given = assignChunks(chunks, names, wanted, seed);
        for (const { id } of chunks) {
          const has = given.get(id)!;
          expect(new Set(has).size).toBe(has.length);
          expect(has.length).toBe(Math.min(wanted, names.length));
        }
        const loads = names.map((name) => loadOf(name, chunks, given));
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(Math.max(...counts));
        expect(assignChunks(chunks, names, wanted, seed)).toEqual(given);
      }),
    );
  });

  it('keeps what is begun, and moves nothing where everyone has their share', () => {
    fc.assert(
      fc.property(sizes, people, overlap, fc.integer(), (counts, names, wanted, seed) => {
        const first = assignChunks(fresh(counts), names, wanted, seed);
        const chunks = fresh(counts).map((chunk) => {
          const has = first.get(chunk.id)!;
          return { ...chunk, has, begun: has.slice(0, chunk.id % 2) };
        });
        expect(assignChunks(chunks, names, wanted, seed + 1)).toEqual(first);
        const joined = assignChunks(chunks, [...names, 'Gus'], wanted, seed);
        for (const { id, begun, has } of chunks) {
          expect(joined.get(id)).toEqual(expect.arrayContaining([...begun]));
          expect(joined.get(id)!.length).toBe(Math.max(has.length, Math.min(wanted, names.length + 1)));
        }
      }),
    );
  });

  it('gives someone who joins a fair share of what is not begun', () => {
    const chunks = fresh([5, 5, 5, 5, 5, 5]).map((chunk) => ({ ...chunk, has: [chunk.id % 2 === 0 ? 'Ada' : 'Ben'] }));
    const given = assignChunks(chunks, ['Ada', 'Ben', 'Cleo'], 1, 0);
    expect(loadOf('Cleo', chunks, given)).toBe(10);
    const begun = chunks.map((chunk) => ({ ...chunk, begun: chunk.has }));
    expect(loadOf('Cleo', begun, assignChunks(begun, ['Ada', 'Ben', 'Cleo'], 1, 0))).toBe(0);
  });

  it('lets every two annotators come to share chunks', () => {
    const given = assignChunks(fresh(Array.from({ length: 40 }, () => 10)), ['Ada', 'Ben', 'Cleo', 'Dora'], 2, 0);
    expect(new Set([...given.values()].map((has) => [...has].sort().join())).size).toBe(6);
  });
});

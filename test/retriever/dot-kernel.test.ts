import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DotKernel, maxRows, rowStride } from '../../src/retriever/dot-kernel.js';

const component = fc.integer({ min: -127, max: 127 });
/** Rows of one dimension, any. */
const rows = fc
  .integer({ min: 1, max: 70 })
  .chain((dimension) =>
    fc.array(fc.array(component, { minLength: dimension, maxLength: dimension }), { minLength: 2, maxLength: 9 }),
  );

function kernelOf(vectors: readonly (readonly number[])[], kind: 'fastest' | 'plain'): DotKernel {
  const kernel = new DotKernel(vectors[0]!.length, vectors.length, kind);
  for (const [position, vector] of vectors.entries()) kernel.row(position).set(vector);
  return kernel;
}

describe('DotKernel', () => {
  // A memory of WebAssembly reserves address space, so only a few runs.
  it.each(['fastest', 'plain'] as const)('gives the dot products of stored vectors, %s', (kind) => {
    fc.assert(
      fc.property(rows, ([query, ...vectors]) => {
        const kernel = kernelOf(vectors, kind);
        kernel.setStoredQuery(Int8Array.from(query!));
        const expected = vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * query![i]!, 0));
        expect([...kernel.dots(0, vectors.length)]).toEqual(expected);
        expect([...kernel.dots(vectors.length - 1, 1)]).toEqual(expected.slice(-1));
        expect(kernel.dots(0, 0)).toHaveLength(0);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps the order of cosines of a query that is a vector of floats, without overflow', () => {
    for (const dimension of [16, 384, 4096]) {
      const kernel = new DotKernel(dimension, 2);
      kernel.row(0).fill(127);
      kernel.row(1).fill(127, 0, dimension / 2);
      kernel.setQuery(new Float32Array(dimension).fill(1 / Math.sqrt(dimension)));
      const [whole, half] = kernel.dots(0, 2);
      expect(whole).toBeGreaterThan(0);
      expect(whole! / half!).toBeCloseTo(2, 3);
    }
  });

  it('pads rows to sixteen components and refuses more rows than it can address', () => {
    expect([1, 16, 17, 384].map(rowStride)).toEqual([16, 16, 32, 384]);
    expect(maxRows(384)).toBeGreaterThan(9e6);
    expect(() => new DotKernel(384, 1e8)).toThrow(RangeError);
  });
});

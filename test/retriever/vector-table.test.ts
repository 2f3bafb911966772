import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize, VectorTable } from '../../src/retriever/vector-table.js';

function unit(values: readonly number[]): Float32Array {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
}

const vectors = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map(unit);

describe('VectorTable', () => {
  it('keeps cosines to within 0.01', () => {
    fc.assert(
      fc.property(vectors, vectors, (a, b) => {
        const table = new VectorTable(new Uint8Array(quantize(b).buffer), 64);
        const exact = a.reduce((sum, value, place) => sum + value * b[place]!, 0);
        expect(Math.abs(table.cosine(a, 0) - exact)).toBeLessThan(0.01);
        expect(Math.hypot(...table.unit(0))).toBeCloseTo(1, 10);
      }),
    );
  });

  it('uses the whole range of a byte whatever the length of the vector', () => {
    const vector = Float32Array.of(0.001, -0.002, 0.0005);
    expect([...quantize(vector)]).toEqual([64, -127, 32]);
    expect([...quantize(vector.map((value) => value * 1000))]).toEqual([64, -127, 32]);
  });
});

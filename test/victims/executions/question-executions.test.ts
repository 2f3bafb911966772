import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderOutcome } from '../../../src/victims/executions/executing-victim.js';

const value = fc.oneof(
  fc.constant(null),
  fc.bigInt(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array(),
  fc.record({ text: fc.uint8Array() }),
);

it('renders rows as JSON of at most so many bytes, as many from the first on as fit', () => {
  const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { maxLength: 30 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 60, max: 2_000 }), (given, bytes) => {
      const render = (most: number): string =>
        renderOutcome({ kind: 'rows', columns: ['a', 'b'], rows: given }, most, 1_000);
      const text = render(bytes);
      const shown = JSON.parse(text) as { rows: unknown[]; truncated: boolean };
      const all = JSON.parse(render(Infinity)) as typeof shown;
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      expect(all).toMatchObject({ truncated: false });
      expect(all.rows).toHaveLength(given.length);
      expect(shown.rows).toEqual(all.rows.slice(0, shown.rows.length));
      expect(shown.truncated).toBe(shown.rows.length < given.length);
    }),
  );
});

import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { type ParquetField, parquetChunks } from '../../../src/formats/exports/parquet-chunks.js';

const FIELDS = {
  name: 'text',
  turns: [{ role: 'text', at: 'int' }],
  about: { index: 'int', inner: { text: 'text' } },
} as const satisfies Readonly<Record<string, ParquetField>>;

const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const text = fc.string({ unit: 'grapheme' });
const ROW = fc.record(
  {
    name: text,
    turns: fc.array(fc.record({ role: text, at: int }, { noNullPrototype: true }), { maxLength: 4 }),
    about: fc.record({ index: int, inner: fc.record({ text }, { noNullPrototype: true }) }, { noNullPrototype: true }),
  },
  { noNullPrototype: true },
);

async function read(chunks: Iterable<Uint8Array>): Promise<unknown> {
  const bytes = Buffer.concat([...chunks]);
  return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) });
}

describe('rows as Parquet', () => {
  it('are read as they were written, records and lists in them', () =>
    fc.assert(
      fc.asyncProperty(fc.array(ROW, { maxLength: 20 }), async (rows) => {
        expect(await read(parquetChunks(rows, FIELDS))).toEqual(rows);
      }),
    ));

  it('are taken no faster than they are written', async () => {
    let taken = 0;
    function* rows(): Generator<{ readonly name: string }> {
      for (; taken < 2_500; taken++) yield { name: `row ${taken}` };
    }
    const chunks: Uint8Array[] = [];
    const seen: number[] = [];
    for (const chunk of parquetChunks(rows(), { name: 'text' })) {
      chunks.push(chunk);
      seen.push(taken);
    }
    expect(seen).toEqual([999, 1_999, 2_500, 2_500]);
    expect(await read(chunks)).toHaveLength(2_500);
  });
});

import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { Dataset, DatasetExample } from '../../../src/formats/dataset.js';
import { exportParquet } from '../../../src/formats/exports/huggingface-export.js';
import type { OutputSchema, OutputSet } from '../../../src/formats/output-set.js';
import type { Database } from '../../../src/schema/schema.js';

const SHOP: Database = {
  id: 'shop',
  tables: [{ name: 'item', originalName: 'item', columns: [{ name: 'id', originalName: 'id', type: 'number' }] }],
  primaryKeys: [],
  foreignKeys: [],
};

/** Originals that are made when they are asked for. */
function setOf(size: number): OutputSet {
  function* examples(): Generator<DatasetExample> {
    for (let i = 0; i < size; i++) {
      const id = `train:${i}`;
      yield { id, group: id, dbId: 'shop', question: `Question ${i}?`, query: `SELECT ${i}`, record: {} };
    }
  }
  const schema = { schema: SHOP, origin: 'shop', columns: [[0]] };
  return {
    input: { format: 'spider', size, examples } as unknown as Dataset,
    schemas: [schema],
    *examples() {
      for (const source of examples()) yield { source, kind: 'original', schema, query: source.query };
    },
    sqliteFile: () => null,
  };
}

/** Files with their chunks, as they come. */
function write(set: OutputSet): ReadonlyMap<string, readonly (string | Uint8Array)[]> {
  const files = new Map<string, readonly (string | Uint8Array)[]>();
  const folder = {
    write: (name: string, content: string | Iterable<string | Uint8Array>) => {
      files.set(name, typeof content === 'string' ? [content] : [...content]);
    },
  };
  exportParquet(set, folder, { fieldsOf: () => ({}) });
  return files;
}

const bufferOf = (chunks: readonly (string | Uint8Array)[]): ArrayBuffer =>
  new Uint8Array(Buffer.concat(chunks as readonly Uint8Array[])).buffer;

test('a small set is one file for each kind', async () => {
  const files = write(setOf(3));
  expect([...files.keys()].filter((name) => name.endsWith('.parquet'))).toEqual(
    ['original', 'rpl', 'add'].map((kind) => `parquet/data/${kind}.parquet`),
  );
  const rows = await parquetReadObjects({ file: bufferOf(files.get('parquet/data/original.parquet')!) });
  expect(rows.map(({ query }) => query as string)).toEqual(['SELECT 0', 'SELECT 1', 'SELECT 2']);
  expect(parquetMetadata(bufferOf(files.get('parquet/data/rpl.parquet')!)).num_rows).toBe(0n);
});

test('a large set is several files, each written row group by row group', async () => {
  const files = write(setOf(100_001));
  const names = [...files.keys()].filter((name) => name.includes('original'));
  expect(names).toEqual([0, 1].map((i) => `parquet/data/original-0000${i}-of-00002.parquet`));
  const [first = [], second = []] = names.map((name) => files.get(name)!);
  const { num_rows: rows, row_groups: groups } = parquetMetadata(bufferOf(first));
  expect([rows, groups.length]).toEqual([100_000n, 100]);
  const size = bufferOf(first).byteLength;
  expect(Math.max(...first.map(({ length }) => length))).toBeLessThan(size / 5);
  const [last] = await parquetReadObjects({ file: bufferOf(second) });
  expect(last).toMatchObject({ id: 'train:100000', question: 'Question 100000?' });
  expect(files.get('parquet/README.md')?.[0]).toContain('path: data/original*.parquet');
});

test('the card counts rows whose gold SQL names no renamed column', () => {
  const whole = setOf(2);
  const [schema] = whole.schemas as [OutputSchema];
  const made = [
    ...[
      ['RPL', 'SELECT 0'],
      ['RPL', 'SELECT id'],
      ['ADD', 'SELECT 0'],
    ],
    ['mixed', 'SELECT 0'],
  ] as const;
  const set: OutputSet = {
    ...whole,
    *examples(only) {
      yield* whole.examples(only);
      const [source] = whole.input.examples();
      for (const [kind, query] of made) yield { source: source!, kind: kind, schema, query: query };
    },
  };
  const card = String(write(set).get('parquet/README.md')?.[0]);
  expect(card).toContain('1 of the 2 rows of `rpl` and 1 of the 1 rows of `mixed` keep the gold SQL of their original');
  expect(card).toContain('`original`, `RPL`, `ADD` or `mixed`');
  expect(String(write(whole).get('parquet/README.md')?.[0])).not.toContain('keep the gold SQL');
});

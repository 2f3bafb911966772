import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseColumnLists } from '../../src/bank/bank-lists.js';
import { shortenVector } from '../../src/bank/column-bank.js';
import { tableText } from '../../src/retriever/table-context.js';
import { HashingEmbedder } from '../retriever/hashing-embedder.js';
import { createFolder } from '../run/run-fixture.js';

/** Writes a bank of the given lists, its vectors those of the embedder, uncut. */
export async function writeBank(lists: string, embedder = new HashingEmbedder()): Promise<string> {
  const tables = parseColumnLists(lists);
  const names = [...new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  const { dimension } = embedder;
  const identity = Float32Array.from({ length: dimension ** 2 }, (_, i) => (i % (dimension + 1) === 0 ? 1 : 0));
  const { signal } = new AbortController();
  const packed = async (texts: readonly string[]): Promise<Buffer> =>
    Buffer.concat(
      (await embedder.embed(texts, signal)).map((one) => Buffer.from(shortenVector(one, identity, dimension))),
    );
  const files = {
    'columns.txt': Buffer.from(lists),
    'names.i8': await packed(names),
    'tables.i8': await packed(tables.map(({ field, entities, columns }) => tableText(field, entities[0]!, columns))),
    'projection.f32': Buffer.from(identity.buffer),
  };
  const folder = join(createFolder(), 'bank');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const hashes = Object.entries(files).map(([name, bytes]) => [
    name,
    { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  ]);
  const counts = {
    tables: tables.length,
    columns: tables.flatMap((table) => table.columns).length,
    names: names.length,
  };
  const manifest = {
    kind: 'perturbql-column-bank',
    version: 1,
    encoder: embedder.model,
    dimension,
    ...counts,
    files: Object.fromEntries(hashes) as object,
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

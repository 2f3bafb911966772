import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IndexMismatchError } from '../../src/errors.js';
import { HnswRetriever } from '../../src/retriever/hnsw-retriever.js';
import { openIndex } from '../../src/retriever/open-index.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { build, createFiles, createFolder, createTables } from './retriever-fixture.js';

async function createIndex(): Promise<string> {
  const folder = await createFolder();
  await build(folder, createTables(40));
  return folder;
}

async function errorOf(
  folder: string,
  embedder: HashingEmbedder | null = new HashingEmbedder(),
): Promise<IndexMismatchError> {
  const error: unknown = await openIndex(folder, embedder).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof IndexMismatchError)) throw new Error(`no IndexMismatchError but ${String(error)}`);
  return error;
}

async function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

describe('openIndex', () => {
  it('opens a sound index, and without an encoder too', async () => {
    const folder = await createIndex();
    const index = await openIndex(folder, new HashingEmbedder());
    expect(index.size).toBe(40);
    expect((await openIndex(folder, null)).fingerprint).toBe(index.fingerprint);
    expect(() => index.table(40)).toThrow(RangeError);
  });

  it('refuses another dimension, naming both and the command that repairs it', async () => {
    const error = await errorOf(await createIndex(), new HashingEmbedder(48));
    expect(error.message).toMatch(/hashing .*32 dimensions.*hashing .*48 dimensions/u);
    expect(error.fix).toContain('perturbql index build --from');
  });

  it('refuses another encoder of the same dimension, naming both', async () => {
    const error = await errorOf(await createIndex(), new HashingEmbedder(32, 'another'));
    expect(error.message).toMatch(/encoder hashing .*in use is another/u);
  });

  it.each(['tables.jsonl', 'vectors.i8', 'hnsw.bin'])('refuses a changed, cut or missing %s', async (file) => {
    const folder = await createIndex();
    const path = join(folder, file);
    const bytes = await readFile(path);
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1]! ^= 1;
    await writeFile(path, changed);
    expect((await errorOf(folder)).message).toContain('sha256');
    await writeFile(path, bytes);
    await truncate(path, bytes.length - 1);
    expect((await errorOf(folder)).message).toContain('bytes');
    await rm(path);
    const error = await errorOf(folder);
    expect(error.message).toContain(`has no ${file}`);
    expect(error.where.file).toBe(path);
    expect(error.fix).toContain('perturbql index build --from');
  });

  it.each(['manifest.json', 'vectors.i8'])('knows a Git LFS pointer in place of %s', async (file) => {
    const folder = await createIndex();
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    await writeFile(join(folder, file), pointer);
    const error = await errorOf(folder);
    expect(error.message).toContain('LFS');
    expect(error.fix).toContain('git lfs pull');
  });

  it('refuses a folder without a manifest, with one that is not JSON, and one of another kind', async () => {
    expect((await errorOf(await createFolder())).message).toContain('no manifest.json');
    expect((await errorOf(await createFiles({ 'manifest.json': '{' }))).message).toContain('not JSON');
    expect((await errorOf(await createFiles({ 'manifest.json': '{"kind":"model"}' }))).message).toContain('kind');
  });

  it('refuses an index of another version, table text, or count', async () => {
    const folder = await createIndex();
    await changeManifest(folder, (manifest) => (manifest['count'] = 39));
    expect((await errorOf(folder)).message).toContain('39 vectors');
    await changeManifest(folder, (manifest) => (manifest['contextVersion'] = 99));
    expect((await errorOf(folder)).message).toContain('version 99');
    await changeManifest(folder, (manifest) => (manifest['version'] = 2));
    expect((await errorOf(folder)).message).toContain('version');
  });

  it('refuses a graph of other vectors', async () => {
    const [folder, other] = [await createIndex(), await createFolder()];
    await build(other, createTables(41));
    for (const file of ['hnsw.bin', 'hnsw.json'])
      await writeFile(join(folder, file), await readFile(join(other, file)));
    expect((await errorOf(folder)).message).toContain('other vectors');
  });

  it('reports a graph that hnswlib can not read', async () => {
    const index = await openIndex(await createIndex(), new HashingEmbedder());
    await truncate(index.graphPath, 100);
    await expect(HnswRetriever.create(index, new HashingEmbedder())).rejects.toThrow(IndexMismatchError);
  });
});

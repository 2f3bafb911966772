import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError, RunFolderError } from '../../src/errors.js';
import { CorpusFilter } from '../../src/retriever/corpus-filter.js';
import { buildGraph } from '../../src/retriever/hnsw-graph.js';
import type { BuildProgress } from '../../src/retriever/index-builder.js';
import { openIndex } from '../../src/retriever/open-index.js';
import { builtModule } from '../run/run-fixture.js';
import { HashingEmbedder } from './hashing-embedder.js';
import { build, createFiles, createFolder, createTables, readFolder } from './retriever-fixture.js';

const TABLES = createTables(300);

function stopAfter(texts: number): HashingEmbedder {
  const embedder = new HashingEmbedder();
  embedder.beforeBatch = (done) => {
    if (done >= texts) throw new Error('killed');
  };
  return embedder;
}

describe('buildIndex', () => {
  it('gives the same bytes for the same corpus, and nothing else in the folder', async () => {
    const [one, two] = [await createFolder(), await createFolder()];
    await build(one, TABLES);
    await build(two, TABLES);
    const files = await readFolder(one);
    expect(await readFolder(two)).toEqual(files);
    expect(Object.keys(files)).toEqual(['hnsw.bin', 'hnsw.json', 'manifest.json', 'tables.jsonl', 'vectors.i8']);
  });

  it('makes an index that opens with all tables in order', async () => {
    const folder = await createFolder();
    const report = await build(folder, TABLES);
    const index = await openIndex(folder, new HashingEmbedder());
    expect([...index.tables()]).toEqual(TABLES);
    expect(report).toMatchObject({
      embedded: 300,
      reused: 0,
      search: 'graph',
      manifest: { count: 300, dimension: 32 },
    });
  });

  it('goes on where a failed build stopped, to the same bytes', async () => {
    const [whole, folder] = [await createFolder(), await createFolder()];
    await build(whole, TABLES);
    await expect(build(folder, TABLES, { embedder: stopAfter(128) })).rejects.toThrow('killed');
    const embedder = new HashingEmbedder();
    const report = await build(folder, TABLES, { embedder });
    expect(report).toMatchObject({ embedded: 172, reused: 128 });
    expect(embedder.texts).toBe(172);
    expect(await readFolder(folder)).toEqual(await readFolder(whole));
  });

  it('ignores a torn and a damaged record of the journal', async () => {
    const [whole, folder] = [await createFolder(), await createFolder()];
    await build(whole, TABLES);
    await expect(build(folder, TABLES, { embedder: stopAfter(128) })).rejects.toThrow('killed');
    const journal = join(folder, 'vectors.journal');
    await truncate(journal, (await stat(journal)).size - 5);
    const bytes = await readFile(journal);
    bytes[40]! ^= 0xff;
    await writeFile(journal, bytes);
    expect(await build(folder, TABLES)).toMatchObject({ embedded: 174, reused: 126 });
    expect(await readFolder(folder)).toEqual(await readFolder(whole));
  });

  it('does not take the vectors of another encoder', async () => {
    const folder = await createFolder();
    await expect(build(folder, TABLES, { embedder: stopAfter(128) })).rejects.toThrow('killed');
    expect(await build(folder, TABLES, { embedder: new HashingEmbedder(32, 'other') })).toMatchObject({ reused: 0 });
  });

  it('embeds only the new tables of a corpus that has grown', async () => {
    const [whole, folder] = [await createFolder(), await createFolder()];
    await build(whole, TABLES);
    await build(folder, TABLES.slice(0, 280));
    expect(await build(folder, TABLES)).toMatchObject({ embedded: 20, reused: 280 });
    expect(await readFolder(folder)).toEqual(await readFolder(whole));
  });

  it('stops when it is aborted and lets go of the folder', async () => {
    const folder = await createFolder();
    const controller = new AbortController();
    const onProgress = ({ step, done }: BuildProgress): void => {
      if (step === 'embed' && done >= 64) controller.abort(new Error('stopped by the test'));
    };
    const stopped = build(folder, TABLES, { signal: controller.signal, onProgress });
    await expect(stopped).rejects.toThrow('stopped by the test');
    expect(await build(folder, TABLES)).toMatchObject({ reused: 64 });
  });

  it('reports its progress up to the end of each step', async () => {
    const progress: BuildProgress[] = [];
    await build(await createFolder(), TABLES, { onProgress: (event) => void progress.push(event) });
    expect(progress.filter(({ done, total }) => done === total).map(({ step }) => step)).toEqual([
      'read',
      'embed',
      'graph',
    ]);
    expect(progress.filter(({ step }) => step === 'embed').map(({ done }) => done)).toContain(160);
  });

  it('records what was left out, and gives repeated ids a number', async () => {
    const folder = await createFolder();
    const wide = { ...TABLES[3]!, columns: ['a1b', 'bb', 'cc', 'dd', 'ee', 'ff'] };
    const twin = { ...TABLES[1]!, id: 't0' };
    const report = await build(folder, [TABLES[0]!, twin, wide, TABLES[0]!]);
    expect(report.manifest.skipped).toEqual({ 'duplicate table': 1, 'over 5 columns': 1 });
    const index = await openIndex(folder, null);
    expect([...index.tables()].map(({ id }) => id)).toEqual(['t0', 't0~2']);
  });

  it('refuses a corpus of which nothing is kept, saying why', async () => {
    const refused = build(await createFolder(), TABLES, { filter: new CorpusFilter({ maxColumns: 2 }) });
    await expect(refused).rejects.toThrow(InputFormatError);
    await expect(build(await createFolder(), TABLES, { filter: new CorpusFilter({ maxColumns: 2 }) })).rejects.toThrow(
      'over 2 columns: 300',
    );
  });

  it('refuses a folder that holds something else, and touches nothing in it', async () => {
    for (const files of [{ 'thesis.txt': 'years of work' }, { 'manifest.json': '{"kind":"model"}' }]) {
      const folder = await createFiles(files);
      await expect(build(folder, TABLES)).rejects.toThrow(ConfigError);
      expect(await readdir(folder)).toEqual(Object.keys(files));
    }
  });

  it('builds next to the corpus that it is made from', async () => {
    const folder = await createFiles({ 'README.md': 'the starter index' });
    await mkdir(join(folder, 'corpus'));
    expect(await build(folder, TABLES)).toMatchObject({ search: 'graph' });
  });

  it('refuses a folder where another process builds, and takes over from a dead one', async () => {
    const living = await createFiles({ 'build.lock': String(process.ppid) });
    await expect(build(living, TABLES)).rejects.toThrow(RunFolderError);
    const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
    expect(await build(await createFiles({ 'build.lock': dead }), TABLES)).toMatchObject({ search: 'graph' });
  });

  it('makes the graph again from the vectors alone, to the same bytes', async () => {
    const folder = await createFolder();
    await build(folder, TABLES);
    const files = await readFolder(folder);
    await rm(join(folder, 'hnsw.bin'));
    await rm(join(folder, 'hnsw.json'));
    await buildGraph(folder, { signal: new AbortController().signal });
    expect(await readFolder(folder)).toEqual(files);
  });
});

/** A build in the built package with a slow encoder: vectors come from the text's last letters, 20 ms a batch. */
const SLOW_BUILD = `
import { buildIndex } from '${builtModule('retriever/index-builder.js')}';
import { CorpusFilter } from '${builtModule('retriever/corpus-filter.js')}';
import { openCorpus } from '${builtModule('retriever/open-corpus.js')}';
const [corpus, folder] = process.argv.slice(1);
const embedder = {
  fingerprint: 'slow', dimension: 16, model: { name: 'slow', revision: '1', sha256: 'a'.repeat(64) },
  async embed(texts) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return texts.map((text) => Float32Array.from({ length: 16 }, (_, i) => text.charCodeAt(text.length - 1 - i) / 500));
  },
};
const signal = new AbortController().signal;
const report = await buildIndex({ corpus: await openCorpus(corpus), folder, embedder, filter: new CorpusFilter(), signal });
console.log(JSON.stringify({ reused: report.reused, embedded: report.embedded }));
`;

describe('a build that is killed with SIGKILL', () => {
  it('goes on where it was and ends with the same bytes', async () => {
    const command = (from: string, to: string): string[] => ['--input-type=module', '-e', SLOW_BUILD, '--', from, to];
    const lines = createTables(1200).map((table) => JSON.stringify(table));
    const corpus = join(await createFiles({ 'corpus.jsonl': lines.join('\n') }), 'corpus.jsonl');
    const [whole, folder] = [await createFolder(), await createFolder()];
    execFileSync(process.execPath, command(corpus, whole));

    const child = spawn(process.execPath, command(corpus, folder), { stdio: 'ignore' });
    const ended = new Promise((end) => child.once('exit', (_, signal) => end(signal)));
    const journal = join(folder, 'vectors.journal');
    const bytes = async (): Promise<number> => (await stat(journal).catch(() => ({ size: 0 }))).size;
    while ((await bytes()) < 36 * 200) await sleep(5);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');

    const output = execFileSync(process.execPath, command(corpus, folder), { encoding: 'utf8' });
    const { reused, embedded } = JSON.parse(output) as { reused: number; embedded: number };
    expect(reused).toBeGreaterThanOrEqual(200);
    expect(embedded).toBeGreaterThan(0);
    expect(await readFolder(folder)).toEqual(await readFolder(whole));
  });
});

import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candidateDecisionSchema } from '../../src/formats/artifacts/candidates.js';
import { EXAMPLES, type JsonRecord, writeSmallData } from './example-data.js';
import { type CliOptions, type CliResult, hashFiles, makeTempFolder, PROJECT, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliResult> =>
  runCli(args, { cwd: temp.path, cache: at('cache'), ...options });
const json = (file: string): JsonRecord => JSON.parse(readFileSync(file, 'utf8')) as JsonRecord;

const TABLES = [
  { id: 'beds', title: 'Garden beds', columns: ['bed name', 'owner', 'country of birth', 'soil'] },
  { id: 'shows', title: 'Theatre shows', columns: ['show title', 'spoken language', 'admission fee'] },
  { id: 'kept', title: 'Kiln firings', columns: ['firing date', 'fuel', 'peak temperature'] },
  { id: 'wide', title: 'Too wide', columns: ['name', 'country', 'city', 'street', 'price', 'weight'] },
  { id: 'beds-again', title: 'Garden beds', columns: ['bed name', 'owner', 'country of birth', 'soil'] },
];

/** A loader hook under which hnswlib-node is not installed. */
const HIDE_HNSWLIB = `
import { register } from 'node:module';
const hook = 'export async function resolve(specifier, context, next) {' +
  'if (specifier === "hnswlib-node") throw new Error("Cannot find package hnswlib-node");' +
  'return next(specifier, context); }';
register('data:text/javascript,' + encodeURIComponent(hook));
`;

let built: CliResult;
let options: readonly string[];

/** Copies an index and changes its manifest. */
function alterIndex(name: string, change: (manifest: JsonRecord) => JsonRecord): string {
  cpSync(at('index'), at(name), { recursive: true });
  const file = at(name, 'manifest.json');
  writeFileSync(file, JSON.stringify(change(json(file))));
  return name;
}

beforeAll(async () => {
  mkdirSync(at('corpus'));
  writeFileSync(at('corpus/tables.jsonl'), TABLES.map((table) => JSON.stringify(table)).join('\n'));
  writeFileSync(at('corpus/visitors.csv'), 'visitor name,home town,entrance fee\nAnn Lee,Oslo,12\nBo Dahl,Bergen,9\n');
  writeFileSync(at('corpus/notes.txt'), 'not a table');
  copyFileSync(join(EXAMPLES, 'database/planetarium/planetarium.sqlite'), at('corpus/planetarium.sqlite'));
  writeFileSync(at('hide-hnswlib.mjs'), HIDE_HNSWLIB);
  options = writeSmallData(at('data'), [0, 20]).options;
  built = await run(['index', 'build', '--from', 'corpus', '--out', 'index']);
  expect(built.code, built.stderr).toBe(0);
}, 120_000);

afterAll(() => temp.remove());

describe('index build', () => {
  it('reads JSON lines, CSV and SQLite of one folder, and says what it left out and why', () => {
    const manifest = json(at('index/manifest.json')) as unknown as { count: number; skipped: Record<string, number> };
    expect(built.stdout).toMatch(
      new RegExp(`^${manifest.count} tables indexed in index \\(${manifest.count} embedded now, 0 before\\)`),
    );
    const tables = readFileSync(at('index/tables.jsonl'), 'utf8');
    for (const name of ['bed name', 'entrance fee', 'hourly wage', 'peak temperature'])
      expect(tables.toLowerCase()).toContain(name);
    expect(tables).not.toContain('Too wide');
    for (const [reason, count] of Object.entries(manifest.skipped))
      expect(built.stdout).toContain(`left out: ${count} ${reason}`);
    expect(built.stdout).toContain('notes.txt');
    expect(built.stdout).toContain('duplicate');
  });

  it('gives the same tables and vectors again, from what it had', async () => {
    const before = hashFiles(at('index'));
    const again = await run(['index', 'build', '--from', 'corpus', '--out', 'index']);
    expect(again.code).toBe(0);
    expect(hashFiles(at('index'))).toEqual(before);
    const elsewhere = await run(['index', 'build', '--from', 'corpus', '--out', 'index-2', '--jobs', '1']);
    expect(elsewhere.code).toBe(0);
    expect(hashFiles(at('index-2'))).toEqual(before);
  });

  it('refuses a folder that holds something else', async () => {
    const { code, stderr } = await run(['index', 'build', '--from', 'corpus', '--out', 'data']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/data: the folder holds something else than an index: dev\.json\n {2}fix: /);
  });

  it.each([
    ['missing', /missing: the table corpus does not exist/],
    ['hide-hnswlib.mjs', /the table corpus is of an unknown kind/],
  ])('refuses --from %s', async (from, message) => {
    const { code, stderr } = await run(['index', 'build', '--from', from, '--out', 'none']);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('fix: ');
  });
});

describe('index info and index query', () => {
  it('show what the index holds', async () => {
    const { code, stdout } = await run(['index', 'info', 'index', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ folder: 'index', dimension: 384, columns: { min: 2, max: 5 } });
  });

  it('finds the nearest table first', async () => {
    const query = ['index', 'query', 'index', '--title', 'sky show', '--question', 'What does a show cost?'];
    const { code, stdout } = await run([...query, '--top', '2', '--json']);
    expect(code).toBe(0);
    const found = JSON.parse(stdout) as { title: string; score: number }[];
    expect(found).toHaveLength(2);
    expect(found[0]!.title).toBe('Theatre shows');
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
  });

  it.each([
    [['index', 'query'], /there is nothing to look for\n {2}fix: Give --title, --columns or --question/],
    [['index', 'query', '--title', 'x', '--top', '0'], /option --top is wrong: a number above 0 is expected/],
    [['index', 'info', 'data'], /manifest\.json: the index has no manifest\.json[^]*fix: Build it again/],
  ])('refuses %s', async (args, message) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('candidates --index', () => {
  // 5 % of a few tables would be one.
  const every = ['--set', 'retriever.topK=6', '--set', 'retriever.domainFloor=0'];
  const decide = (out: string, more: readonly string[], how: Partial<CliOptions> = {}): Promise<CliResult> =>
    run(['candidates', ...options, '--recipe', 'cta-without-nli', ...every, '--out', out, ...more], how);

  it('retrieves from that index alone', async () => {
    const { code, stderr } = await decide('run', ['--index', 'index']);
    expect(code, stderr).toBe(0);
    const lines = readFileSync(at('run/candidates.jsonl'), 'utf8').trimEnd().split('\n');
    const origins = lines.flatMap((line) => candidateDecisionSchema.parse(JSON.parse(line)).origin ?? []);
    expect(origins.length).toBeGreaterThan(0);
    const titles = readFileSync(at('index/tables.jsonl'), 'utf8');
    for (const { title } of origins) expect(titles).toContain(title);
    expect(json(at('run/report.json'))).toMatchObject({ settings: { index: { name: 'index' } } });
  });

  it('gives the same without hnswlib-node, with one warning', async () => {
    const hidden = { env: { NODE_OPTIONS: `--import ${at('hide-hnswlib.mjs')}` } };
    const { code, stderr } = await decide('exact', ['--index', 'index'], hidden);
    expect(code, stderr).toBe(0);
    expect(stderr.match(/warning: /g)).toHaveLength(1);
    expect(stderr).toMatch(/warning: .*exact/);
    expect(readFileSync(at('exact/candidates.jsonl'))).toEqual(readFileSync(at('run/candidates.jsonl')));
  });

  it('gives the same without the graph, with one warning', async () => {
    cpSync(at('index'), at('no-graph'), { recursive: true });
    rmSync(at('no-graph/hnsw.json'));
    const { code, stderr } = await decide('no-graph-run', ['--index', 'no-graph']);
    expect(code, stderr).toBe(0);
    expect(stderr.match(/warning: /g)).toHaveLength(1);
    expect(readFileSync(at('no-graph-run/candidates.jsonl'))).toEqual(readFileSync(at('run/candidates.jsonl')));
  });

  const encoder = { name: 'other-encoder', revision: 'v9', sha256: 'a'.repeat(64) };
  it.each([
    ['another encoder', (m: JsonRecord) => ({ ...m, encoder }), /built with the encoder other-encoder \(v9/],
    ['another dimension', (m: JsonRecord) => ({ ...m, dimension: 768 }), /the manifest promises \d+ vectors of 768/],
    ['another version', (m: JsonRecord) => ({ ...m, version: 99 }), /not the manifest of an index of this version/],
    ['another table count', (m: JsonRecord) => ({ ...m, count: 1 }), /the manifest promises 1 vectors of 384/],
  ])('refuses an index of %s with the command that repairs it', async (what, change, message) => {
    const name = alterIndex(what.replaceAll(' ', '-'), change);
    const { code, stderr } = await decide('refused', ['--index', name]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`fix: Build it again: perturbql index build --from <corpus> --out ${name}`);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('refuses an index whose vectors were changed or are a Git LFS pointer', async () => {
    cpSync(at('index'), at('flipped'), { recursive: true });
    const vectors = readFileSync(at('flipped/vectors.i8'));
    vectors[0]! ^= 1;
    writeFileSync(at('flipped/vectors.i8'), vectors);
    expect((await decide('refused', ['--index', 'flipped'])).stderr).toMatch(/vectors\.i8: the file's sha256 is/);
    writeFileSync(at('flipped/vectors.i8'), 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    const { code, stderr } = await decide('refused', ['--index', 'flipped']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/vectors\.i8: the file is a Git LFS pointer, not the data\n {2}fix: Run `git lfs pull`/);
  });
});

describe('doctor', () => {
  const findings = ({ stdout }: CliResult): Record<string, { state: string; detail: string; fix?: string }> =>
    Object.fromEntries(
      (JSON.parse(stdout) as { what: string; state: string; detail: string }[]).map((f) => [f.what, f]),
    );

  it('finds everything in order', async () => {
    const healthy = await run(['doctor', '--json']);
    expect(healthy.code).toBe(0);
    for (const { state } of Object.values(findings(healthy))) expect(state).toBe('ok');
    expect((await run(['doctor'])).stdout).toMatch(/^ok {6}node {17}\d+\./);
  });

  it('says that the exact retriever serves where hnswlib-node does not load', async () => {
    const result = await run(['doctor', '--json'], { env: { NODE_OPTIONS: `--import ${at('hide-hnswlib.mjs')}` } });
    expect(result.code).toBe(0);
    expect(findings(result)['hnswlib-node']).toMatchObject({
      state: 'missing',
      detail: expect.stringContaining('the exact retriever serves instead') as string,
    });
  });

  it('says that the score cache can’t be used, which costs a run its time only', async () => {
    writeFileSync(at('no-folder'), '');
    const result = await run(['doctor', '--json'], { cache: at('no-folder') });
    expect(result.code).toBe(0);
    expect(findings(result)['score cache']).toMatchObject({
      state: 'missing',
      detail: expect.stringContaining(`scores are not cached, ${at('no-folder')} can't be used`) as string,
    });
  });

  it('names the model files that are not what their manifests say', async () => {
    // A package whose judge was changed: models are found next to the code.
    const root = at('package');
    cpSync(join(PROJECT, 'dist'), join(root, 'dist'), { recursive: true });
    cpSync(join(PROJECT, 'package.json'), join(root, 'package.json'));
    for (const name of ['node_modules', 'data']) symlinkSync(join(PROJECT, name), join(root, name));
    mkdirSync(join(root, 'models'));
    for (const name of ['acceptability', 'encoder', 'entity', 'parser'])
      symlinkSync(join(PROJECT, 'models', name), join(root, 'models', name));
    for (const name of ['nli', 'fluency'])
      cpSync(join(PROJECT, 'models', name), join(root, 'models', name), { recursive: true });
    writeFileSync(join(root, 'models/nli/config.json'), '{}');
    writeFileSync(join(root, 'models/fluency/fluency.bin'), 'PQLM');
    const result = await run(['doctor', '--json'], { binary: join(root, 'dist/cli/main.js') });
    expect(result.code).toBe(2);
    expect(findings(result)['model: judge']).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('config.json') as string,
      fix: expect.stringContaining('npm ci') as string,
    });
    expect(findings(result)['model: encoder']).toMatchObject({ state: 'ok' });
    expect(findings(result)['model: fluency']).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('fluency.bin') as string,
      fix: expect.stringContaining('npm ci') as string,
    });
    expect(result.stderr).toContain('2 of 14 checks failed');
  });
});

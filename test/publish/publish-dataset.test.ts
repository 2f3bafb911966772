import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, DownloadError, RunFolderError } from '../../src/errors.js';
import { publishDataset, type PublishOptions } from '../../src/publish/publish-dataset.js';
import { fileSha256 } from '../../src/run/sha256.js';
import { rejectionOf } from '../error-of.js';
import { WritableHub } from './writable-hub.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'perturbql-publish-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLES = join(EXAMPLES, 'tables.json');
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A run on the data set in a folder. */
function runOn(data: string, command: string, ...words: readonly string[]): void {
  const inputs = [
    '--tables',
    `${data}/tables.json`,
    '--examples',
    `${data}/dev.json`,
    '--databases',
    `${data}/database`,
  ];
  execFileSync(process.execPath, [MAIN, command, ...inputs, ...words, '--quiet'], { stdio: 'ignore' });
}

const augmentOf = (data: string, out: string): void =>
  runOn(data, 'augment', '--recipe', 'random', '--materialize', 'none', '--no-verify', '--out', out);

const RUN = join(folder, 'RUN');
const COMPOSED = join(folder, 'COMPOSED');
/** A run of mutate as far as it is published. */
const MUTATED = join(folder, 'MUTATED');

function writeMutated(): void {
  mkdirSync(MUTATED);
  const manifest = { command: 'mutate', version: '0.1.0', seed: 0, settings: {}, inputs: {}, complete: true };
  const seed = { id: 'dev:0', db_id: 'community_garden', question: 'How many plots?', query: null };
  const mutant = {
    id: 'dev:0~PI.0',
    seed: 'dev:0',
    relations: ['PI', 'CS'],
    db_id: 'community_garden',
    origin: 'community_garden',
  };
  const more = {
    question: 'Please, how many plots?',
    query: null,
    expectation: 'same-result',
    details: [],
    fluency: 0.5,
  };
  writeFileSync(join(MUTATED, 'run.json'), JSON.stringify(manifest));
  writeFileSync(join(MUTATED, 'seeds.jsonl'), `${JSON.stringify(seed)}\n`);
  writeFileSync(join(MUTATED, 'mutants.jsonl'), `${JSON.stringify({ ...mutant, ...more })}\n`);
  cpSync(TABLES, join(MUTATED, 'tables.json'));
}

beforeAll(() => {
  augmentOf(EXAMPLES, RUN);
  runOn(EXAMPLES, 'compose', '--test-share', '0.5', '--out', COMPOSED);
  writeMutated();
}, 300_000);

const published = (options: Partial<PublishOptions>) =>
  publishDataset({ run: RUN, to: join(folder, 'OUT'), license: 'mit', licenseFiles: [], private: false, ...options });

const rowsOf = async (file: string): Promise<readonly Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(file) });

describe('a run that is published as a folder', () => {
  it('has each example of the run, split by split', async () => {
    const { data, files } = await published({ to: join(folder, 'AUGMENTED') });
    expect(data.map(({ path, rows }) => [path, rows])).toEqual([
      ['data/original/validation.parquet', 30],
      ['data/rpl/validation.parquet', data[1]?.rows],
      ['data/add/validation.parquet', data[2]?.rows],
    ]);
    const records = JSON.parse(readFileSync(join(RUN, 'examples.json'), 'utf8')) as {
      question: string;
      query: string;
    }[];
    const rows = (await Promise.all(data.map(({ path }) => rowsOf(join(folder, 'AUGMENTED', path))))).flat();
    const pairOf = ({ question, query }: Record<string, unknown>): string => JSON.stringify([question, query]);
    expect(rows.map(pairOf).sort()).toEqual(records.map((record) => pairOf(record)).sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(records.length);
    expect(rows.every(({ schema }) => String(schema).startsWith('CREATE TABLE'))).toBe(true);
    expect(files).toContain('README.md');
  });

  it('names license, inputs and the hash of each file', async () => {
    const to = join(folder, 'HASHED');
    const { files } = await published({ to, license: null, licenseFiles: [join(EXAMPLES, '../LICENSE')] });
    const card = readFileSync(join(to, 'README.md'), 'utf8');
    expect(card).toContain('license: mit\n');
    expect(card).toContain(fileSha256(TABLES));
    expect(readFileSync(join(to, 'licenses/LICENSE'), 'utf8')).toContain('MIT License');
    const sums = readFileSync(join(to, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums).toEqual(
      files.filter((file) => file !== 'SHA256SUMS').map((file) => `${fileSha256(join(to, file))}  ${file}`),
    );
  });

  it('has the same bytes again, and refuses a folder of another run', async () => {
    const to = join(folder, 'AGAIN');
    const { files } = await published({ to });
    const hashes = files.map((file) => fileSha256(join(to, file)));
    expect((await published({ to })).files.map((file) => fileSha256(join(to, file)))).toEqual(hashes);
    await rejectionOf(ConfigError, () => published({ to, run: COMPOSED }));
    await rejectionOf(ConfigError, () => published({ to: RUN }));
  });

  it('keeps the split of a composed run', async () => {
    const to = join(folder, 'COMPOSITIONS');
    const { data } = await published({ to, run: COMPOSED });
    expect(data.find(({ config, split }) => config === 'original' && split === 'train')?.rows).toBe(30);
    const test = JSON.parse(readFileSync(join(COMPOSED, 'test.json'), 'utf8')) as unknown[];
    const tested = data.filter(({ split }) => split === 'test').reduce((sum, { rows }) => sum + rows, 0);
    expect(tested).toBe(test.length);
    expect(tested).toBeGreaterThan(0);
  });

  it('keeps questions without gold of a mutated run', async () => {
    const to = join(folder, 'MUTANTS');
    await published({ to, run: MUTATED });
    const [row] = await rowsOf(join(to, 'data/mutants/validation.parquet'));
    expect(row).toMatchObject({ id: 'dev:0~PI.0', kind: 'PI+CS', query: null, original_question: 'How many plots?' });
    expect(JSON.parse(String(row?.['provenance']))).toMatchObject({
      expectation: 'same-result',
      relations: ['PI', 'CS'],
    });
  });

  it('takes the license from the card next to the inputs, and is not written without one', async () => {
    expect((await rejectionOf(ConfigError, () => published({ license: null }))).fix).toContain('--license');
    const data = join(folder, 'DATA');
    cpSync(EXAMPLES, data, { recursive: true });
    writeFileSync(join(data, 'README.md'), '---\nlanguage: en\nlicense: cc-by-4.0\n---\n# Data\n');
    const run = join(folder, 'RUN-licensed');
    augmentOf(data, run);
    expect((await published({ run, to: join(folder, 'LICENSED'), license: null })).license).toBe('cc-by-4.0');
  });

  it('is that of a finished run of data', async () => {
    const broken = join(folder, 'BROKEN');
    mkdirSync(broken);
    await rejectionOf(RunFolderError, () => published({ run: broken }));
    const manifest = { command: 'augment', version: '0', seed: 0, settings: {}, inputs: {}, complete: false };
    writeFileSync(join(broken, 'run.json'), JSON.stringify(manifest));
    expect((await rejectionOf(RunFolderError, () => published({ run: broken }))).fix).toContain('resumes');
    await rejectionOf(ConfigError, () => published({ to: 'hub' }));
    await rejectionOf(ConfigError, () => published({ to: 'hub:name' }));
  });
});

async function startHub(): Promise<WritableHub> {
  const hub = await WritableHub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

const upload = (hub: WritableHub, options: Partial<PublishOptions> = {}) =>
  published({
    to: 'hub:me/perturbed',
    endpoint: hub.url,
    environment: { HF_TOKEN: hub.token, HF_HOME: folder },
    pauseMs: 1,
    ...options,
  });

describe('a run that is uploaded', () => {
  it('is there file by file, large ones in the store, which never hears the token', async () => {
    const hub = await startHub();
    const { upload: done, files } = await upload(hub, { private: true });
    const there = hub.repositories.get('me/perturbed');
    const to = join(folder, 'SAME');
    await published({ to });
    expect([...(there?.files.keys() ?? [])].sort()).toEqual(files);
    for (const file of files) expect(there?.files.get(file)).toEqual(readFileSync(join(to, file)));
    expect([there?.private, there?.commits, done?.changed]).toEqual([true, 1, files.length]);
    const toStore = hub.seen.filter(({ host }) => host === 'store');
    expect(toStore.length).toBe(files.filter((file) => file.endsWith('.parquet')).length);
    expect(toStore.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('is uploaded in parts where the hub wants it so', async () => {
    const hub = await startHub();
    hub.partBytes = 1000;
    await upload(hub);
    expect(hub.store.size).toBe(3);
    expect(hub.repositories.get('me/perturbed')?.commits).toBe(1);
  });

  it('is not committed again where nothing has changed', async () => {
    const hub = await startHub();
    await upload(hub);
    expect((await upload(hub)).upload).toMatchObject({ commit: null, changed: 0 });
    expect(hub.repositories.get('me/perturbed')?.commits).toBe(1);
  });

  it.each([
    ['a busy hub', /POST .*preupload/, 503],
    ['a store that fails', /PUT/, 500],
    ['a commit that comes in between', /POST .*commit/, 409],
    ['too many requests', /POST .*batch/, 429],
    ['another repository that is made at the same time', /POST .*create/, 429],
  ])('goes on after %s', async (_, path, status) => {
    const hub = await startHub();
    hub.fail(path, 2, (response) => response.writeHead(status).end('{}'));
    await upload(hub);
    expect(hub.repositories.get('me/perturbed')?.commits).toBe(1);
  });

  it('is not committed twice where the answer to the commit is lost', async () => {
    const hub = await startHub();
    hub.lostAnswers = 1;
    await upload(hub);
    expect(hub.repositories.get('me/perturbed')?.commits).toBe(1);
  });

  it('is refused with a token that is wrong, missing, or may not write, and the token is never shown', async () => {
    const hub = await startHub();
    const wrong = { HF_TOKEN: 'hf_other_token', HF_HOME: folder };
    const error = await rejectionOf(DownloadError, () => upload(hub, { environment: wrong }));
    expect(error.render()).toContain('(401)');
    expect(error.render()).not.toContain('hf_other');
    await rejectionOf(ConfigError, () => upload(hub, { environment: { HF_HOME: folder } }));
    hub.fail(/commit/, 9, (response) => response.writeHead(403, { 'x-error-message': 'read only token' }).end('{}'));
    const refused = await rejectionOf(DownloadError, () => upload(hub));
    expect(refused.message).toContain('403');
    expect(refused.message).toContain('read only token');
  });

  it('goes into a data set that the token may write to but not make', async () => {
    const hub = await startHub();
    hub.repositories.set('me/perturbed', { private: false, files: new Map(), commits: 0 });
    hub.fail(/create/, 1, (response) => response.writeHead(403).end('{}'));
    await upload(hub);
    expect(hub.repositories.get('me/perturbed')?.commits).toBe(1);
  });
});

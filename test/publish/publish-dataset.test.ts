import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, RunFolderError } from '../../src/errors.js';
import { publishDataset, type PublishOptions } from '../../src/publish/publish-dataset.js';
import { fileSha256 } from '../../src/run/sha256.js';
import { errorOf } from '../error-of.js';

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
/** A run of augment with variants whose gold query names no renamed column. */
const KEPT = join(folder, 'KEPT');

function writeKept(): void {
  mkdirSync(KEPT);
  const manifest = { command: 'augment', version: '0.1.0', seed: 0, settings: {}, inputs: {}, complete: true };
  writeFileSync(join(KEPT, 'run.json'), JSON.stringify(manifest));
  const kinds = ['original', 'RPL', 'RPL', 'ADD', 'mixed'];
  const lines = kinds.map((kind, index) => {
    const ids = { source: 'dev:0', db_id: 'community_garden', original_db_id: 'community_garden' };
    return { index, ...ids, kind, changes: [], edits: [] };
  });
  const examples = kinds.map((_, i) => ({ question: 'How many?', query: i === 1 ? 'SELECT count(id)' : 'SELECT 1' }));
  writeFileSync(join(KEPT, 'examples.json'), JSON.stringify(examples));
  writeFileSync(join(KEPT, 'provenance.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  cpSync(TABLES, join(KEPT, 'tables.json'));
}

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
  writeKept();
}, 300_000);

const published = (options: Partial<PublishOptions>) =>
  publishDataset({ run: RUN, to: join(folder, 'OUT'), license: 'mit', licenseFiles: [], ...options });

const rowsOf = async (file: string): Promise<readonly Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(file) });

describe('a run that is published as a folder', () => {
  it('has each example of the run, split by split', async () => {
    const { data, files } = published({ to: join(folder, 'AUGMENTED') });
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
    const { files } = published({ to, license: null, licenseFiles: [join(EXAMPLES, '../LICENSE')] });
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
    const { files } = published({ to });
    const hashes = files.map((file) => fileSha256(join(to, file)));
    expect(published({ to }).files.map((file) => fileSha256(join(to, file)))).toEqual(hashes);
    errorOf(ConfigError, () => published({ to, run: COMPOSED }));
    errorOf(ConfigError, () => published({ to: RUN }));
  });

  it('keeps the split of a composed run', async () => {
    const to = join(folder, 'COMPOSITIONS');
    const { data } = published({ to, run: COMPOSED });
    expect(data.find(({ config, split }) => config === 'original' && split === 'train')?.rows).toBe(30);
    const test = JSON.parse(readFileSync(join(COMPOSED, 'test.json'), 'utf8')) as unknown[];
    const tested = data.filter(({ split }) => split === 'test').reduce((sum, { rows }) => sum + rows, 0);
    expect(tested).toBe(test.length);
    expect(tested).toBeGreaterThan(0);
  });

  it('counts rows whose gold names no renamed column apart, and has the mixed ones', () => {
    const to = join(folder, 'UNCHANGED');
    const { data } = published({ to, run: KEPT });
    expect(data.map(({ config, rows, goldUnchanged }) => [config, rows, goldUnchanged])).toEqual([
      ...[
        ['original', 1, 0],
        ['rpl', 2, 1],
        ['add', 1, 0],
      ],
      ['mixed', 1, 1],
    ]);
    const card = readFileSync(join(to, 'README.md'), 'utf8');
    expect(card).toContain('| configuration | split | rows | of these with unchanged gold | source examples |');
    expect(card).toContain('| rpl | validation | 2 | 1 | 1 | 1 |');
    expect(card).toContain('none of which their gold SQL names');
    published({ to: join(folder, 'COMPOSED-CARD'), run: COMPOSED });
    expect(readFileSync(join(folder, 'COMPOSED-CARD', 'README.md'), 'utf8')).not.toContain('unchanged gold');
  });

  it('keeps questions without gold of a mutated run', async () => {
    const to = join(folder, 'MUTANTS');
    published({ to, run: MUTATED });
    const [row] = await rowsOf(join(to, 'data/mutants/validation.parquet'));
    expect(row).toMatchObject({ id: 'dev:0~PI.0', kind: 'PI+CS', query: null, original_question: 'How many plots?' });
    expect(JSON.parse(String(row?.['provenance']))).toMatchObject({
      expectation: 'same-result',
      relations: ['PI', 'CS'],
    });
  });

  it('takes the license from the card next to the inputs, and is not written without one', async () => {
    expect(errorOf(ConfigError, () => published({ license: null })).fix).toContain('--license');
    const data = join(folder, 'DATA');
    cpSync(EXAMPLES, data, { recursive: true });
    writeFileSync(join(data, 'README.md'), '---\nlanguage: en\nlicense: cc-by-4.0\n---\n# Data\n');
    const run = join(folder, 'RUN-licensed');
    augmentOf(data, run);
    expect(published({ run, to: join(folder, 'LICENSED'), license: null }).license).toBe('cc-by-4.0');
  });

  it('is that of a finished run of data', async () => {
    const broken = join(folder, 'BROKEN');
    mkdirSync(broken);
    errorOf(RunFolderError, () => published({ run: broken }));
    const manifest = { command: 'augment', version: '0', seed: 0, settings: {}, inputs: {}, complete: false };
    writeFileSync(join(broken, 'run.json'), JSON.stringify(manifest));
    expect(errorOf(RunFolderError, () => published({ run: broken })).fix).toContain('resumes');
  });

  it('is not uploaded: the hub’s own client is named', async () => {
    const { fix } = errorOf(ConfigError, () => published({ to: 'hub:me/perturbed' }));
    expect(fix).toContain('hf upload me/perturbed DATASET --repo-type dataset');
    errorOf(ConfigError, () => published({ to: 'hub' }));
  });
});

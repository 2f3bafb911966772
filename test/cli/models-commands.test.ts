import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { command as listCommand } from '../../src/cli/models-list-command.js';
import { command as pullCommand } from '../../src/cli/models-pull-command.js';
import { command as useCommand } from '../../src/cli/models-use-command.js';
import { command as verifyCommand } from '../../src/cli/models-verify-command.js';
import { ConfigError, ModelFileError } from '../../src/errors.js';
import { pullVectors } from '../../src/inference/hub/pull-vectors.js';
import { convertNumberbatch } from '../../src/reranker/numberbatch-reader.js';
import { openVectors } from '../../src/reranker/open-vectors.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import { rejectionOf } from '../error-of.js';
import { runOf } from './run-of.js';

const list = runOf(listCommand);
const pull = runOf(pullCommand);
const use = runOf(useCommand);
const verify = runOf(verifyCommand);

const home = process.cwd();
let root: string;
let printed: string[];
const modelFolder = (name: string): string => join(root, 'cache', 'models', name);

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'perturbql-models-')));
  vi.stubEnv('PERTURBQL_CACHE', join(root, 'cache'));
  vi.stubEnv('HF_HOME', join(root, 'hub'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  process.chdir(root);
});
afterEach(() => {
  process.chdir(home);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

describe('word vectors that were pulled from another folder', () => {
  it('are in use by their name, which is that folder’s', async () => {
    mkdirSync(join(root, 'words'));
    writeFileSync(join(root, 'words', 'words.txt'), '2 2\nname 1 0\ntitle 0.9 0.1\n');
    const formats = { convert: convertNumberbatch, open: (file: string) => VectorFile.open(file) };
    await pullVectors({ source: './words/words.txt' }, formats, NOOP_HOST);
    await use({}, 'words');
    expect(JSON.parse(readFileSync('perturbql.config.json', 'utf8'))).toEqual({ reranker: { vectors: 'words' } });
    await expect(openVectors('words', join(root, 'cache'))).resolves.toMatchObject({ dimension: 2 });
    printed.length = 0;
    await list({});
    expect(printed.find((line) => line.includes(' words '))).toMatch(/^\* words /);
  });
});

describe('a pulled model with a damaged manifest', () => {
  beforeEach(() => {
    mkdirSync(modelFolder('someone--judge'), { recursive: true });
    writeFileSync(join(modelFolder('someone--judge'), 'manifest.json'), '{');
  });
  const fix = 'Pull it again: `perturbql models pull SOURCE --name someone/judge`; or remove ';

  it('is found by its name, with what repairs it', async () => {
    expect(await verify({}, 'someone/judge')).toBe(false);
    expect(printed[0]).toBe('broken  someone/judge');
    expect(printed.join('\n')).toContain(fix);
  });

  it('can’t be chosen', async () => {
    const error = await rejectionOf(ModelFileError, () => use({}, 'someone/judge'));
    expect(error.message).toBe('the model manifest is not JSON');
    expect(error.fix).toBe(`${fix}${modelFolder('someone--judge')}.`);
  });
});

describe('models pull', () => {
  it('refuses an address that is none', async () => {
    for (const address of ['https://', 'http://localhost:99999/x.txt']) {
      expect((await rejectionOf(ConfigError, () => pull({}, address))).message).toBe(`"${address}" is no http address`);
    }
  });

  it('refuses a folder as word vectors', async () => {
    mkdirSync(join(root, 'folder'));
    const error = await rejectionOf(ConfigError, () => pull({ task: 'vectors' }, './folder'));
    expect(error.message).toBe('word vectors are one file, not a folder');
    expect(dirname(error.where.file!)).toBe('.');
  });
});

describe('the embedded fluency model', () => {
  it('is listed with the others, as they are', async () => {
    await list({});
    const at = printed.findIndex((line) => line.includes('perturbql-fluency'));
    expect(printed[at]).toBe('* perturbql-fluency v1');
    expect(printed[at + 1]).toMatch(/^ {4}fluency, embedded, 1\.6 MB, license: CC-BY-SA-4\.0/);
    expect(printed[at + 2]).toMatch(/models.fluency$/);
    printed.length = 0;
    await list({ json: true });
    const { models } = JSON.parse(printed.join('\n')) as { models: readonly { name: string; task: string }[] };
    expect(models).toContainEqual(expect.objectContaining({ name: 'perturbql-fluency', task: 'fluency', inUse: true }));
  });

  it('is among those that are verified, each of which the list has', async () => {
    await verify({ json: true });
    const verified = (JSON.parse(printed.join('\n')) as readonly { name: string }[]).map(({ name }) => name);
    printed.length = 0;
    await list({ json: true });
    const { models } = JSON.parse(printed.join('\n')) as { models: readonly { name: string }[] };
    expect(models.map(({ name }) => name).sort()).toEqual(verified.sort());
  });

  it('can’t be chosen: there is no other', async () => {
    const error = await rejectionOf(ConfigError, () => use({}, 'perturbql-fluency'));
    expect(error.message).toBe('perturbql-fluency is the one fluency model: there is no choice');
    expect(error.fix).toMatch(/perturbql-judge, .*retrofitted-glove/);
  });
});

describe('the embedded parser', () => {
  it('is listed with its size and license', async () => {
    await list({});
    const at = printed.findIndex((line) => line.includes('perturbql-parser'));
    expect(printed[at + 1]).toMatch(/^ {4}dependency parser, embedded, 6\.8 MB, license: MIT/);
  });

  it('can’t be chosen: there is no other', async () => {
    const error = await rejectionOf(ConfigError, () => use({}, 'perturbql-parser'));
    expect(error.message).toBe('perturbql-parser is the one dependency parser: there is no choice');
  });
});

describe('the embedded model of how names read', () => {
  it('can’t be chosen: there is no other', async () => {
    const error = await rejectionOf(ConfigError, () => use({}, 'perturbql-acceptability'));
    expect(error.message).toBe('perturbql-acceptability is the one model of how names read: there is no choice');
    expect(error.fix).toContain('`perturbql candidates` takes perturbql-acceptability directly');
  });
});

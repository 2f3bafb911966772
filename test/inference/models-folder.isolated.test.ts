import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { locateModel } from '../../src/inference/model-store.js';
import { resolveModel } from '../../src/inference/models-folder.js';
import { errorOf } from '../error-of.js';
import { createModelFolder } from './fake-model.js';

const home = process.cwd();
let root: string;
/** Where the model `judge` was pulled to. */
let pulled: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'perturbql-models-folder-')));
  vi.stubEnv('PERTURBQL_CACHE', join(root, 'cache'));
  pulled = join(root, 'cache', 'models', 'judge');
  cpSync(createModelFolder({ name: 'judge' }), pulled, { recursive: true });
  mkdirSync(join(root, 'judge'));
  process.chdir(root);
});
afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

describe('a name or path', () => {
  test('means the pulled model where there is one, though a folder of that name lies here', () => {
    expect(resolveModel('judge')).toBe(pulled);
    expect(locateModel('nli', 'judge').folder).toBe(pulled);
  });

  test('means the folder where it is written as a path, or nothing was pulled under it', () => {
    const folder = join(root, 'judge');
    for (const path of ['./judge', `../${root.split('/').at(-1)!}/judge`, folder])
      expect(resolveModel(path)).toBe(folder);
    expect(resolveModel('other')).toBe(join(root, 'other'));
  });
});

describe('a pulled model whose manifest is damaged', () => {
  test.each<[string, (file: string) => void]>([
    ['no JSON', (file) => writeFileSync(file, '{')],
    ['of another form', (file) => writeFileSync(file, '{}')],
    ['gone', (file) => rmSync(file)],
  ])('(%s) is repaired by pulling it again', (_, damage) => {
    damage(join(pulled, 'manifest.json'));
    const { fix } = errorOf(ModelFileError, () => locateModel('nli', 'judge'));
    expect(fix).toBe(`Pull it again: \`perturbql models pull SOURCE --name judge\`; or remove ${pulled}.`);
  });
});

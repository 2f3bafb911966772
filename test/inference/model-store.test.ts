import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { NETWORK_FILE } from '../../src/inference/model-manifest.js';
import { checkModelFiles, embeddedModelFolder, locateModel } from '../../src/inference/model-store.js';
import { rejectionOf } from '../error-of.js';
import { createModelFolder } from './fake-model.js';

/** The ModelFileError that an action ends in. */
const faultOf = (action: () => unknown): Promise<ModelFileError> => rejectionOf(ModelFileError, action);

describe('locateModel', () => {
  test('makes a relative folder absolute, since workers look for files elsewhere', () => {
    const folder = createModelFolder({});
    expect(locateModel('nli', relative(process.cwd(), folder)).folder).toBe(folder);
  });

  test('finds both embedded models, whose files are what their manifests say', async () => {
    for (const task of ['nli', 'table-context-encoder'] as const) {
      const model = locateModel(task);
      expect(model.folder).toBe(embeddedModelFolder(task));
      expect(model.sha256).toBe(model.manifest.files[NETWORK_FILE]?.sha256);
      await expect(checkModelFiles(model)).resolves.toBeUndefined();
    }
  });

  test('takes labels and thresholds from the manifest, in its order', () => {
    const thresholds = { rplMin: 0.7, addMax: 0.3 };
    const { manifest } = locateModel('nli', createModelFolder({ thresholds }));
    expect(manifest.labels).toEqual(['entailment', 'neutral', 'contradiction']);
    expect(manifest.thresholds).toEqual(thresholds);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'two labels',
      { labels: ['entailment', 'neutral'] },
      /in the model manifest, field "labels" is wrong: at least 3 items are expected/,
    ],
    ['no name', { name: '' }, /in the model manifest, field "name" is wrong: it is empty/],
    ['an unknown field', { color: 'red' }, /in the model manifest, the content is wrong: there is no field/],
    ['a wrong hash', { files: { [NETWORK_FILE]: { sha256: 'abc', bytes: 1 } } }, /sha256/],
    ['no network', { files: {} }, /does not list onnx\/model_quantized\.onnx/],
    ['a threshold over 1', { thresholds: { rplMin: 2, addMax: 0 } }, /thresholds\.rplMin/],
  ])('refuses a manifest with %s', async (_, change, message) => {
    const folder = createModelFolder(change);
    const fault = await faultOf(() => locateModel('nli', folder));
    expect(fault.message).toMatch(message);
    expect(fault.where.file).toContain(folder);
    expect(fault.fix).toMatch(/npm ci/);
  });

  test('refuses a model of another task, naming both', async () => {
    const folder = createModelFolder();
    const fault = await faultOf(() => locateModel('table-context-encoder', folder));
    expect(fault.message).toBe('fake-judge does nli, but table-context-encoder is needed here');
    expect(fault.where).toEqual({ file: folder });
    expect(fault.fix).toContain('table-context-encoder');
  });

  test('refuses a folder without manifest, and a manifest that is not JSON', async () => {
    const folder = createModelFolder();
    writeFileSync(join(folder, 'manifest.json'), '{');
    expect((await faultOf(() => locateModel('nli', folder))).message).toMatch(/not JSON/);
    rmSync(join(folder, 'manifest.json'));
    expect((await faultOf(() => locateModel('nli', folder))).message).toMatch(/no manifest/);
    expect((await faultOf(() => locateModel('nli', join(folder, 'nowhere')))).where.file).toBe(join(folder, 'nowhere'));
  });
});

describe('checkModelFiles', () => {
  const spoil: readonly [string, (file: string) => void, RegExp][] = [
    ['missing', (file) => rmSync(file), /a file of model fake-judge is missing/],
    ['truncated', (file) => writeFileSync(file, readFileSync(file).subarray(0, 3)), /holds 3 bytes, not 7/],
    [
      'of the right size with other contents',
      (file) => writeFileSync(file, 'WEIGHTS'),
      /the sha256 of the model file is [0-9a-f]{64}, not [0-9a-f]{64}/,
    ],
    [
      'a Git LFS pointer',
      (file) => writeFileSync(file, 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n'),
      /Git LFS pointer/,
    ],
  ];

  test.each(spoil)('refuses a file that is %s', async (_, change, message) => {
    const folder = createModelFolder();
    const file = join(folder, NETWORK_FILE);
    change(file);
    const fault = await faultOf(() => checkModelFiles(locateModel('nli', folder)));
    expect(fault.message).toMatch(message);
    expect(fault.where).toEqual({ file });
    expect(fault.fix).toMatch(/npm ci/);
  });

  test('looks at every file, not the network alone', async () => {
    const folder = createModelFolder();
    writeFileSync(join(folder, 'tokenizer.json'), '[]');
    expect((await faultOf(() => checkModelFiles(locateModel('nli', folder)))).where.file).toBe(
      join(folder, 'tokenizer.json'),
    );
  });
});

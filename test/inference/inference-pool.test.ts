import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { InferencePool } from '../../src/inference/inference-pool.js';
import { locateModel } from '../../src/inference/model-store.js';
import { createModelFolder } from './fake-model.js';

const { signal } = new AbortController();

describe('InferencePool', () => {
  test('starts nothing for an empty list', async () => {
    const folder = createModelFolder();
    const pool = new InferencePool(locateModel('nli', folder), 1);
    rmSync(folder, { recursive: true });
    expect(await pool.run([], signal)).toEqual([]);
    await pool.dispose();
  });

  test('checks the files before it loads them', async () => {
    const folder = createModelFolder();
    const pool = new InferencePool(locateModel('nli', folder), 1);
    rmSync(join(folder, 'tokenizer.json'));
    await expect(pool.run([{ text: 'a' }], signal)).rejects.toThrow(/is missing/);
    await pool.dispose();
  });

  test('says that a network can’t be run, and where, instead of hanging', async () => {
    const folder = createModelFolder();
    const pool = new InferencePool(locateModel('nli', folder), 2);
    const fault = await pool.run([{ text: 'a' }], signal).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ModelFileError);
    expect((fault as ModelFileError).message).toMatch(/model fake-judge can't be run: /);
    expect((fault as ModelFileError).where).toEqual({ file: folder });
    await pool.dispose();
  });
});

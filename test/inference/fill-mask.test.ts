import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ConfigError, ModelFileError } from '../../src/errors.js';
import { FillMask } from '../../src/inference/fill-mask.js';
import { pullModel } from '../../src/inference/hub/pull-model.js';
import { locateModel } from '../../src/inference/model-store.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { SOURCES } from '../../src/registry.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import { createContext, createTarget } from '../dictionary/dictionary-fixture.js';
import { FIXTURES } from './hub/hub-server.js';

const wordsSchema = z.array(z.tuple([z.string(), z.number()]));
/** What Python gave on the same networks (test/fixtures/models/make_models.py). */
const expected = z
  .record(z.string(), z.object({ texts: z.array(z.string()), words: z.array(wordsSchema) }))
  .parse(JSON.parse(readFileSync(join(FIXTURES, 'expected-masked.json'), 'utf8')));

const cache = mkdtempSync(join(tmpdir(), 'perturbql-masked-'));
const { signal } = new AbortController();

beforeAll(async () => {
  vi.stubEnv('PERTURBQL_CACHE', cache);
  for (const name of Object.keys(expected)) {
    await pullModel({ source: join(FIXTURES, `tiny-${name}`), task: 'fill-mask' }, NOOP_HOST);
  }
}, 60_000);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

describe('a pulled masked language model', () => {
  test.each([
    ['WordPiece, parts of words marked', 'bert-mlm', '[MASK]'],
    ['byte BPE, beginnings of words marked', 'roberta-mlm', '<mask>'],
  ])('predicts Python’s words behind the mask (%s)', async (_, name, mask) => {
    const { texts, words } = expected[name]!;
    const model = new FillMask(locateModel('fill-mask', `tiny-${name}`), 1);
    expect(await model.maskToken()).toBe(mask);
    const found = await model.predict(texts, 5, signal);
    await model.dispose();
    expect(found.map((list) => list.map(({ word }) => word))).toEqual(words.map((list) => list.map(([word]) => word)));
    for (const [i, list] of found.entries()) {
      for (const [j, { logProbability }] of list.entries()) expect(logProbability).toBeCloseTo(words[i]![j]![1], 3);
    }
  });

  test('has no word for a mask that was cut off', async () => {
    const model = new FillMask(locateModel('fill-mask', 'tiny-bert-mlm'), 1);
    expect(await model.predict([`${'name '.repeat(60)}[MASK]`], 5, signal)).toEqual([[]]);
    await model.dispose();
  });

  test('serves recipe bert-attack, by name or folder, the same on each run', async () => {
    const settings = parseSettings({ masked: { model: 'tiny-bert-mlm' } });
    const propose = async () => {
      const resources = new StageResources(settings, RECIPES['bert-attack'], { jobs: 1 });
      const source = await SOURCES.masked(resources);
      const target = createTarget('airport', ['city name', 'country'], 'text');
      const found = await source.propose(
        [0, 1].map((column) => ({ target, column })),
        createContext(),
      );
      await resources.dispose();
      return found;
    };
    const [first, second] = [await propose(), await propose()];
    expect(second).toEqual(first);
    expect(first.map((list) => list.length > 0)).toEqual([true, true]);
    for (const { source, name } of first.flat()) {
      expect(source).toBe('masked');
      expect(name).toMatch(/^[a-z]+(?: [a-z]+)*$/);
    }
  });

  test('is refused where another task is asked for', () => {
    const judge = new StageResources(parseSettings({ nli: { model: 'tiny-bert-mlm' } }), RECIPES.cta);
    expect(() => judge.nliModel()).toThrow(ModelFileError);
    expect(() => judge.nliModel()).toThrow(/does fill-mask, but nli is needed/);
  });
});

test('recipe bert-attack without a model says how to get one', async () => {
  const resources = new StageResources(parseSettings({}), RECIPES['bert-attack']);
  await expect(SOURCES.masked(resources)).rejects.toThrow(ConfigError);
  await expect(SOURCES.masked(resources)).rejects.toThrow(/masked language model/);
});

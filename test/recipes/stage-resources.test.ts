import { describe, expect, test } from 'vitest';
import { ConfigError, IndexMismatchError, ModelFileError, PerturbqlError } from '../../src/errors.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { plannerOf } from '../../src/registry.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { createModelFolder } from '../inference/fake-model.js';

function thresholdsOf(nli: Record<string, unknown>): ReturnType<StageResources['thresholds']> {
  return new StageResources(parseSettings({ nli }), RECIPES.cta).thresholds();
}

describe('StageResources.thresholds', () => {
  const plain = (): string => createModelFolder();
  const calibrated = (): string => createModelFolder({ thresholds: { rplMin: 0.8, addMax: 0.2 } });

  test('are the paper’s for a model without its own', () => {
    expect(thresholdsOf({ model: plain() })).toEqual({ rplMin: 0.65, addMax: 0.45, source: 'paper' });
  });

  test('are the manifest’s where it has calibrated ones', () => {
    expect(thresholdsOf({ model: calibrated() })).toEqual({ rplMin: 0.8, addMax: 0.2, source: 'manifest' });
  });

  test('are the settings’ where one is set', () => {
    expect(thresholdsOf({ model: calibrated(), rplMin: 0.6 })).toEqual({
      rplMin: 0.6,
      addMax: 0.2,
      source: 'settings',
    });
    expect(thresholdsOf({ model: plain(), addMax: 0 })).toEqual({ rplMin: 0.65, addMax: 0, source: 'settings' });
  });

  test.each([{ rplMin: 0.45 }, { rplMin: 0.4 }, { addMax: 0.65 }, { rplMin: 0.5, addMax: 0.5 }, { rplMin: 0 }])(
    'refuse %j: RPL must lie above ADD',
    (nli) => {
      expect(() => thresholdsOf({ model: plain(), ...nli })).toThrow(ConfigError);
      expect(() => thresholdsOf({ model: plain(), ...nli })).toThrow(/nli\.addMax \(.*\) must be below nli\.rplMin \(/);
    },
  );

  test('name a model folder that is none', () => {
    expect(() => thresholdsOf({ model: '/nowhere' })).toThrow(ModelFileError);
  });
});

describe('StageResources', () => {
  test('shares what it loads', async () => {
    const resources = new StageResources(parseSettings({}), RECIPES.cta);
    expect(resources.scorer()).toBe(resources.scorer());
    expect(resources.encoder()).toBe(resources.encoder());
    expect(await resources.wordnet()).toBe(await resources.wordnet());
    expect(await plannerOf(resources, 'wordnet')).toBe(await plannerOf(resources, 'wordnet'));
    await resources.dispose();
  });

  test('keeps as many candidates as the recipe says, else the setting', () => {
    const settings = parseSettings({ reranker: { keep: 7 } });
    expect(new StageResources(settings, RECIPES.cta).keep).toBe(7);
    expect(new StageResources(settings, RECIPES['cta-without-nli']).keep).toBe(50);
  });

  test('refuses an index made by another encoder, and a folder that is no index', async () => {
    const encoder = {
      ...parseSettings({}).retriever,
      model: createModelFolder({ task: 'table-context-encoder', labels: undefined, dimension: 12, pooling: 'mean' }),
    };
    await expect(new StageResources(parseSettings({ retriever: encoder }), RECIPES.cta).index()).rejects.toThrow(
      IndexMismatchError,
    );
    const nowhere = new StageResources(parseSettings({ retriever: { index: '/nowhere' } }), RECIPES.cta);
    await expect(nowhere.index()).rejects.toThrow(PerturbqlError);
    await nowhere.dispose();
  });
});

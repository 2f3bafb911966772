import { describe, expect, test } from 'vitest';
import { ConfigError, IndexMismatchError, ModelFileError, PerturbqlError } from '../../src/errors.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { plannerOf, TPE_PREDICTORS } from '../../src/registry.js';
import { sha256Of } from '../../src/run/sha256.js';
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

  test('have what a manifest asks of how names read', () => {
    const reading = { replacement: 0.4, addition: 0.5, topic: 0.6 };
    const model = createModelFolder({ thresholds: { rplMin: 0.8, addMax: 0.2, reading } });
    expect(thresholdsOf({ model })).toEqual({ rplMin: 0.8, addMax: 0.2, reading, source: 'manifest' });
  });

  test('are the paper’s for a language model, whose reading counts from 0.7 on; no other model is opened', () => {
    const reading = { replacement: 0.7, addition: 0.7, topic: 0.5 };
    const llm = { id: 'llm', model: '/nowhere' };
    expect(thresholdsOf(llm)).toEqual({ rplMin: 0.65, addMax: 0.45, reading, source: 'paper' });
    expect(thresholdsOf({ ...llm, rplMin: 0.8 })).toEqual({ rplMin: 0.8, addMax: 0.45, reading, source: 'settings' });
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

  test('asks a language model about names alone: what may quote cells is scored on this machine', async () => {
    const llm = parseSettings({ nli: { id: 'llm' } });
    const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };
    const told = { prompt: null, sendValues: false, prices: null };
    const stores: string[] = [];
    const openStore = (fingerprint: string): null => (stores.push(fingerprint), null);
    const asking = new StageResources(llm, RECIPES.cta, {
      proposer: { kind: 'endpoint', endpoint, ...told },
      openStore,
    });
    expect(asking.scorer().id).toBe('llm');
    expect(asking.judgeFingerprint).toBe(asking.scorer().fingerprint);
    expect(stores).toEqual([sha256Of(asking.judgeFingerprint)]);
    expect(asking.modelScorer().id).toBe('onnx');
    expect((await TPE_PREDICTORS['zero-shot'](asking)).fingerprint).toContain(asking.modelScorer().fingerprint);
    await asking.dispose();
    const plain = new StageResources(parseSettings({}), RECIPES.cta);
    expect(plain.scorer()).toBe(plain.modelScorer());
    expect(plain.judgeFingerprint).toBe(asking.modelFingerprint);
    await plain.dispose();
    expect(() => new StageResources(llm, RECIPES.cta).scorer()).toThrow(ConfigError);
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

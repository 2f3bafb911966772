import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LLM_OPTIONS, proposerOf } from '../../src/cli/llm-options.js';
import { ConfigError } from '../../src/errors.js';
import type { RecipeName } from '../../src/recipes/recipe-names.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { errorOf } from '../error-of.js';

const OPTIONS = z.object(LLM_OPTIONS);
type Given = Readonly<Record<string, unknown>>;
const of = (recipe: RecipeName, given: Given, flags: readonly string[] = Object.keys(given), settings: object = {}) =>
  proposerOf({ ...OPTIONS.parse(given), recipe, cache: '/cache' }, parseSettings(settings), new Set(flags));
const ENTITIES = { tpe: { id: 'llm' } };
const JUDGMENTS = { nli: { id: 'llm' } };

describe('the language model of a recipe', () => {
  it('is the endpoint that options name', () => {
    const given = { baseUrl: 'http://host/v1', model: 'm', apiKeyEnv: 'KEY', maxCalls: 9, prices: '0.15,0.6' };
    expect(of('cta+llm', given)).toMatchObject({
      kind: 'endpoint',
      endpoint: { model: 'm', keyVariable: 'KEY', budget: { calls: 9 }, cacheFile: '/cache/answers.sqlite' },
      prompt: null,
      sendValues: false,
      prices: { prompt: 0.15, answer: 0.6 },
    });
  });

  it('may be asked about whole tables', () => {
    const endpoint = { baseUrl: 'http://host/v1', model: 'm' };
    expect(of('llm', endpoint)).toMatchObject({ namesPerCall: 'column' });
    expect(of('llm', { ...endpoint, namesPerCall: 'table' })).toMatchObject({ namesPerCall: 'table' });
    expect(() => of('cta', { namesPerCall: 'table' })).toThrow(/--names-per-call is of no use to recipe cta/);
  });

  it('may be recorded proposals', () => {
    expect(of('llm', { replay: 'proposals.jsonl' })).toEqual({
      kind: 'recorded',
      file: 'proposals.jsonl',
      judgments: null,
    });
  });

  it('may be asked for judgments alone, or have judged before', () => {
    const given = { baseUrl: 'http://host/v1', model: 'm' };
    expect(of('cta', given, Object.keys(given), JUDGMENTS)).toMatchObject({
      kind: 'endpoint',
      endpoint: { model: 'm' },
    });
    const replayJudgments = 'judgments.jsonl';
    expect(of('cta', { replayJudgments }, ['replayJudgments'], JUDGMENTS)).toEqual({
      kind: 'recorded',
      file: null,
      judgments: replayJudgments,
    });
    const both = { replay: 'proposals.jsonl', replayJudgments };
    expect(of('llm', both, Object.keys(both), JUDGMENTS)).toEqual({
      kind: 'recorded',
      file: 'proposals.jsonl',
      judgments: replayJudgments,
    });
    const refused = (given: Given) =>
      errorOf(ConfigError, () => of('cta', given, Object.keys(given), JUDGMENTS)).message;
    expect(refused({})).toMatch(/nli.id llm \(without --replay-judgments\) needs --base-url/);
    expect(refused({ ...given, sendValues: true })).toMatch(/--send-values is of no use to recipe cta/);
    expect(refused({ ...given, replayJudgments })).toMatch(/--base-url is of no use to recorded answers/);
  });

  it('is none where the recipe asks none, whatever the configuration file says', () => {
    expect(of('cta', { baseUrl: 'http://host/v1', model: 'm' }, [])).toBeNull();
  });

  it('may be asked for primary entities alone', () => {
    const given = { baseUrl: 'http://host/v1', model: 'm', entityPrompt: 'prompt.txt' };
    expect(of('cta', given, Object.keys(given), ENTITIES)).toMatchObject({
      kind: 'endpoint',
      entityPrompt: 'prompt.txt',
    });
    const missing = errorOf(ConfigError, () => of('cta', {}, [], ENTITIES));
    expect(missing.message).toMatch(/tpe.id llm needs --base-url/);
    expect(missing.fix).toBe('Give it, for instance --base-url http://localhost:8000/v1.');
  });

  it.each<[RecipeName, Given, RegExp]>([
    ['cta', { entityPrompt: 'file' }, /--entity-prompt is of no use to tpe.id auto/],
    ['llm', {}, /recipe llm \(without --replay\) needs --base-url/],
    ['llm', { baseUrl: 'http://host/v1' }, /needs --model/],
    ['cta', { sendValues: true }, /--send-values is of no use to recipe cta/],
    ['cta', { replay: 'file' }, /--replay is of no use to recipe cta/],
    ['llm', { replay: 'file', model: 'm' }, /--model is of no use to recorded answers/],
    ['llm', { replayJudgments: 'file' }, /--replay-judgments is of no use to nli.id onnx/],
    ['llm', { baseUrl: 'http://host/v1', model: 'm', prices: 'free' }, /--prices are no two numbers/],
  ])('of recipe %s is refused with %j', (recipe, given, message) => {
    expect(errorOf(ConfigError, () => of(recipe, given)).message).toMatch(message);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { ModelFileError, NativeModuleError } from '../../src/errors.js';
import { pullModel } from '../../src/inference/hub/pull-model.js';
import { InferencePool } from '../../src/inference/inference-pool.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { OnnxEntailmentScorer } from '../../src/nli/entailment-scorer.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import { FIXTURES } from './hub/hub-server.js';

const vectorsSchema = z.array(z.array(z.number()));
const judgeSchema = z.object({
  labels: z.array(z.string()),
  scores: z.array(z.tuple([z.number(), z.number(), z.number()])),
});
/** What Python gave on the same networks (test/fixtures/models/make_models.py). */
const expected = z
  .object({
    pairs: z.array(z.tuple([z.string(), z.string()])),
    'roberta-nli': judgeSchema,
    'bert-nli': judgeSchema,
    texts: z.array(z.string()),
    query: z.object({ cls: vectorsSchema, mean: vectorsSchema }),
    table: z.object({ cls: vectorsSchema }),
  })
  .parse(JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')));

const cache = mkdtempSync(join(tmpdir(), 'perturbql-pulled-'));
const context = createStageContext(0, NOOP_HOST);
const { signal } = new AbortController();

beforeAll(async () => {
  vi.stubEnv('PERTURBQL_CACHE', cache);
  for (const name of ['tiny-roberta-nli', 'tiny-bert-nli', 'tiny-two-towers']) {
    await pullModel({ source: join(FIXTURES, name) }, NOOP_HOST);
  }
}, 60_000);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

describe('a pulled judge', () => {
  test.each([
    ['RoBERTa: byte BPE, no token types', 'roberta-nli'],
    ['BERT: WordPiece, token types', 'bert-nli'],
  ] as const)('gives Python’s scores under its own labels (%s)', async (_, name) => {
    const { labels, scores } = expected[name];
    const model = locateModel('nli', `tiny-${name}`);
    expect(model.manifest.labels).toEqual(labels);
    const scorer = new OnnxEntailmentScorer(model, 1);
    const pairs = expected.pairs.map(([premise, hypothesis]) => ({ premise, hypothesis }));
    const found = await scorer.score(pairs, context);
    await scorer.dispose();
    for (const [i, score] of found.entries()) {
      for (const [at, label] of labels.entries()) {
        expect(score[label as 'entailment']).toBeCloseTo(scores[i]![at]!, 4);
      }
    }
  });

  test('distinguishes the two sides of a pair where its tokenizer is of no family that has token types', async () => {
    const name = 'tiny-bert-nli';
    const folder = mkdtempSync(join(tmpdir(), 'perturbql-pulled-'));
    const { folder: pulled } = locateModel('nli', name);
    await pullModel({ source: pulled, name: 'generic', environment: { PERTURBQL_CACHE: folder } }, NOOP_HOST);
    const generic = join(folder, 'models', 'generic');
    const config = join(generic, 'tokenizer_config.json');
    const json = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>;
    writeFileSync(config, JSON.stringify({ ...json, tokenizer_class: 'PreTrainedTokenizerFast' }));
    // Its files are no longer those of the manifest; here the manifest is not what is tested.
    const model = locateModel('nli', generic);
    const scorer = new OnnxEntailmentScorer({ ...model, manifest: { ...model.manifest, files: {} } }, 1);
    const [premise, hypothesis] = expected.pairs[0]!;
    const [score] = await scorer.score([{ premise, hypothesis }], context);
    await scorer.dispose();
    rmSync(folder, { recursive: true });
    expect(score!.entailment).toBeCloseTo(expected['bert-nli'].scores[0]![1], 4);
  });

  test('is chosen by name in the settings; its scores have a cache of their own', () => {
    const fingerprints: string[] = [];
    const openStore = (fingerprint: string): null => {
      fingerprints.push(fingerprint);
      return null;
    };
    for (const model of [null, 'tiny-roberta-nli', 'tiny-bert-nli']) {
      const resources = new StageResources(parseSettings({ nli: { model } }), RECIPES.cta, { openStore });
      fingerprints.push(resources.scorer().fingerprint, resources.judgeFingerprint);
    }
    const onGpu = { openStore, device: 'cuda' } as const;
    fingerprints.push(new StageResources(parseSettings({}), RECIPES.cta, onGpu).scorer().fingerprint);
    expect(new Set(fingerprints).size).toBe(3 * 2 + 1);
  });

  test('is another one with other labels, another tokenizer or another longest input', () => {
    const { manifest, folder, fingerprint } = locateModel('nli', 'tiny-bert-nli');
    const file = join(folder, 'manifest.json');
    const former = readFileSync(file, 'utf8');
    const tokenizer = { ...manifest.files, 'tokenizer.json': { sha256: 'a'.repeat(64), bytes: 1 } };
    const changes = [{ labels: [...manifest.labels].reverse() }, { maxTokens: 7 }, { files: tokenizer }];
    const others = changes.map((change) => {
      writeFileSync(file, JSON.stringify({ ...manifest, ...change }));
      return locateModel('nli', 'tiny-bert-nli').fingerprint;
    });
    writeFileSync(file, former);
    expect(new Set([fingerprint, ...others]).size).toBe(4);
  });

  test('that is not there is told by name', () => {
    const locate = (): unknown => locateModel('nli', 'nobody/nothing');
    expect(locate).toThrow(ModelFileError);
    expect(locate).toThrow(/no pulled model of that name/);
  });
});

describe('a pulled encoder with two towers', () => {
  const close = (found: readonly Float32Array[], wanted: readonly (readonly number[])[]): void => {
    for (const [i, vector] of found.entries()) {
      for (const [at, value] of vector.entries()) expect(value).toBeCloseTo(wanted[i]![at]!, 4);
    }
  };

  test('embeds tables with one and queries with the other, pooled as its own files say', async () => {
    const model = locateModel('table-context-encoder', 'tiny-two-towers');
    expect(model.manifest).toMatchObject({ dimension: 8, pooling: 'cls', tableNetwork: 'onnx/table_model.onnx' });
    const encoder = new SentenceEncoder(model, 1);
    close(await encoder.embed(expected.texts, signal), expected.table.cls);
    close(await encoder.embedQueries(expected.texts, signal), expected.query.cls);
    await encoder.dispose();
    const mean = new SentenceEncoder({ ...model, manifest: { ...model.manifest, pooling: 'mean' } }, 1);
    close(await mean.embedQueries(expected.texts, signal), expected.query.mean);
    await mean.dispose();
  });
});

describe('--device', () => {
  test('names what this build of ONNX Runtime has, where it has not what was asked for', async () => {
    const here = process.platform === 'win32' ? 'coreml' : 'dml';
    const pool = new InferencePool(locateModel('nli', 'tiny-bert-nli'), 1, { device: here });
    const fault = await pool.run([{ text: 'a', pair: 'b' }], signal).catch((error: unknown) => error);
    await pool.dispose();
    expect(fault).toBeInstanceOf(NativeModuleError);
    expect((fault as NativeModuleError).message).toMatch(
      new RegExp(`^device ${here} can't be used: this build of ONNX Runtime has cpu`),
    );
    expect((fault as NativeModuleError).fix).toMatch(/Leave --device out/);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ModelFileError } from '../../../src/errors.js';
import { probeModel } from '../../../src/inference/hub/derive-manifest.js';
import type { EncoderManifest } from '../../../src/inference/model-manifest.js';
import { rejectionOf } from '../../error-of.js';

/** Name and shape of each network's output. */
const outputs = vi.hoisted(() => new Map<string, readonly [string, readonly number[]]>());

vi.mock('../../../src/inference/inference-pool.js', () => ({
  InferencePool: class {
    readonly #network: string;

    constructor(_model: unknown, _workers: number, { network }: { network: string }) {
      this.#network = network;
    }

    async run(): Promise<unknown> {
      const [name, dims] = outputs.get(this.#network)!;
      return [{ name, dims, data: new Float32Array(8), tokens: 5 }];
    }

    async dispose(): Promise<void> {}
  },
}));

const manifest: EncoderManifest = {
  task: 'table-context-encoder',
  name: 'towers',
  revision: '1',
  license: 'MIT',
  nonCommercial: false,
  made: 'by a test',
  files: {},
  maxTokens: 8,
  network: 'query.onnx',
  tableNetwork: 'table.onnx',
  dimension: 1,
  pooling: 'cls',
};
const probe = (): Promise<unknown> => probeModel('/models/towers', manifest, new AbortController().signal);

beforeEach(() => {
  outputs.set('query.onnx', ['last_hidden_state', [1, 5, 8]]).set('table.onnx', ['last_hidden_state', [1, 5, 8]]);
});

describe('probeModel, of an encoder,', () => {
  test('finds the dimension, and who pools', async () => {
    await expect(probe()).resolves.toMatchObject({ dimension: 8, pooling: 'cls' });
    outputs.set('query.onnx', ['sentence_embedding', [1, 8]]).set('table.onnx', ['sentence_embedding', [1, 8]]);
    await expect(probe()).resolves.toMatchObject({ dimension: 8, pooling: 'none' });
  });

  test.each<[string, string, readonly [string, readonly number[]], RegExp]>([
    ['a second tower that pools where the first does not', 'table.onnx', ['sentence_embedding', [1, 8]], /other tower/],
    ['a first tower that pools where the second does not', 'query.onnx', ['sentence_embedding', [1, 8]], /other tower/],
    ['towers of two dimensions', 'table.onnx', ['last_hidden_state', [1, 5, 4]], /gives \[1, 5, 4\], not \[1, 5, 8\]/],
    ['a classifier', 'query.onnx', ['logits', [1, 3]], /gives logits/],
    ['a language model', 'table.onnx', ['logits', [1, 5, 30522]], /gives logits/],
  ])('refuses %s', async (_, network, output, message) => {
    outputs.set(network, output);
    expect((await rejectionOf(ModelFileError, probe)).message).toMatch(message);
  });
});

describe('probeModel, of a masked language model,', () => {
  const { name, revision, license, nonCommercial, made, files, maxTokens, network } = manifest;
  const shared = { name, revision, license, nonCommercial, made, files, maxTokens, network };
  const masked = { task: 'fill-mask' as const, ...shared };
  const probeMasked = (): Promise<unknown> => probeModel('/models/towers', masked, new AbortController().signal);

  test('takes one that scores every token', async () => {
    outputs.set('query.onnx', ['logits', [1, 5, 30522]]);
    await expect(probeMasked()).resolves.toEqual(masked);
  });

  test.each<[string, readonly [string, readonly number[]]]>([
    ['an encoder', ['last_hidden_state', [1, 5, 8]]],
    ['a classifier', ['logits', [1, 3]]],
  ])('refuses %s', async (_, output) => {
    outputs.set('query.onnx', output);
    expect((await rejectionOf(ModelFileError, probeMasked)).message).toMatch(/not scores of words/);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';

const TEXTS = [
  'singer',
  'How many singers do we have?',
  'concert singer: singer | name, age, country',
  'a'.repeat(3000),
  '',
  '🙂 !!!',
  ...Array.from({ length: 20 }, (_, i) => `table ${'of things '.repeat(i)}${i}`),
];
const { signal } = new AbortController();

describe('SentenceEncoder on the embedded model', () => {
  const model = locateModel('table-context-encoder');
  const encoder = new SentenceEncoder(model, 2);
  let batch: readonly Float32Array[];
  beforeAll(async () => {
    batch = await encoder.embed(TEXTS, signal);
  });
  afterAll(() => encoder.dispose());

  test('gives one unit vector of the manifest’s dimension per text', () => {
    expect(batch).toHaveLength(TEXTS.length);
    for (const vector of batch) {
      expect(vector).toHaveLength(model.manifest.dimension);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test('gives the same bytes alone as in a batch, and in another order', async () => {
    for (const i of [0, 1, 2, 4]) expect((await encoder.embed([TEXTS[i]!], signal))[0]).toEqual(batch[i]);
    expect(await encoder.embed(TEXTS.slice(4).reverse(), signal)).toEqual(batch.slice(4).reverse());
  });

  test('ends a text that is cut off as it ends every other', async () => {
    // 254 words and two marks are the model's 256 tokens.
    const [whole, cut] = await encoder.embed(['name '.repeat(254), 'name '.repeat(400)], signal);
    expect(cut).toEqual(whole);
  });

  test('puts texts of one domain nearer to each other than to another’s', async () => {
    const [query, near, far] = await encoder.embed(
      ['singers and concerts', 'stadium concert tickets', 'chemical compounds'],
      signal,
    );
    const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(cosine(query!, near!)).toBeGreaterThan(cosine(query!, far!));
  });

  test('names the weights in its fingerprint', () => {
    expect(encoder.fingerprint).toContain(model.sha256);
    expect(encoder.model).toEqual({
      name: model.manifest.name,
      revision: model.manifest.revision,
      sha256: model.sha256,
    });
  });

  test('refuses a network of another dimension than its manifest’s', async () => {
    const lying = new SentenceEncoder({ ...model, manifest: { ...model.manifest, dimension: 100 } }, 1);
    await expect(lying.embed(['singer'], signal)).rejects.toThrow(ModelFileError);
    await lying.dispose();
  });

  test('stops when aborted', async () => {
    await expect(encoder.embed(TEXTS, AbortSignal.abort(new Error('stopped by the test')))).rejects.toThrow(
      'stopped by the test',
    );
  });
});

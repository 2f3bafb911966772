import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoredEmbedder } from '../../src/retriever/text-embedder.js';
import { openVectorCache, type VectorCache } from '../../src/run/row-cache.js';
import { createFolder } from './run-fixture.js';

const SIGNAL = new AbortController().signal;
const never = (message: string): void => expect.unreachable(message);
const open = (cacheFolder: string, fingerprint = 'encoder:1'): VectorCache =>
  openVectorCache({ cacheFolder }, fingerprint, never)!;

/** An encoder that writes down what it is asked for; a text's vector is its length and the tower's number. */
function createEncoder(): { readonly asked: string[]; readonly stored: (cache: VectorCache | null) => StoredEmbedder } {
  const asked: string[] = [];
  const run = (tower: number) => (texts: readonly string[]) => {
    asked.push(...texts);
    return Promise.resolve(texts.map((text) => Float32Array.of(text.length + 0.1, tower)));
  };
  const model = { name: 'lengths', revision: '1', sha256: 'a' };
  const dispose = (): Promise<void> => Promise.resolve();
  const inner = { fingerprint: 'encoder:1', dimension: 2, model, embed: run(1), embedQueries: run(2), dispose };
  return { asked, stored: (cache) => new StoredEmbedder(inner, cache) };
}

describe('the cache of vectors', () => {
  test('gives vectors back to the bit, at once and when opened again', () => {
    const folder = createFolder();
    const vector = fc.float32Array({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.string(), vector, fc.nat(), (text, given, n) => {
        const cache = open(folder, String(n));
        cache.put(text, given);
        expect(cache.get(text)).toEqual(given);
        cache.close();
        const again = open(folder, String(n));
        expect(again.get(text)).toEqual(given);
        expect(again.get(`${text}.`)).toBeNull();
        again.close();
      }),
      { numRuns: 15 },
    );
  });

  test('an encoder is asked for each text and tower once, in this run and the next', async () => {
    const folder = createFolder();
    const { asked, stored } = createEncoder();
    const first = stored(open(folder));
    expect(await first.embed(['a', 'bb'], SIGNAL)).toEqual([Float32Array.of(1.1, 1), Float32Array.of(2.1, 1)]);
    expect(await first.embed(['ccc', 'bb', 'a'], SIGNAL)).toEqual(
      [3.1, 2.1, 1.1].map((one) => Float32Array.of(one, 1)),
    );
    expect(await first.embedQueries(['a'], SIGNAL)).toEqual([Float32Array.of(1.1, 2)]);
    await first.dispose();
    expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
    const second = stored(open(folder));
    expect(await second.embed(['bb', 'a'], SIGNAL)).toEqual([Float32Array.of(2.1, 1), Float32Array.of(1.1, 1)]);
    await second.dispose();
    expect(asked).toHaveLength(4);
  });

  test('another encoder has its own file', () => {
    const folder = createFolder();
    for (const fingerprint of ['encoder:1', 'encoder:2', 'encoder:1@cuda']) open(folder, fingerprint).close();
    expect(readdirSync(folder)).toHaveLength(3);
  });

  test('one that can’t be opened warns, and the encoder is asked', async () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    const warnings: string[] = [];
    const cache = openVectorCache({ cacheFolder: file }, 'encoder:1', (message) => void warnings.push(message));
    expect(cache).toBeNull();
    expect(warnings).toEqual([expect.stringContaining(`vectors are not cached, ${file} can't be used: `)]);
    expect(await createEncoder().stored(cache).embed(['a'], SIGNAL)).toEqual([Float32Array.of(1.1, 1)]);
  });

  test('a shard has none: locks do not hold on every network file system', () => {
    const folder = createFolder();
    expect(openVectorCache({ cacheFolder: folder, shard: { index: 0, count: 2, call: null } }, 'e', never)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });
});

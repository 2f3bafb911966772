import { describe, expect, test } from 'vitest';
import { BatchRunner } from '../../src/inference/batch-runner.js';
import type { InferenceOutput } from '../../src/inference/inference-protocol.js';

const output = (text: string, noise = 0): InferenceOutput => ({
  name: 'logits',
  data: Float32Array.of(text.length + noise, text.codePointAt(0)!),
  dims: [1, 2],
  tokens: text.length,
});

/** A runner over texts that notes what ran alone and what together. */
function createRunner(batch: ((texts: readonly string[]) => readonly InferenceOutput[]) | null): {
  runner: BatchRunner<string>;
  alone: string[];
  batches: number[];
  closed: () => number;
} {
  const [alone, batches]: [string[], number[]] = [[], []];
  let closed = 0;
  const runner = new BatchRunner<string>({
    lengthOf: (text) => text.length,
    runOne: async (text) => {
      alone.push(text);
      return output(text);
    },
    openBatch: async () =>
      batch === null
        ? null
        : async (texts) => {
            batches.push(texts.length);
            return batch(texts);
          },
    closeOne: async () => void closed++,
  });
  return { runner, alone, batches, closed: () => closed };
}

const texts = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String.fromCodePoint(97 + i).padEnd(length, '.'));

describe('BatchRunner', () => {
  test('runs inputs of one length together, and gives outputs in input order', async () => {
    const { runner, alone, batches, closed } = createRunner((all) => all.map((text) => output(text)));
    const mixed = [...texts(5, 3), ...texts(20, 4), ...texts(1, 9)].sort(
      (a, b) => a.codePointAt(0)! - b.codePointAt(0)!,
    );
    await runner.run(texts(4, 2));
    expect(await runner.run(mixed)).toEqual(mixed.map((text) => output(text)));
    expect(batches.toSorted((a, b) => a - b)).toEqual([1, 4, 4, 5, 16]);
    expect([alone, closed()]).toEqual([texts(4, 2), 1]);
  });

  test('runs few inputs of one length alone, and opens no batch network for them', async () => {
    const { runner, alone, batches } = createRunner(() => []);
    await runner.run(['a', 'bb', 'cc']);
    expect([alone.length, batches.length]).toEqual([3, 0]);
  });

  test.each([
    ['there is none', null],
    ['a score would be another by its last bit', (all: readonly string[]) => all.map((text) => output(text, 1e-6))],
    [
      'it can’t be run',
      () => {
        throw new Error('no such operator');
      },
    ],
  ])('gives batches up for good where %s', async (_, batch) => {
    const { runner, alone, batches, closed } = createRunner(batch);
    const all = texts(6, 3);
    expect(await runner.run(all)).toEqual(all.map((text) => output(text)));
    expect(await runner.run(all)).toEqual(all.map((text) => output(text)));
    expect(alone).toHaveLength(12);
    expect(batches.length).toBeLessThan(2);
    expect(closed()).toBe(0);
  });
});

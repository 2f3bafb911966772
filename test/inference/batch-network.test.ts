import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { createBatchNetwork } from '../../src/inference/batch-network.js';
import { OnnxGraph } from '../../src/inference/onnx-graph.js';
import { embeddedModelFolder } from '../../src/inference/model-store.js';
import { NETWORK_FILE } from '../../src/inference/model-manifest.js';
import { createRng } from '../../src/seeded-rng.js';

const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;
const networkOf = (task: 'nli' | 'table-context-encoder'): Buffer =>
  readFileSync(join(embeddedModelFolder(task), NETWORK_FILE));

type Batch = readonly (readonly number[])[];

/** Token ids of inputs of one length; their second half is the second segment. */
function randomBatch(size: number, length: number): Batch {
  const rng = createRng(size, `batch of ${length}`);
  return Array.from({ length: size }, () => [101, ...Array.from({ length: length - 1 }, () => 1000 + rng.int(20_000))]);
}

async function run(session: ort.InferenceSession, batch: Batch): Promise<readonly (readonly number[])[]> {
  const dims = [batch.length, batch[0]!.length];
  const tensor = (value: (id: number, place: number) => number): ort.Tensor =>
    new ort.Tensor(
      'int64',
      BigInt64Array.from(
        batch.flatMap((ids) => ids.map(value)),
        BigInt,
      ),
      dims,
    );
  const inputs: Record<string, ort.Tensor> = {
    input_ids: tensor((id) => id),
    attention_mask: tensor(() => 1),
    token_type_ids: tensor((_, place) => (place * 2 >= dims[1]! ? 1 : 0)),
  };
  const [name = ''] = session.outputNames;
  const feeds = Object.fromEntries(session.inputNames.map((input) => [input, inputs[input]!]));
  const data = (await session.run(feeds, [name]))[name]!.data as Float32Array;
  const size = data.length / batch.length;
  return batch.map((_, i) => Array.from(data.subarray(i * size, (i + 1) * size)));
}

describe('createBatchNetwork', () => {
  test.each(['nli', 'table-context-encoder'] as const)(
    'gives each input of a batch the outputs of the embedded %s network alone, to the last bit',
    async (task) => {
      const file = networkOf(task);
      const alone = await ort.InferenceSession.create(file, SESSION);
      const together = await ort.InferenceSession.create(createBatchNetwork(file)!, SESSION);
      for (const batch of [randomBatch(2, 7), randomBatch(5, 17), randomBatch(16, 24), randomBatch(1, 12)]) {
        const outputs = await run(together, batch);
        for (const [i, ids] of batch.entries()) expect(outputs[i]).toEqual((await run(alone, [ids]))[0]);
      }
      await Promise.all([alone.release(), together.release()]);
    },
  );

  test('leaves no dynamic quantization over the whole batch, and takes no constant twice', () => {
    const graph = new OnnxGraph(createBatchNetwork(networkOf('nli'))!);
    expect(graph.nodes.filter(({ opType }) => opType === 'DynamicQuantizeLinear')).toEqual([]);
    expect(graph.outputs).toEqual(['logits']);
  });

  test('gives null for what it can’t rewrite: another file, a network without dynamic quantization', () => {
    expect(createBatchNetwork(Buffer.from('no network at all'))).toBeNull();
    expect(createBatchNetwork(Buffer.alloc(0))).toBeNull();
    const float = new URL('../fixtures/models/tiny-bert-nli/onnx/model.onnx', import.meta.url);
    expect(createBatchNetwork(readFileSync(float))).toBeNull();
  });
});

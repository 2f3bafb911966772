import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type * as Ort from 'onnxruntime-node';
import type {
  InferenceInput,
  InferenceOutput,
  InferenceReply,
  InferenceRequest,
  WorkerSetup,
} from './inference-protocol.js';

// One single-thread session per worker, one input per inference: under dynamic int8 quantization a score depends on
// its batch, so batching would make it depend on its neighbours.
const setup = workerData as WorkerSetup;
const port = parentPort;
if (port === null) throw new Error('inference-worker.js runs only as a worker thread');

function reply(message: InferenceReply): void {
  port?.postMessage(message);
}

async function load(): Promise<(input: InferenceInput) => Promise<InferenceOutput>> {
  const [{ AutoTokenizer, env }, ort] = await Promise.all([import('@xenova/transformers'), import('onnxruntime-node')]);
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(setup.folder, { local_files_only: true });
  const session = await ort.InferenceSession.create(join(setup.folder, setup.networkFile), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  const firstOutput = session.outputNames[0] ?? 'logits';
  return async (input) => {
    const encoded = tokenizer(input.text, {
      ...(input.pair === undefined ? {} : { text_pair: input.pair }),
      truncation: true,
      max_length: setup.maxTokens,
    }) as Record<string, { data: BigInt64Array; dims: number[] }>;
    const feeds: Record<string, Ort.Tensor> = {};
    for (const name of session.inputNames) {
      const tensor = encoded[name];
      if (tensor === undefined) throw new Error(`the tokenizer gives no "${name}"`);
      feeds[name] = new ort.Tensor('int64', tensor.data, tensor.dims);
    }
    const results = await session.run(feeds);
    const output = results[firstOutput];
    if (output === undefined) throw new Error(`the network gives no "${firstOutput}"`);
    const data = Float32Array.from(output.data as Float32Array);
    for (const tensor of Object.values(results)) tensor.dispose();
    return { data, tokens: encoded['input_ids']?.dims[1] ?? 0 };
  };
}

try {
  const infer = await load();
  port.on('message', (request: InferenceRequest) => {
    void answer(infer, request);
  });
  reply({ kind: 'ready' });
} catch (error) {
  reply({ kind: 'failed', id: null, message: error instanceof Error ? error.message : String(error) });
}

async function answer(
  infer: (input: InferenceInput) => Promise<InferenceOutput>,
  request: InferenceRequest,
): Promise<void> {
  try {
    const outputs: InferenceOutput[] = [];
    for (const input of request.inputs) outputs.push(await infer(input));
    reply({ kind: 'done', id: request.id, outputs });
  } catch (error) {
    reply({ kind: 'failed', id: request.id, message: error instanceof Error ? error.message : String(error) });
  }
}

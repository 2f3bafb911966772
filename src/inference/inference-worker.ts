import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type * as Ort from 'onnxruntime-node';
import { createBatchNetwork } from './batch-network.js';
import { BatchRunner, type RunBatch } from './batch-runner.js';
import type {
  FailureKind,
  InferenceInput,
  InferenceOutput,
  InferenceReply,
  InferenceRequest,
  WorkerSetup,
} from './inference-protocol.js';
import { itemAt } from '../present.js';

// One single-thread session per worker. Under dynamic int8 quantization a score depends on its batch, so inputs go one
// by one, or in batches through a network rewritten such that it does not.
const setup = workerData as WorkerSetup;
const port = parentPort;
if (port === null) throw new Error('inference-worker.js runs only as a worker thread');

/** Outputs by preference: a classifier's, then the tokens' vectors, then what some networks pool themselves. */
const OUTPUTS = ['logits', 'last_hidden_state', 'token_embeddings', 'sentence_embedding', 'pooler_output'];

interface TokenTensor {
  readonly data: BigInt64Array;
  readonly dims: number[];
}
type Encoded = Readonly<Record<string, TokenTensor | undefined>>;

function reply(message: InferenceReply): void {
  port?.postMessage(message);
}

function fail(error: unknown, id: number | null, failure: FailureKind = 'network'): void {
  reply({ kind: 'failed', id, failure, message: error instanceof Error ? error.message : String(error) });
}

/** Kinds of segments that the network has embeddings for: two for BERT, one for RoBERTa. */
function segmentKinds(): number {
  try {
    const config = JSON.parse(readFileSync(join(setup.folder, 'config.json'), 'utf8')) as { type_vocab_size?: unknown };
    return typeof config.type_vocab_size === 'number' ? config.type_vocab_size : 2;
  } catch {
    return 2;
  }
}

const SESSION = {
  executionProviders: [setup.device],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
} as const;

async function openSession(ort: typeof Ort): Promise<Ort.InferenceSession> {
  const known = ort.listSupportedBackends().map(({ name }) => name);
  if (!known.includes(setup.device)) throw new Error(`this build of ONNX Runtime has ${known.join(', ')}`);
  return ort.InferenceSession.create(join(setup.folder, setup.networkFile), SESSION);
}

/** A session that takes batches without changing a score; null where there is none. */
async function openBatchSession(ort: typeof Ort): Promise<Ort.InferenceSession | null> {
  if (setup.device !== 'cpu') return null;
  const network = createBatchNetwork(readFileSync(join(setup.folder, setup.networkFile)));
  return network === null ? null : ort.InferenceSession.create(network, SESSION);
}

/** A device that fails is told from a network that does, by whether the CPU can load the network. */
async function openOn(ort: typeof Ort): Promise<Ort.InferenceSession | null> {
  try {
    return await openSession(ort);
  } catch (error) {
    if (setup.device === 'cpu') throw error;
    const onCpu = await ort.InferenceSession.create(join(setup.folder, setup.networkFile));
    await onCpu.release();
    fail(error, null, 'device');
    return null;
  }
}

/** Returns an input that the tokenizer lacks and a network may still want: no second segment anywhere. */
function missingInput(name: string, encoded: Encoded): TokenTensor {
  const ids = encoded['input_ids'];
  if (name !== 'token_type_ids' || ids === undefined) throw new Error(`the tokenizer gives no "${name}"`);
  return { data: new BigInt64Array(ids.data.length), dims: ids.dims };
}

function toTensor(ort: typeof Ort, { data, dims }: TokenTensor, type: string): Ort.Tensor {
  return type === 'int32'
    ? new ort.Tensor('int32', Int32Array.from(data, Number), dims)
    : new ort.Tensor('int64', data, dims);
}

/** Tokens of one input. */
const lengthOf = (encoded: Encoded): number => encoded['input_ids']?.dims[1] ?? 0;

/** Truncation cuts the end token off with the rest; every input that the network learned from ended with it. */
function closeTruncated(encoded: Encoded, end: number | undefined): Encoded {
  const ids = encoded['input_ids'];
  if (ids !== undefined && end !== undefined && lengthOf(encoded) === setup.maxTokens) ids.data.fill(BigInt(end), -1);
  return encoded;
}

/** One tensor per input of the network, the batch along its first axis. */
function toFeed(ort: typeof Ort, name: string, type: string, inputs: readonly Encoded[]): Ort.Tensor {
  const all = inputs.map((encoded) => encoded[name] ?? missingInput(name, encoded));
  const first = itemAt(all, 0);
  if (all.length === 1) return toTensor(ort, first, type);
  const data = new BigInt64Array(inputs.length * first.data.length);
  all.forEach((tensor, i) => data.set(tensor.data, i * tensor.data.length));
  return toTensor(ort, { data, dims: [inputs.length, ...first.dims.slice(1)] }, type);
}

/** The network's output of each input of a batch. */
function toOutputs(
  name: string,
  output: Ort.Tensor | undefined,
  inputs: readonly Encoded[],
): readonly InferenceOutput[] {
  if (output?.type !== 'float32') throw new Error(`the network's output is ${output?.type ?? 'missing'}, not float32`);
  const data = output.data as Float32Array;
  const size = data.length / inputs.length;
  const dims = [1, ...output.dims.slice(1)];
  return inputs.map((encoded, i) => ({
    name,
    data: data.slice(i * size, (i + 1) * size),
    dims,
    tokens: lengthOf(encoded),
  }));
}

/** Runs inputs of one length on a session, together. */
function runOn(ort: typeof Ort, session: Ort.InferenceSession): RunBatch<Encoded> {
  const types = new Map(session.inputMetadata.map((input) => [input.name, input.isTensor ? input.type : 'int64']));
  const outputName = OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? 'logits';
  return async (inputs) => {
    const feeds: Record<string, Ort.Tensor> = {};
    for (const name of session.inputNames) feeds[name] = toFeed(ort, name, types.get(name) ?? 'int64', inputs);
    const results = await session.run(feeds, [outputName]);
    const outputs = toOutputs(outputName, results[outputName], inputs);
    for (const tensor of Object.values(results)) tensor.dispose();
    return outputs;
  };
}

async function load(): Promise<RunBatch<InferenceInput> | null> {
  const [{ AutoTokenizer, env }, ort] = await Promise.all([import('./transformers.js'), import('onnxruntime-node')]);
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(setup.folder, { local_files_only: true });
  const session = await openOn(ort);
  if (session === null) return null;
  // A tokenizer class of no family leaves token types out; without them a pair would be one segment to BERT.
  const asksTypes = session.inputNames.includes('token_type_ids') && segmentKinds() > 1;
  const encode = (input: InferenceInput): Encoded => {
    const encoded: Encoded = tokenizer(input.text, {
      ...(input.pair === undefined ? {} : { text_pair: input.pair }),
      ...(asksTypes ? { return_token_type_ids: true } : {}),
      truncation: true,
      max_length: setup.maxTokens,
    });
    return closeTruncated(encoded, tokenizer.sep_token_id);
  };
  const alone = runOn(ort, session);
  const runner = new BatchRunner<Encoded>({
    lengthOf,
    runOne: async (encoded) => itemAt(await alone([encoded]), 0),
    openBatch: async () => {
      const batched = await openBatchSession(ort);
      return batched === null ? null : runOn(ort, batched);
    },
    closeOne: () => session.release(),
  });
  return (inputs) => runner.run(inputs.map(encode));
}

try {
  const infer = await load();
  if (infer !== null) {
    port.on('message', (request: InferenceRequest) => {
      void answer(infer, request);
    });
    reply({ kind: 'ready' });
  }
} catch (error) {
  fail(error, null);
}

async function answer(infer: RunBatch<InferenceInput>, request: InferenceRequest): Promise<void> {
  try {
    reply({ kind: 'done', id: request.id, outputs: await infer(request.inputs) });
  } catch (error) {
    fail(error, request.id);
  }
}

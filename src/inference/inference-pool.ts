import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ModelFileError, NativeModuleError, type PerturbqlError } from '../errors.js';
import { type Device, DEVICE_NEEDS } from './device.js';
import type {
  FailureKind,
  InferenceInput,
  InferenceOutput,
  InferenceReply,
  WorkerSetup,
} from './inference-protocol.js';
import { checkModelFiles, type LocatedModel } from './model-store.js';
import type { NetworkManifest } from './model-manifest.js';

/**
 * Inputs per message: so many that some have one length and can share a batch, so few that workers finish together and a
 * stopped run ends within a second.
 */
const CHUNK = { least: 16, most: 128, characters: 10_000 } as const;

interface Job {
  readonly signal: AbortSignal;
  readonly inputs: readonly InferenceInput[];
  readonly resolve: (outputs: readonly InferenceOutput[]) => void;
  readonly reject: (error: unknown) => void;
}

interface WorkerSlot {
  readonly worker: Worker;
  job: Job | null;
  /** True once the worker is gone: what it is given would never be answered. */
  stopped: boolean;
}

export interface PoolOptions {
  readonly device?: Device | undefined;
  /** The network, of a model that has two; else the manifest's. */
  readonly network?: string | undefined;
}

/** Inputs in their order, in chunks of about equal work for so many workers. */
function splitInputs(inputs: readonly InferenceInput[], workers: number): readonly (readonly InferenceInput[])[] {
  const most = Math.min(CHUNK.most, Math.max(CHUNK.least, Math.ceil(inputs.length / workers)));
  const chunks: (readonly InferenceInput[])[] = [];
  let [chunk, characters]: [InferenceInput[], number] = [[], 0];
  for (const input of inputs) {
    if (characters >= CHUNK.characters || chunk.length >= most) {
      chunks.push(chunk);
      [chunk, characters] = [[], 0];
    }
    chunk.push(input);
    characters += input.text.length + (input.pair?.length ?? 0);
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk];
}

/** Ends a worker between two jobs: onnxruntime aborts the whole process where its thread ends within an inference. */
async function stopSlot(slot: WorkerSlot): Promise<void> {
  const gone = slot.stopped;
  slot.stopped = true;
  if (slot.job !== null && !gone) {
    await new Promise((resolve) => {
      slot.worker.once('message', resolve);
      slot.worker.once('exit', resolve);
    });
  }
  await slot.worker.terminate();
}

// Run from TypeScript source (tests), the worker is the built one: a worker thread can't load .ts on Node 20.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/inference/inference-worker.js' : './inference-worker.js',
  import.meta.url,
);

/**
 * Runs a model's inputs on single-thread sessions in worker threads, side by side; none shares an inference with another
 * where that would change its output. Outputs do not depend on the number of workers nor on what else is asked for. Starts at the first call.
 */
export class InferencePool {
  readonly #model: LocatedModel<NetworkManifest>;
  readonly #size: number;
  readonly #device: Device;
  readonly #network: string;
  #slots: Promise<readonly WorkerSlot[]> | null = null;
  readonly #queue: Job[] = [];

  /** `workers`: sessions side by side; undefined = the number of cores, or one on another device than the CPU. */
  constructor(model: LocatedModel<NetworkManifest>, workers?: number, options: PoolOptions = {}) {
    const { device = 'cpu', network = model.manifest.network } = options;
    this.#model = model;
    // Each session holds the weights: on a graphics card one serves, and several would crowd it.
    this.#size = Math.max(1, workers ?? (device === 'cpu' ? availableParallelism() : 1));
    this.#device = device;
    this.#network = network;
  }

  /** Inputs that are run side by side. */
  get size(): number {
    return this.#size;
  }

  /**
   * One output per input, in input order.
   * @throws ModelFileError when the model's files are wrong or the network can't be run; the signal's reason on abort.
   */
  async run(inputs: readonly InferenceInput[], signal: AbortSignal): Promise<readonly InferenceOutput[]> {
    signal.throwIfAborted();
    if (inputs.length === 0) return [];
    this.#slots ??= this.#start();
    const slots = await this.#slots;
    const chunks = splitInputs(inputs, slots.length).map(
      (part) =>
        new Promise<readonly InferenceOutput[]>((resolve, reject) =>
          this.#queue.push({ signal, inputs: part, resolve, reject }),
        ),
    );
    for (const slot of slots) this.#feed(slot);
    const outputs = (await Promise.all(chunks)).flat();
    // A chunk that is under way runs to its end, but whoever stopped gets no outputs.
    signal.throwIfAborted();
    return outputs;
  }

  /** Stops the workers; the pool starts again if it is used again. */
  async dispose(): Promise<void> {
    const slots = this.#slots;
    this.#slots = null;
    if (slots === null) return;
    this.#refuseQueue(this.#failure('it was stopped'));
    const started = await slots.catch(() => []);
    await Promise.all(started.map(stopSlot));
  }

  async #start(): Promise<readonly WorkerSlot[]> {
    await checkModelFiles(this.#model);
    return Promise.all(Array.from({ length: this.#size }, () => this.#startSlot()));
  }

  #startSlot(): Promise<WorkerSlot> {
    const { folder, manifest } = this.#model;
    const { maxTokens } = manifest;
    const workerData: WorkerSetup = { folder, networkFile: this.#network, maxTokens, device: this.#device };
    const worker = new Worker(WORKER_URL, { workerData });
    const slot: WorkerSlot = { worker, job: null, stopped: false };
    return new Promise((resolve, reject) => {
      worker.on('message', (message: InferenceReply) => {
        if (message.kind === 'ready') resolve(slot);
        else if (message.kind === 'failed' && message.id === null) {
          reject(this.#failure(message.message, message.failure));
          void worker.terminate();
        } else this.#settle(slot, message);
      });
      const leave = (message: string): PerturbqlError => {
        const failure = this.#failure(message);
        slot.stopped = true;
        reject(failure);
        slot.job?.reject(failure);
        slot.job = null;
        return failure;
      };
      worker.on('error', (error) => this.#refuseQueue(leave(error instanceof Error ? error.message : String(error))));
      worker.on('exit', () => leave('it was stopped'));
    });
  }

  #refuseQueue(failure: PerturbqlError): void {
    for (const job of this.#queue.splice(0)) job.reject(failure);
  }

  #failure(message: string, kind: FailureKind = 'network'): PerturbqlError {
    const { name, pulled } = this.#model.manifest;
    if (kind === 'device') {
      return new NativeModuleError(`device ${this.#device} can't be used: ${message}`, {
        fix: `Leave --device out to run on the CPU; ${this.#device} needs ${DEVICE_NEEDS[this.#device]}.`,
      });
    }
    const check = pulled === undefined ? 'doctor' : `models verify ${name}`;
    return new ModelFileError(`model ${name} can't be run: ${message}`, {
      where: { file: this.#model.folder },
      fix: `Run \`perturbql ${check}\`; it checks ${pulled === undefined ? 'the native modules and ' : ''}the model files.`,
    });
  }

  #settle(slot: WorkerSlot, message: Exclude<InferenceReply, { kind: 'ready' }>): void {
    const job = slot.job;
    slot.job = null;
    if (message.kind === 'done') job?.resolve(message.outputs);
    else job?.reject(this.#failure(message.message));
    this.#feed(slot);
  }

  #feed(slot: WorkerSlot): void {
    if (slot.job !== null) return;
    if (slot.stopped) {
      this.#refuseQueue(this.#failure('it was stopped'));
      return;
    }
    let job = this.#queue.shift();
    while (job?.signal.aborted === true) {
      job.reject(job.signal.reason);
      job = this.#queue.shift();
    }
    if (job === undefined) {
      slot.worker.unref();
      return;
    }
    slot.job = job;
    slot.worker.ref();
    slot.worker.postMessage({ id: 0, inputs: job.inputs });
  }
}

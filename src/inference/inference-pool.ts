import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ModelFileError } from '../errors.js';
import type { InferenceInput, InferenceOutput, InferenceReply, WorkerSetup } from './inference-protocol.js';
import { checkModelFiles, type LocatedModel } from './model-store.js';
import { NETWORK_FILE } from './model-manifest.js';

/** Inputs per message: large enough that messages cost nothing, small enough that workers finish together. */
const CHUNK = 16;

interface Job {
  readonly signal: AbortSignal;
  readonly inputs: readonly InferenceInput[];
  readonly resolve: (outputs: readonly InferenceOutput[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly worker: Worker;
  job: Job | null;
  /** True once the worker is gone: what it is given would never be answered. */
  stopped: boolean;
}

/** Ends a worker between two jobs: onnxruntime aborts the whole process where its thread ends within an inference. */
async function stopSeat(seat: Seat): Promise<void> {
  const gone = seat.stopped;
  seat.stopped = true;
  if (seat.job !== null && !gone) {
    await new Promise((resolve) => {
      seat.worker.once('message', resolve);
      seat.worker.once('exit', resolve);
    });
  }
  await seat.worker.terminate();
}

// Run from TypeScript source (tests), the worker is the built one: a worker thread can't load .ts on Node 20.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/inference/inference-worker.js' : './inference-worker.js',
  import.meta.url,
);

/**
 * Runs a model's inputs one per inference on single-thread sessions in worker threads, side by side.
 * Outputs do not depend on the number of workers nor on what else is asked for. Starts at the first call.
 */
export class InferencePool {
  readonly #model: LocatedModel;
  readonly #size: number;
  #seats: Promise<readonly Seat[]> | null = null;
  readonly #queue: Job[] = [];

  constructor(model: LocatedModel, size = availableParallelism()) {
    this.#model = model;
    this.#size = Math.max(1, size);
  }

  /**
   * One output per input, in input order.
   * @throws ModelFileError when the model's files are wrong or the network can't be run; the signal's reason on abort.
   */
  async run(inputs: readonly InferenceInput[], signal: AbortSignal): Promise<readonly InferenceOutput[]> {
    signal.throwIfAborted();
    if (inputs.length === 0) return [];
    this.#seats ??= this.#start();
    const seats = await this.#seats;
    const chunks: Promise<readonly InferenceOutput[]>[] = [];
    for (let start = 0; start < inputs.length; start += CHUNK) {
      const part = inputs.slice(start, start + CHUNK);
      chunks.push(new Promise((resolve, reject) => this.#queue.push({ signal, inputs: part, resolve, reject })));
    }
    for (const seat of seats) this.#feed(seat);
    return (await Promise.all(chunks)).flat();
  }

  /** Stops the workers; the pool starts anew if it is used again. */
  async dispose(): Promise<void> {
    const seats = this.#seats;
    this.#seats = null;
    if (seats === null) return;
    this.#refuseQueue(this.#failure('it was stopped'));
    const started = await seats.catch(() => []);
    await Promise.all(started.map(stopSeat));
  }

  async #start(): Promise<readonly Seat[]> {
    await checkModelFiles(this.#model);
    return Promise.all(Array.from({ length: this.#size }, () => this.#startSeat()));
  }

  #startSeat(): Promise<Seat> {
    const { folder, manifest } = this.#model;
    const workerData: WorkerSetup = { folder, networkFile: NETWORK_FILE, maxTokens: manifest.maxTokens };
    const worker = new Worker(WORKER_URL, { workerData });
    const seat: Seat = { worker, job: null, stopped: false };
    return new Promise((resolve, reject) => {
      worker.on('message', (message: InferenceReply) => {
        if (message.kind === 'ready') resolve(seat);
        else if (message.kind === 'failed' && message.id === null) reject(this.#failure(message.message));
        else this.#settle(seat, message);
      });
      const leave = (message: string): ModelFileError => {
        const failure = this.#failure(message);
        seat.stopped = true;
        reject(failure);
        seat.job?.reject(failure);
        seat.job = null;
        return failure;
      };
      worker.on('error', (error) => this.#refuseQueue(leave(error instanceof Error ? error.message : String(error))));
      worker.on('exit', () => leave('it was stopped'));
    });
  }

  #refuseQueue(failure: ModelFileError): void {
    for (const job of this.#queue.splice(0)) job.reject(failure);
  }

  #failure(message: string): ModelFileError {
    return new ModelFileError(`model ${this.#model.manifest.name} can't be run: ${message}`, {
      where: { file: this.#model.folder },
      fix: 'Run `perturbql doctor`; it checks the native modules and the model files.',
    });
  }

  #settle(seat: Seat, message: Exclude<InferenceReply, { kind: 'ready' }>): void {
    const job = seat.job;
    seat.job = null;
    if (message.kind === 'done') job?.resolve(message.outputs);
    else job?.reject(this.#failure(message.message));
    this.#feed(seat);
  }

  #feed(seat: Seat): void {
    if (seat.job !== null) return;
    if (seat.stopped) {
      this.#refuseQueue(this.#failure('it was stopped'));
      return;
    }
    let job = this.#queue.shift();
    while (job?.signal.aborted === true) {
      job.reject(job.signal.reason);
      job = this.#queue.shift();
    }
    if (job === undefined) {
      seat.worker.unref();
      return;
    }
    seat.job = job;
    seat.worker.ref();
    seat.worker.postMessage({ id: 0, inputs: job.inputs });
  }
}

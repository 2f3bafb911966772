// node:worker_threads over web workers. A worker gets the files of its model with its first message.
import { filesBelow } from './file-map.js';

type Listener = (message: unknown) => void;

export interface WorkerStart {
  readonly workerData: { readonly folder: string };
  readonly files: ReturnType<typeof filesBelow>;
}

/** In the thread that starts one. */
export class Worker {
  readonly #worker = new globalThis.Worker(new URL('./network-worker.js', self.location.href), { type: 'module' });
  readonly #exits: Listener[] = [];

  constructor(_script: URL, { workerData }: Pick<WorkerStart, 'workerData'>) {
    this.#worker.postMessage({ workerData, files: filesBelow(workerData.folder) } satisfies WorkerStart);
  }

  on(event: 'message' | 'error' | 'exit', listener: Listener): this {
    if (event === 'message') this.#worker.addEventListener('message', ({ data }) => listener(data));
    else if (event === 'error') this.#worker.addEventListener('error', ({ message }) => listener(new Error(message)));
    else this.#exits.push(listener);
    return this;
  }

  once(event: 'message' | 'exit', listener: Listener): this {
    return this.on(event, listener);
  }

  postMessage(message: unknown): void {
    this.#worker.postMessage(message);
  }

  async terminate(): Promise<void> {
    this.#worker.terminate();
    for (const listener of this.#exits) listener(0);
  }

  ref(): void {}

  unref(): void {}
}

/** In the worker: what it was started with. */
export let workerData: WorkerStart['workerData'] | null = null;

export function startWith(start: WorkerStart): void {
  workerData = start.workerData;
}

/** In the worker: the thread that started it. */
export const parentPort = {
  on(_event: 'message', listener: Listener): void {
    self.addEventListener('message', ({ data }) => listener(data));
  },
  postMessage(message: unknown): void {
    self.postMessage(message);
  },
};

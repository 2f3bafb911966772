import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AgreementReport } from '../api-shapes.js';

/** Tests run the sources; the worker is started from the build, as Node reads no TypeScript. */
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/annotate/server/agreement-worker.js' : './agreement-worker.js',
  import.meta.url,
);

/** Measures a project's agreement in a thread of its own: over many items it takes long, and saves must not wait. */
export class AgreementTask {
  readonly #file: string;
  #running: Promise<AgreementReport> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** The agreement as it stands; who asks while it is being measured gets the same. */
  measure(): Promise<AgreementReport> {
    this.#running ??= this.#start().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #start(): Promise<AgreementReport> {
    const worker = new Worker(WORKER_URL, { workerData: this.#file });
    try {
      const [report] = (await once(worker, 'message')) as [AgreementReport];
      return report;
    } finally {
      await worker.terminate();
    }
  }
}

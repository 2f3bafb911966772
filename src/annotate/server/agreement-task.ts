import { openWorkerPool } from '../../run/worker-pool.js';
import type { AgreementReport } from '../api-shapes.js';

/** Measures a project's agreement in a thread of its own: over many items it takes long, and saves must not wait. */
export class AgreementTask {
  readonly #file: string;
  #running: Promise<AgreementReport> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** The current agreement; who asks while it is being measured gets the same. */
  measure(): Promise<AgreementReport> {
    this.#running ??= this.#start().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #start(): Promise<AgreementReport> {
    const pool = openWorkerPool('annotate/server/agreement-worker', 1);
    try {
      return (await pool.run(this.#file)) as AgreementReport;
    } finally {
      await pool.destroy();
    }
  }
}

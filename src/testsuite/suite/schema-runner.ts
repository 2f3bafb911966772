import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { InputFormatError } from '../../errors.js';
import { openWorkerPool } from '../../run/worker-pool.js';
import type { DistillTask } from '../distill/distillation.js';
import type { SchemaJob, SchemaOutcome, SchemaProgress } from './schema-job.js';

/**
 * Threads that distill schemas, one each at a time. When the signal asks for it, they stop at their next step and say
 * how far they have come.
 */
export class SchemaRunner {
  readonly #pool: Piscina;
  readonly #signal: AbortSignal;
  /** Of the schemas that are under way or wait for a thread. */
  readonly #ports = new Set<MessagePort>();

  constructor(jobs: number | undefined, signal: AbortSignal) {
    this.#pool = openWorkerPool('testsuite/suite/schema-worker', jobs);
    this.#signal = signal;
    signal.addEventListener('abort', this.#stop);
  }

  /**
   * Distills a schema and writes its files; `progress` is told about once a second how far it is.
   * @throws InputFormatError where the schema's database can't be used
   */
  async run(
    job: Pick<SchemaJob, 'suite' | 'resume'> & { readonly task: DistillTask },
    progress: (progress: SchemaProgress) => void,
  ): Promise<Exclude<SchemaOutcome, { kind: 'refused' }>> {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', progress);
    this.#ports.add(port1);
    if (this.#signal.aborted) this.#stop();
    try {
      const outcome = (await this.#pool.run({ ...job, port: port2 }, { transferList: [port2] })) as SchemaOutcome;
      if (outcome.kind !== 'refused') return outcome;
      const { message, where, fix } = outcome;
      throw new InputFormatError(message, { where, fix });
    } finally {
      this.#ports.delete(port1);
      port1.removeAllListeners('message');
      port1.close();
    }
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#pool.destroy();
  }

  readonly #stop = (): void => {
    for (const port of this.#ports) port.postMessage('stop');
  };
}

import { MessageChannel } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { InputFormatError } from '../../errors.js';
import type { DistillTask } from '../distill/distillation.js';
import type { SchemaJob, SchemaOutcome, SchemaProgress } from './schema-job.js';

/** What happens to a schema while a thread works on it. */
export interface SchemaListener {
  readonly signal: AbortSignal;
  /** Told about once a second. */
  readonly progress: (progress: SchemaProgress) => void;
}

/**
 * Gives a schema to a pool of `schema-worker`. When the signal asks for it, the thread stops at its next step and says
 * how far it has come.
 * @throws InputFormatError where the schema's database can't be used
 */
export async function runSchema(
  pool: Piscina,
  job: Pick<SchemaJob, 'suite' | 'resume'> & { readonly task: DistillTask },
  { signal, progress }: SchemaListener,
): Promise<Exclude<SchemaOutcome, { kind: 'refused' }>> {
  const { port1, port2 } = new MessageChannel();
  const stop = (): void => port1.postMessage('stop');
  port1.on('message', progress);
  signal.addEventListener('abort', stop);
  try {
    const outcome = (await pool.run({ ...job, port: port2 }, { transferList: [port2] })) as SchemaOutcome;
    if (outcome.kind !== 'refused') return outcome;
    const { message, where, fix } = outcome;
    throw new InputFormatError(message, { where, fix });
  } finally {
    signal.removeEventListener('abort', stop);
    port1.removeAllListeners('message');
    port1.close();
  }
}

import { setImmediate } from 'node:timers/promises';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { PerturbqlError } from '../../errors.js';
import { distillSchema } from '../distill/distill-schema.js';
import type { DistilledSchema } from '../distill/distillation.js';
import type { SchemaJob, SchemaOutcome, SchemaProgress } from './schema-job.js';
import { countedNeighbors, countNeighbors } from './suite-counts.js';
import { writeSchema } from './write-schema.js';

/** How much work a kill may cost at most, in addition to the step that is under way. */
const REPORT_MS = 1000;

const isStopped = (port: MessagePort): boolean => receiveMessageOnPort(port) !== undefined;

/** Distills until all is done, which it returns, or until it is told to stop. */
async function distill(
  { task, resume, port }: SchemaJob,
  now: () => number,
): Promise<DistilledSchema | SchemaProgress | null> {
  if (isStopped(port)) return resume;
  const steps = distillSchema(task, resume?.state ?? null);
  let told = -Infinity;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    // Serialized databases are freed only when the event loop turns.
    await setImmediate();
    const progress: SchemaProgress = { state: step.value, seconds: now() };
    if (isStopped(port)) return progress;
    if (progress.seconds - told < REPORT_MS / 1000) continue;
    told = progress.seconds;
    port.postMessage(progress);
  }
}

/** Returns the error as an object that survives the way between threads: SQLite's own errors do not. */
function plainError(error: unknown, dbId: string): Error {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(message), { stack: `${dbId}: ${stack}` });
}

/** The work of a thread of `buildSuite`. */
export default async function runSchemaJob(job: SchemaJob): Promise<SchemaOutcome> {
  const before = (job.resume?.seconds ?? 0) - performance.now() / 1000;
  const now = (): number => before + performance.now() / 1000;
  try {
    const made = await distill(job, now);
    if (made === null || 'state' in made) return { kind: 'stopped', progress: made };
    const counts = countNeighbors(writeSchema(job.suite, job.task, made));
    return { kind: 'done', neighbors: countedNeighbors(counts), left: counts.left, seconds: now() };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw plainError(error, job.task.database.id);
    const { message, where, fix } = error;
    return { kind: 'refused', message, where, fix };
  }
}

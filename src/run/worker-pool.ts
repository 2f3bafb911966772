import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

/** Threads side by side: more than there are cores only cost memory. */
export function threadCount(jobs: number | undefined): number {
  return Math.min(jobs ?? Infinity, availableParallelism());
}

/** Piscina requires a script before it imports it, and Node then hides why a module can't be loaded. */
const IMPORT_ONLY = '--no-experimental-require-module';

/**
 * A pool of threads that run the default export of a script, named by its path in `src/` without `.ts`, a task each at a
 * time, in the order in which they are asked for.
 */
export function openWorkerPool(script: string, jobs: number | undefined): Piscina {
  // Run from TypeScript source (tests), the worker is the built one: a worker thread can't load .ts on Node 20.
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : '../';
  const threads = threadCount(jobs);
  const filename = new URL(`${root}${script}.js`, import.meta.url).href;
  // Node before 20.17 has no such option, and nothing to switch off.
  const execArgv = process.allowedNodeEnvironmentFlags.has(IMPORT_ONLY) ? [IMPORT_ONLY] : [];
  const pool = new Piscina({ filename, minThreads: 1, maxThreads: threads, execArgv, recordTiming: false });
  // A thread that fails between tasks is nobody's error: what waits for it would wait for ever, so it is told.
  pool.on('error', () => void pool.destroy());
  return pool;
}

/**
 * Work whose threads an abort ends by `close`, whatever they are doing.
 * @throws the signal's reason once it is aborted: what the work throws then follows from it
 */
export async function runAbortable<T>(
  signal: AbortSignal,
  close: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const stop = (): void => void close();
  signal.throwIfAborted();
  signal.addEventListener('abort', stop);
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

import { availableParallelism } from 'node:os';
import { DEFAULT_LIMITS, type QueryLimits, type QueryOutcome } from './query-outcome.js';
import { QueryProcess } from './query-process.js';
import type { QueryTask } from './query-protocol.js';
import { refusalOf } from './refusal.js';

export interface QueryRunnerOptions {
  /** Queries run side by side, each in a process of its own; default: the machine's cores. */
  readonly processes?: number;
  /** What one process may allocate in MiB; at least 256, default 1024. Enforced by the kernel on Linux. */
  readonly memoryMiB?: number;
  /** Limits of a query where it brings none; default: `DEFAULT_LIMITS`. */
  readonly limits?: Partial<QueryLimits>;
}

interface Job {
  readonly task: QueryTask;
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: QueryOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly process: QueryProcess;
  job: Job | null;
}

const MEMORY_MIB = 1024;
const MIN_MEMORY_MIB = 256; // Node and an open database take about 60

/**
 * Runs queries on SQLite files in child processes that can be killed: SQL that never ends, returns too much or takes
 * too much memory costs only itself. Only single statements that read are run, on connections that can't write.
 * An outcome depends on its query alone, not on the number of processes. Processes start at the first query and are
 * kept; idle ones do not keep this process alive, and all end with it.
 */
export class QueryRunner {
  readonly #seats: readonly Seat[];
  readonly #limits: QueryLimits;
  readonly #queue: Job[] = [];
  /** Signals listened to, each once. */
  readonly #signals = new Map<AbortSignal, () => void>();
  #isClosed = false;

  constructor(options: QueryRunnerOptions = {}) {
    const memory = Math.max(MIN_MEMORY_MIB, options.memoryMiB ?? MEMORY_MIB);
    const size = Math.max(1, options.processes ?? availableParallelism());
    this.#seats = Array.from({ length: size }, () => ({ process: new QueryProcess(memory), job: null }));
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * What became of a query; hostile or wrong SQL gives an outcome, too.
   * @throws the signal's reason on abort; NativeModuleError where no process can be started; Error once closed.
   */
  async run(task: QueryTask, signal: AbortSignal, limits: Partial<QueryLimits> = {}): Promise<QueryOutcome> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('the query runner is closed');
    const reason = refusalOf(task.sql);
    if (reason !== null) return { kind: 'refused', reason };
    this.#listen(signal);
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, limits: { ...this.#limits, ...limits }, signal, resolve, reject });
      this.#feed();
    });
  }

  /** Kills the processes and waits until they are gone; what still runs or waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [signal, stop] of this.#signals) signal.removeEventListener('abort', stop);
    this.#signals.clear();
    await this.#stop(() => true, new Error('the query runner is closed'));
    await Promise.all(this.#seats.map((seat) => seat.process.kill()));
  }

  #listen(signal: AbortSignal): void {
    if (this.#signals.has(signal)) return;
    const stop = (): void => {
      this.#signals.delete(signal);
      void this.#stop((job) => job.signal === signal, signal.reason);
    };
    this.#signals.set(signal, stop);
    signal.addEventListener('abort', stop, { once: true });
  }

  async #stop(isMeant: (job: Job) => boolean, reason: unknown): Promise<void> {
    const waiting = this.#queue.splice(0);
    this.#queue.push(...waiting.filter((job) => !isMeant(job)));
    const running = this.#seats.filter(({ job }) => job !== null && isMeant(job));
    for (const job of waiting) if (isMeant(job)) job.reject(reason);
    for (const seat of running) seat.job?.reject(reason);
    await Promise.all(running.map((seat) => seat.process.kill()));
  }

  #feed(): void {
    const seat = this.#seats.find(({ job }) => job === null);
    const job = seat === undefined ? undefined : this.#queue.shift();
    if (seat !== undefined && job !== undefined) void this.#serve(seat, job);
  }

  async #serve(seat: Seat, job: Job): Promise<void> {
    seat.job = job;
    try {
      job.resolve(await seat.process.execute(job.task, job.limits));
    } catch (error) {
      job.reject(error);
    }
    seat.job = null;
    this.#feed();
  }
}

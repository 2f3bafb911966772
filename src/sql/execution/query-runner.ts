import { availableParallelism } from 'node:os';
import { DEFAULT_LIMITS, type QueryLimits, type QueryOutcome, refusalOf } from './query-outcome.js';
import {
  type Comparison,
  type ComparisonBatch,
  type ComparisonTask,
  type FailedOutcome,
  fatalComparison,
  type QueryTask,
  REFERENCE,
} from './query-protocol.js';
import { QueryProcess, type BatchEnd } from './query-process.js';
import type { ResultEquality } from './result-mode.js';
import { itemAt } from '../../present.js';
import type { RunningQuery } from './batch-clock.js';

/** Of a batch of one task whose process died before it said which query it begins. */
const UNKNOWN: RunningQuery = { task: 0, place: REFERENCE, referenceRows: 0, isOpening: false };

/**
 * A batch in work in one process, which is restarted where a query takes it along: what is done stays done, and the query
 * that it died with costs only its task.
 */
class BatchInWork {
  readonly #process: QueryProcess;
  readonly #batch: ComparisonBatch;
  readonly #progress: (done: number) => void;
  readonly #results: (Comparison | undefined)[];
  #done = 0;

  constructor(process: QueryProcess, batch: ComparisonBatch, progress: (done: number) => void) {
    this.#process = process;
    this.#batch = batch;
    this.#progress = progress;
    this.#results = batch.tasks.map(() => undefined);
  }

  /** Null where the process was stopped from outside. */
  async run(): Promise<readonly Comparison[] | null> {
    let announces = false;
    for (let open = this.#open(); open.length > 0; open = this.#open()) {
      const tasks = announces ? open.slice(0, 1) : open;
      let next = 0;
      const chosen = { ...this.#batch, tasks: tasks.map((i) => itemAt(this.#batch.tasks, i)) };
      const end: BatchEnd = await this.#process.compare(chosen, announces, (results) => {
        for (const result of results) this.#keep(itemAt(tasks, next++), result);
      });
      if (end.kind === 'stopped') return null;
      if (end.kind === 'done') continue;
      const query: RunningQuery | null = end.query ?? (announces ? UNKNOWN : null);
      if (query !== null) this.#blame(itemAt(tasks, query.task), query.place, query.referenceRows, end.outcome);
      announces = query === null; // one by one until it is known which query it dies with
    }
    return this.#results as Comparison[];
  }

  #open(): number[] {
    return this.#results.flatMap((result, i) => (result === undefined ? [i] : []));
  }

  #keep(at: number, result: Comparison): void {
    if (this.#results[at] === undefined) this.#progress((this.#done += 1));
    this.#results[at] = result;
  }

  /** A reference that takes its process with it is not run again for the other tasks that have it. */
  #blame(at: number, place: number, referenceRows: number, outcome: FailedOutcome): void {
    const { tasks } = this.#batch;
    const same = (one: ComparisonTask | undefined): boolean =>
      one?.reference === tasks[at]?.reference && one?.source === tasks[at]?.source;
    const meant = place === REFERENCE ? this.#open().filter((i) => same(tasks[i])) : [at];
    for (const i of meant) this.#keep(i, fatalComparison(place, outcome, referenceRows));
  }
}

export interface QueryRunnerOptions {
  /** Queries run side by side, each in a process of its own; default: the machine's cores. */
  readonly jobs?: number | undefined;
  /** The memory that one process may allocate in MiB; at least 256, default 1024. Enforced by the kernel on Linux. */
  readonly memoryMiB?: number;
  /** Limits of a query where it brings none; default: `DEFAULT_LIMITS`. */
  readonly limits?: Partial<QueryLimits>;
}

interface Job {
  /** Works in a process, and settles what the caller waits for. */
  readonly serve: (process: QueryProcess) => Promise<void>;
  readonly signal: AbortSignal;
  readonly reject: (error: unknown) => void;
}

export interface CompareOptions {
  readonly limits?: Partial<QueryLimits>;
  /** Called with the number of tasks that are done. */
  readonly progress?: (done: number) => void;
}

/** Jobs that one signal stops. */
interface Listening {
  readonly stop: () => void;
  jobs: number;
}

interface WorkerSlot {
  readonly process: QueryProcess;
  job: Job | null;
  isUsed: boolean;
}

/**
 * Milliseconds that a process works while other work waits before more are started, each for 0.1 s of a core: short
 * work needs one.
 */
const PATIENCE_MS = 500;

const MEMORY_MIB = 1024;
const MIN_MEMORY_MIB = 256; // Node and an open database take about 60

/**
 * Runs queries on SQLite files in child processes that can be killed: SQL that never ends, returns too much or takes
 * too much memory costs only itself. Only single statements that read are run, on connections that can't write.
 * An outcome depends on its query alone, not on the number of processes. Processes start at the first query and are
 * kept; idle ones do not keep this process alive, and all end with it.
 */
export class QueryRunner {
  readonly #slots: readonly WorkerSlot[];
  readonly #limits: QueryLimits;
  readonly #queue: Job[] = [];
  /** Signals listened to, each once, for as long as there are jobs that it stops. */
  readonly #signals = new Map<AbortSignal, Listening>();
  #isClosed = false;
  /** True if there is work for more than one process. */
  #isBusy = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: QueryRunnerOptions = {}) {
    const memory = Math.max(MIN_MEMORY_MIB, options.memoryMiB ?? MEMORY_MIB);
    const size = Math.max(1, options.jobs ?? availableParallelism());
    this.#slots = Array.from({ length: size }, () => ({ process: new QueryProcess(memory), job: null, isUsed: false }));
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * Returns a query's outcome; hostile or wrong SQL gives an outcome, too.
   * @throws the signal's reason on abort; NativeModuleError where no process can be started; Error once closed.
   */
  async run(task: QueryTask, signal: AbortSignal, limits: Partial<QueryLimits> = {}): Promise<QueryOutcome> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('the query runner is closed');
    const reason = refusalOf(task.sql);
    if (reason !== null) return { kind: 'refused', reason };
    return this.#work(signal, (process) => process.execute(task, { ...this.#limits, ...limits }));
  }

  /**
   * Compares the results of queries with those of reference queries, one comparison per task in their order. One
   * process works through all of them and keeps the rows to itself, so this costs far less than `run` for each query; a
   * query that does not end or takes its process along costs its own task, the others' results stay. The time limit is
   * CPU time here, and ten times that in wall time, so that a busy machine changes no result. Tasks of the same
   * `source` object and reference should follow one another: the reference is then run once.
   * @throws as `run`
   */
  async compare(
    tasks: readonly ComparisonTask[],
    equality: ResultEquality,
    signal: AbortSignal,
    { limits = {}, progress = () => undefined }: CompareOptions = {},
  ): Promise<readonly Comparison[]> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('the query runner is closed');
    if (tasks.length === 0) return [];
    const batch = { equality, limits: { ...this.#limits, ...limits }, tasks };
    return this.#work(signal, async (process) => {
      const results = await new BatchInWork(process, batch, progress).run();
      if (results === null) throw signal.reason ?? new Error('the query runner is closed');
      return results;
    });
  }

  /** Kills the processes and waits until they are gone; what still runs or waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#patience);
    for (const [signal, { stop }] of this.#signals) signal.removeEventListener('abort', stop);
    this.#signals.clear();
    await this.#stop(() => true, new Error('the query runner is closed'));
    await Promise.all(this.#slots.map((slot) => slot.process.kill()));
  }

  async #work<T>(signal: AbortSignal, use: (process: QueryProcess) => Promise<T>): Promise<T> {
    const listening = this.#listen(signal);
    listening.jobs += 1;
    try {
      return await new Promise<T>((resolve, reject) => {
        const serve = (process: QueryProcess): Promise<void> => use(process).then(resolve, reject);
        this.#queue.push({ serve, signal, reject });
        this.#feed();
      });
    } finally {
      listening.jobs -= 1;
      if (listening.jobs === 0) this.#unlisten(signal, listening);
    }
  }

  #listen(signal: AbortSignal): Listening {
    const known = this.#signals.get(signal);
    if (known !== undefined) return known;
    const stop = (): void => void this.#stop((job) => job.signal === signal, signal.reason);
    const listening = { stop, jobs: 0 };
    this.#signals.set(signal, listening);
    signal.addEventListener('abort', stop, { once: true });
    return listening;
  }

  #unlisten(signal: AbortSignal, { stop }: Listening): void {
    signal.removeEventListener('abort', stop);
    this.#signals.delete(signal);
  }

  async #stop(isMeant: (job: Job) => boolean, reason: unknown): Promise<void> {
    const waiting = this.#queue.splice(0);
    this.#queue.push(...waiting.filter((job) => !isMeant(job)));
    const running = this.#slots.filter(({ job }) => job !== null && isMeant(job));
    for (const job of waiting) if (isMeant(job)) job.reject(reason);
    for (const slot of running) slot.job?.reject(reason);
    await Promise.all(running.map((slot) => slot.process.kill()));
  }

  /** A process that runs is taken before a new one is started. */
  #freeSlot(): WorkerSlot | undefined {
    const free = this.#slots.filter(({ job }) => job === null);
    const used = free.find(({ isUsed }) => isUsed);
    if (used !== undefined || this.#isBusy || this.#slots.every(({ isUsed }) => !isUsed)) return used ?? free[0];
    return undefined;
  }

  #feed(): void {
    if (this.#queue.length === 0) return;
    const slot = this.#freeSlot();
    const job = slot === undefined ? undefined : this.#queue.shift();
    if (slot !== undefined && job !== undefined) void this.#serve(slot, job);
    else this.#wait();
  }

  /** Work that waits long enough is given to all processes. */
  #wait(): void {
    if (this.#isBusy) return;
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      if (this.#queue.length === 0) return;
      if (this.#slots.every((slot) => slot.process.readyMs < PATIENCE_MS / 2)) {
        this.#wait(); // the first one is still starting
        return;
      }
      this.#isBusy = true;
      for (let left = this.#slots.length; left > 0; left--) this.#feed();
    }, PATIENCE_MS);
  }

  async #serve(slot: WorkerSlot, job: Job): Promise<void> {
    slot.job = job;
    slot.isUsed = true;
    await job.serve(slot.process);
    slot.job = null;
    this.#feed();
  }
}

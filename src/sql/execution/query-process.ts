import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { NativeModuleError } from '../../errors.js';
import { readOvertime, type RunningQuery } from './batch-clock.js';
import { boundedNode, childScript } from './bounded-node.js';
import {
  type BatchRequest,
  type Comparison,
  type ComparisonBatch,
  type FailedOutcome,
  OPENING_MS,
  type QueryReply,
  type QueryRequest,
  type QueryTask,
} from './query-protocol.js';
import type { QueryLimits, QueryOutcome } from './query-outcome.js';

/** Milliseconds for starting the process. */
const START_MS = 60_000;

/**
 * The child ends a query of a batch by itself, at ten times its limit in wall time at the latest; this is for one that
 * can't.
 */
const BACKSTOP_FACTOR = 12;

/** Milliseconds beyond a query's limit for comparing its result, when a batch has said nothing. */
const COMPARING_MS = 60_000;

/** Characters kept of what a dying process says. */
const LAST_WORDS = 4_000;

/** V8's, Node's and the C++ library's words for it. */
const OUT_OF_MEMORY = /out of memory|allocation failed|bad_alloc/i;

const NOT_OPEN: FailedOutcome = {
  kind: 'failed',
  at: 'database',
  message: `the database was not open within ${OPENING_MS / 1000} s`,
};

const STOPPED: FailedOutcome = { kind: 'failed', at: 'process', message: 'the query was stopped' };

/**
 * How a batch ended: all is done, its process was stopped, or it died with the query that is named where that is known.
 */
export type BatchEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'died'; readonly outcome: FailedOutcome; readonly query: RunningQuery | null };

interface Waiting {
  readonly done: (outcome: QueryOutcome) => void;
  readonly timeoutMs: number;
  /** Of a batch: takes results, and says whether they are the last. */
  readonly compared?: (results: readonly Comparison[]) => boolean;
}

/** One child process that runs queries, one at a time; when it is killed or dies, the next query starts another. */
export class QueryProcess {
  readonly #memoryMiB: number;
  #child: ChildProcess | null = null;
  #started: Promise<void> = Promise.resolve();
  /** Settled once all processes that were started are gone. */
  #gone: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastWords = '';
  #readySince: number | null = null;
  /** The query that a batch of one task said it begins. */
  #announced: RunningQuery | null = null;
  /** Tasks of all batches that the process was sent. */
  #sentTasks = 0;

  constructor(memoryMiB: number) {
    this.#memoryMiB = memoryMiB;
  }

  /** Milliseconds for which the process has been ready for queries, or busy with them; 0 where it is none yet. */
  get readyMs(): number {
    return this.#readySince === null ? 0 : performance.now() - this.#readySince;
  }

  /**
   * Returns the query's outcome.
   * @throws NativeModuleError where no process can be started.
   */
  async execute(task: QueryTask, limits: QueryLimits): Promise<QueryOutcome> {
    return this.#use(() => this.#ask({ task, limits }, limits.timeoutMs));
  }

  /**
   * Works through a batch as far as the process lives; results come in the order of its tasks. With `announces` it is
   * known which query a process died with, at the cost of a message for each.
   * @throws NativeModuleError where no process can be started.
   */
  async compare(
    batch: ComparisonBatch,
    announces: boolean,
    compared: (results: readonly Comparison[]) => void,
  ): Promise<BatchEnd> {
    const { tasks, limits } = batch;
    const longestMs = limits.timeoutMs * BACKSTOP_FACTOR + OPENING_MS + COMPARING_MS;
    let [left, first] = [tasks.length, 0];
    this.#announced = null;
    this.#lastWords = '';
    const outcome = await this.#use(() => {
      first = this.#sentTasks;
      this.#sentTasks += tasks.length;
      return this.#ask({ batch, announces }, longestMs, (results) => {
        left -= results.length;
        compared(results);
        return left === 0;
      });
    });
    if (left === 0) return { kind: 'done' };
    if (outcome.kind === 'rows' || outcome === STOPPED) return { kind: 'stopped' };
    const overtime = readOvertime(this.#lastWords, first, tasks.length);
    if (overtime === null) return { kind: 'died', outcome, query: this.#announced };
    return { kind: 'died', outcome: overtime.isOpening ? NOT_OPEN : { kind: 'timed-out' }, query: overtime };
  }

  async #use(ask: () => Promise<QueryOutcome>): Promise<QueryOutcome> {
    if (this.#child?.connected !== true) this.#started = this.#start();
    const child = this.#child;
    child?.ref();
    child?.channel?.ref();
    try {
      await this.#started;
      return this.#child === child ? await ask() : STOPPED;
    } finally {
      // An idle process doesn't keep the parent from ending, and ends with it.
      this.#child?.unref();
      this.#child?.channel?.unref();
    }
  }

  /** Ends the process, whatever it is doing, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    child?.ref();
    // `close` comes with the end of its streams: with the process alone kept, the parent could end before.
    (child?.stderr as Socket | null | undefined)?.ref();
    child?.kill('SIGKILL');
    this.#settle(STOPPED);
    await this.#gone;
  }

  #ask(request: QueryRequest | BatchRequest, timeoutMs: number, compared?: Waiting['compared']): Promise<QueryOutcome> {
    const child = this.#child;
    if (child === null) return Promise.resolve(STOPPED);
    return new Promise((resolve) => {
      this.#waiting = { done: resolve, timeoutMs, ...(compared === undefined ? {} : { compared }) };
      this.#limitQuery();
      child.send(request, (error) => {
        if (error !== null) child.kill('SIGKILL');
      });
    });
  }

  #start(): Promise<void> {
    const child = fork(childScript('query-child'), [], {
      ...boundedNode(this.#memoryMiB),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: process.platform !== 'win32', // a terminal's Ctrl+C is for the parent alone
    });
    this.#child = child;
    this.#lastWords = '';
    this.#sentTasks = 0;
    child.stderr?.on('data', (text: Buffer) => {
      this.#lastWords = `${this.#lastWords}${text.toString()}`.slice(0, LAST_WORDS);
    });
    (child.stderr as Socket | null)?.unref();
    this.#gone = Promise.all([this.#gone, new Promise((resolve) => child.once('close', resolve))]);
    return new Promise((resolve, reject) => {
      const leave = (cause: string): void => {
        reject(this.#startFailure(cause));
        if (this.#child === child) this.#leave(cause);
      };
      this.#limit(START_MS, () => leave(`it was not ready within ${START_MS / 1000} s`));
      child.on('message', (reply: QueryReply) => {
        if (this.#child === child) this.#hear(reply, resolve);
      });
      child.on('error', ({ message }) => leave(message));
      child.on('close', (code, signal) => {
        if (this.#child === child) leave(`it ended with ${signal ?? code ?? 'an error'}`);
        else resolve(); // killed while it started: no failure to start
      });
    });
  }

  #startFailure(cause: string): NativeModuleError {
    const said = /^\w*Error: .*$/m.exec(this.#lastWords)?.[0] ?? this.#lastWords.trim();
    return new NativeModuleError(`the process that runs SQL does not start: ${cause}`, {
      fix: 'Run `npm run build` in a source checkout, else `perturbql doctor`.',
      ...(said === '' ? {} : { cause: new Error(said) }),
    });
  }

  #hear(reply: QueryReply, ready: () => void): void {
    if (reply.kind === 'done') this.#settle(reply.outcome);
    else if (reply.kind === 'running') this.#limitQuery();
    else if (reply.kind === 'compared') this.#hearResults(reply.results);
    else if (reply.kind === 'at') {
      this.#announced = { task: 0, place: reply.place, referenceRows: reply.referenceRows, isOpening: false };
    } else if (reply.kind === 'opening') this.#limit(OPENING_MS, () => this.#settle(NOT_OPEN));
    else {
      this.#clearLimit();
      this.#readySince ??= performance.now();
      ready();
    }
  }

  #hearResults(results: readonly Comparison[]): void {
    this.#limitQuery();
    if (this.#waiting?.compared?.(results) === true) this.#settle(STOPPED);
  }

  #limitQuery(): void {
    this.#limit(this.#waiting?.timeoutMs ?? 0, () => this.#settle({ kind: 'timed-out' }));
  }

  /** Sets the one time limit. What has arrived is read before it kills: it may be the parent that was busy. */
  #limit(ms: number, passed: () => void): void {
    this.#clearLimit();
    const timer = setTimeout(() => {
      setImmediate(() => {
        if (this.#timer !== timer) return;
        this.#child?.kill('SIGKILL');
        this.#child = null;
        passed();
      });
    }, ms);
    this.#timer = timer;
  }

  #clearLimit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #leave(cause: string): void {
    this.#child = null;
    const isMemory = OUT_OF_MEMORY.test(this.#lastWords);
    const message = `the process that ran it died: ${cause}`;
    this.#settle(isMemory ? { kind: 'too-large', limit: 'memory' } : { kind: 'failed', at: 'process', message });
  }

  #settle(outcome: QueryOutcome): void {
    this.#clearLimit();
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.done(outcome);
  }
}

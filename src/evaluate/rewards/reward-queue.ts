import { ApiError } from '../../http/api-error.js';
import type { RunHost } from '../../run/run-host.js';

/** Requests that are held at a time, those in work included; what comes beyond is sent away before it is read. */
const MOST_HELD = 1_024;
/** Bytes of their bodies, all together. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Milliseconds that a request may wait for its turn, by a query's limit: a quarter more. Who waits behind a query that
 * runs away then gets the turn when that is killed, and is not sent away just before.
 */
export const patienceOf = (limitMs: number): number => 1.25 * limitMs;

export interface RewardQueueOptions {
  /** Requests in work at a time. */
  readonly width: number;
  /** Milliseconds that a request waits for its turn before it is sent away. */
  readonly patienceMs: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Lets a few requests work at a time and a bounded number wait a bounded time: the rest is told to come again, so that
 * neither memory nor the time of an answer grows with what is asked.
 */
export class RewardQueue {
  readonly #options: RewardQueueOptions;
  /** In their order. */
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #held = 0;
  #bytes = 0;
  #refused = 0;

  constructor(options: RewardQueueOptions) {
    this.#options = options;
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Requests that were sent away. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Holds a request with a body of so many bytes while it is read and worked on.
   * @throws ApiError `busy` where there is no room
   */
  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#held >= MOST_HELD || this.#bytes + bytes > MOST_BYTES) throw this.#refusal();
    this.#held += 1;
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#held -= 1;
      this.#bytes -= bytes;
    }
  }

  /**
   * Works when it is its turn.
   * @throws ApiError `busy` where that takes too long; the signal's reason where it is aborted before
   */
  async turn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#options.width) this.#running += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      // A place is handed on: whoever comes just now must not take it, too.
      const [next] = this.#waiting;
      if (next === undefined) this.#running -= 1;
      else next.begin();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        settle();
      };
      const waiting = { begin: () => leave(resolve) };
      const stop = (): void => leave(() => reject(signal.reason as Error));
      const timer = setTimeout(() => leave(() => reject(this.#refusal())), this.#options.patienceMs);
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #refusal(): ApiError {
    this.#refused += 1;
    const seconds = Math.max(1, Math.ceil(this.#options.patienceMs / 1000));
    return new ApiError('busy', 'the service has more to do than it can take', {
      fix: `Send the request again in ${seconds} s, or send fewer at a time.`,
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** Latest answers whose times are looked at. */
const WINDOW = 1_000;
/** Milliseconds between two reports. */
const PERIOD_MS = 1_000;

/** Tells how the service fares: rewards given, requests waiting and sent away, and how long answers take. */
export class RewardMeter {
  readonly #host: RunHost;
  readonly #queue: RewardQueue;
  readonly #latest: number[] = [];
  #answers = 0;
  #rewards = 0;
  #told = 0;

  constructor(host: RunHost, queue: RewardQueue) {
    this.#host = host;
    this.#queue = queue;
  }

  /** Of an answer with so many rewards that took so long. */
  add(rewards: number, ms: number): void {
    this.#latest[this.#answers % WINDOW] = ms;
    this.#answers += 1;
    this.#rewards += rewards;
    const now = performance.now();
    if (now - this.#told < PERIOD_MS) return;
    this.#told = now;
    this.#host.progress('rewards', this.#rewards, null, this.#describe());
  }

  #describe(): string {
    const sorted = [...this.#latest].sort((a, b) => a - b);
    const quantile = (q: number): string => `${Math.round(sorted[Math.floor(q * (sorted.length - 1))] ?? 0)} ms`;
    const { waiting, refused } = this.#queue;
    return `${this.#answers} answers, half within ${quantile(0.5)}, 99% within ${quantile(0.99)}, ${waiting} waiting, ${refused} sent away`;
  }
}

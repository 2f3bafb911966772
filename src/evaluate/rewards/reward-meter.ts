import type { RunHost } from '../../run/run-host.js';
import type { RewardQueue } from './reward-queue.js';

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

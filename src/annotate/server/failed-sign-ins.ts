import { sha256Of } from '../../run/sha256.js';

/** So many wrong tokens from one address in one window are borne; after that it has to wait. */
const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Addresses remembered; far more than a project has people, and a bound to memory. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  readonly since: number;
  count: number;
}

/**
 * Slows down guessing of tokens. A token that has been right before is let through all the same, so that a forgotten tab
 * with an old link does not shut out the others who work on the same machine.
 */
export class FailedSignIns {
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();
  /** Hashes, so that no token lies in memory longer than its request. */
  readonly #trusted = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds that an address has to wait before it may try this token; 0 where it may now. */
  waitFor(address: string, token: string): number {
    const failures = this.#current(address);
    if (failures === null || failures.count < MOST_FAILURES || this.#trusted.has(sha256Of(token))) return 0;
    return Math.ceil((failures.since + WINDOW_MS - this.#now()) / 1_000);
  }

  succeed(token: string): void {
    this.#trusted.add(sha256Of(token));
  }

  fail(address: string): void {
    const failures = this.#current(address);
    if (failures !== null) failures.count++;
    else this.#begin(address);
  }

  #begin(address: string): void {
    const [oldest] = this.#failures.size < MOST_ADDRESSES ? [] : this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(address, { since: this.#now(), count: 1 });
  }

  #current(address: string): Failures | null {
    const failures = this.#failures.get(address);
    if (failures === undefined) return null;
    if (failures.since + WINDOW_MS > this.#now()) return failures;
    this.#failures.delete(address);
    return null;
  }
}

/** So many wrong tokens from one address in one window are borne; after that, wrong ones have to wait. */
const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Addresses remembered; far more than a project has people, and a bound to memory. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  readonly since: number;
  count: number;
}

/**
 * Counts wrong tokens by address, so that a forgotten tab with an old link, or a guesser, is told to wait. Right tokens
 * are never held up: behind one address there may be a whole office, and 256 random bits are not guessed at any speed.
 */
export class FailedSignIns {
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a wrong token; returns the seconds that its address has to wait, 0 where it may try another now. */
  fail(address: string): number {
    const failures = this.#current(address);
    if (failures === null) this.#begin(address);
    else if (failures.count < MOST_FAILURES) failures.count++;
    else return Math.ceil((failures.since + WINDOW_MS - this.#now()) / 1_000);
    return 0;
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

/** Milliseconds that a rate looks back: long enough for uneven items, short enough to follow a change of pace. */
const WINDOW_MS = 60_000;
/** Changes that a rate looks back at least, where each takes long. */
const LEAST_CHANGES = 5;

/**
 * Items of this run that a time left is told by at least, once work has gone on for as long as its start took; or the share of
 * what it has to do. The first ones start slowly, where models are loaded and threads begin.
 */
const LEAST_OWN = 3;
const LEAST_SHARE = 0.2;

/** How far work is and how fast it goes. */
export interface Pace {
  /** Items a second; null while nothing was done. */
  readonly rate: number | null;
  /** Null where it can't be said: after one item of many, or where one takes longer than all that was left. */
  readonly secondsLeft: number | null;
}

interface Change {
  readonly at: number;
  readonly done: number;
}

/** Items a second; 0 for one change. */
function rateBetween(first: Change, last: Change): number {
  return last.at <= first.at ? 0 : ((last.done - first.done) * 1000) / (last.at - first.at);
}

/**
 * The recent rate of work and the time it will still take. While no item ends, the time left runs down, never up: only
 * what was done changes the rate, so that a slow item is not taken for a stop.
 */
export class ProgressRate {
  /** Times are milliseconds of any clock. */
  #changes: readonly Change[];
  readonly #first: number;
  /** Left as it was last said, at the last change and since. */
  #said = Infinity;

  constructor(started: number, done: number) {
    this.#changes = [{ at: started, done }];
    this.#first = done;
  }

  update(now: number, done: number, total: number): Pace {
    const last = this.#changes.at(-1);
    if (last === undefined || done > last.done) {
      const all = [...this.#changes, { at: now, done }];
      // What lies before the window goes, but for the change that it begins with.
      const recent = all.findIndex(({ at }, i) => now - at <= WINDOW_MS || all.length - i <= LEAST_CHANGES);
      this.#changes = all.slice(Math.max(0, recent - 1));
      this.#said = Infinity;
    }
    return this.#paceAt(now, total);
  }

  #paceAt(now: number, total: number): Pace {
    const [first, last] = [this.#changes[0], this.#changes.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at || last.done <= first.done)
      return { rate: null, secondsLeft: null };
    const { sinceStart, isSettled } = this.#start(last);
    const rate = Math.max(
      rateBetween(first, last),
      isSettled && sinceStart !== null ? rateBetween(sinceStart, last) : 0,
    );
    const own = last.done - this.#first;
    const isEnough = own >= LEAST_SHARE * (total - this.#first) || (own >= LEAST_OWN && isSettled);
    if (!isEnough) return { rate, secondsLeft: null };
    const left = Math.max(0, (total - last.done) / rate - (now - last.at) / 1000);
    this.#said = Math.min(this.#said, left);
    return { rate, secondsLeft: this.#said > 0 || last.done >= total ? this.#said : null };
  }

  /** The first change, where the rate still looks back to the start, and whether work has gone on since for as long. */
  #start(last: Change): { readonly sinceStart: Change | null; readonly isSettled: boolean } {
    const [start, sinceStart] = this.#changes;
    if (start === undefined || sinceStart === undefined || start.done > this.#first)
      return { sinceStart: null, isSettled: true };
    return { sinceStart, isSettled: last.at - sinceStart.at >= sinceStart.at - start.at };
  }
}

import { formatCount } from '../counts.js';

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
interface Pace {
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

/** Where progress lines go; `process.stderr` is one. */
export interface ProgressSink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Seconds between plain lines where there is no terminal. */
const PLAIN_INTERVAL_S = 10;
const SHORT_INTERVAL_S = 1;
const TTY_INTERVAL_S = 0.2;

function renderDuration(duration: number): string {
  const seconds = Math.ceil(duration);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Where one item in a hundred is less than a percent, with a decimal, so that the figure moves with the work. */
function percentOf(done: number, total: number): number {
  if (done >= total) return 100;
  const scale = total > 100 ? 10 : 1;
  return Math.floor((100 * scale * done) / total) / scale;
}

/** Items a second, or a minute where they take long. */
function renderRate(perSecond: number): string {
  if (perSecond < 0.1) return `${(60 * perSecond).toFixed(1)}/min`;
  return `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`;
}

/** How progress is written. */
export interface MeterStyle {
  /** `json`: one object a line, {event, step, done, total, rate, secondsLeft, message}. */
  readonly progress: 'text' | 'json';
  /** True if plain lines come every second. */
  readonly verbose: boolean;
}

const PLAIN: MeterStyle = { progress: 'text', verbose: false };

/** Progress with rate and time left: one line rewritten on a terminal, plain or JSON lines elsewhere. */
export class ProgressMeter {
  readonly #sink: ProgressSink;
  readonly #label: string;
  readonly #isRewritten: boolean;
  readonly #style: MeterStyle;
  readonly #now: () => number;
  #started: number;
  #rate: ProgressRate | null = null;
  #done = 0;
  /** The time left that was last shown, and with which percentage. */
  #shown: { readonly percent: number; readonly at: number; readonly secondsLeft: number } | null = null;
  #lastWrite = -Infinity;
  /** The progress last told, while the step goes on. */
  #running: readonly [done: number, total: number, detail: string] | null = null;
  #isEnded = false;
  #open = false;

  constructor(sink: ProgressSink, label: string, style = PLAIN, now: () => number = () => performance.now()) {
    this.#sink = sink;
    this.#label = label;
    this.#style = style;
    this.#isRewritten = sink.isTTY === true && style.progress === 'text';
    this.#now = now;
    this.#started = now();
  }

  get #intervalS(): number {
    if (this.#isRewritten) return TTY_INTERVAL_S;
    return this.#style.verbose || this.#style.progress === 'json' ? SHORT_INTERVAL_S : PLAIN_INTERVAL_S;
  }

  /** `total` is null while it is not known; `detail` is added behind the figures, "12,345 pairs scored". */
  update(done: number, total: number | null, detail = ''): void {
    const now = this.#now();
    if (done < this.#done) this.#restart(now);
    this.#done = done;
    const isLast = total !== null && done >= total;
    // The end is said once.
    if (isLast && this.#isEnded) return;
    this.#isEnded = isLast;
    this.#running = isLast || total === null ? null : [done, total, detail];
    // Items that an earlier run had finished say nothing of this run's rate.
    this.#rate ??= new ProgressRate(this.#started, done);
    const pace = this.#rate.update(now, done, total ?? done);
    const seconds = (now - this.#started) / 1000;
    if (!isLast && seconds - this.#lastWrite < this.#intervalS) return;
    if (this.#isPiece(total) && !isLast && seconds < this.#intervalS) return;
    this.#lastWrite = seconds;
    const { rate } = pace;
    const secondsLeft = total === null ? null : this.#leftToShow(percentOf(done, total), pace.secondsLeft, now);
    const text =
      total === null
        ? `${this.#label}: ${formatCount(done)}${detail === '' ? '' : `, ${detail}`}`
        : this.#render(done, total, seconds, { rate, secondsLeft }, detail);
    if (this.#style.progress === 'text') return this.#write(text, isLast);
    const event = { event: 'progress', step: this.#label, done, total, rate, secondsLeft, message: text };
    this.#sink.write(`${JSON.stringify(event)}\n`);
  }

  /** Shows that a step goes on that tells nothing new: its time left runs down, or how long it has taken runs up. */
  tick(): void {
    if (this.#running !== null) this.update(...this.#running);
  }

  /** Checks whether lines are kept and the step is one piece of work: then it is worth a line when it has taken long, or ends. */
  #isPiece(total: number | null): boolean {
    return total === 1 && !this.#isRewritten && this.#style.progress === 'text';
  }

  /** The same step from its beginning, for other items. */
  #restart(now: number): void {
    this.#started = now;
    this.#rate = null;
    this.#shown = null;
    this.#lastWrite = -Infinity;
  }

  /** The time left to show: while the percentage stands still, it runs down, and none is shown once it has run out. */
  #leftToShow(percent: number, secondsLeft: number | null, now: number): number | null {
    const { percent: before, at, secondsLeft: said } = this.#shown ?? { percent: -1, at: now, secondsLeft: Infinity };
    const most = percent === before ? said - (now - at) / 1000 : Infinity;
    const shown = secondsLeft === null || most <= 0 ? null : Math.min(secondsLeft, most);
    if (shown !== null || percent !== before)
      this.#shown = shown === null ? null : { percent, at: now, secondsLeft: shown };
    return shown;
  }

  #render(done: number, total: number, seconds: number, { rate, secondsLeft }: Pace, detail: string): string {
    const soFar = seconds <= SHORT_INTERVAL_S ? null : `${renderDuration(seconds)} so far`;
    const left =
      rate === null || secondsLeft === null ? soFar : `${renderRate(rate)}, ${renderDuration(secondsLeft)} left`;
    const time = done >= total ? `took ${renderDuration(seconds)}` : left;
    // Of work in one piece there is nothing to count.
    const count = total === 1 ? null : `${formatCount(done)}/${formatCount(total)} (${percentOf(done, total)}%)`;
    const parts = [count, time, detail].filter((part) => part !== null && part !== '');
    return `${this.#label}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
  }

  #write(line: string, last: boolean): void {
    if (this.#isRewritten) {
      this.#sink.write(`\r\u001b[2K${line}${last ? '\n' : ''}`);
      this.#open = !last;
    } else this.#sink.write(`${line}\n`);
  }

  /** Ends an unfinished terminal line, so that what follows starts on its own. */
  stop(): void {
    if (this.#open) this.#sink.write('\n');
    this.#open = false;
  }
}

import { type Pace, ProgressRate } from './progress-rate.js';

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

/** How progress is written. */
export interface MeterStyle {
  /** `json`: one object a line, {event, step, done, total, rate, secondsLeft, message}. */
  readonly progress: 'text' | 'json';
  /** Whether plain lines come every second. */
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
  readonly #started: number;
  #rate: ProgressRate | null = null;
  #lastWrite = -Infinity;
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
    // Items that an earlier run had finished say nothing of this run's rate.
    this.#rate ??= new ProgressRate(this.#started, done);
    const pace = this.#rate.update(now, done, total ?? done);
    const seconds = (now - this.#started) / 1000;
    const isLast = total !== null && done >= total;
    if (!isLast && seconds - this.#lastWrite < this.#intervalS) return;
    this.#lastWrite = seconds;
    const text =
      total === null
        ? `${this.#label}: ${done}${detail === '' ? '' : `, ${detail}`}`
        : this.#render(done, total, seconds, pace, detail);
    if (this.#style.progress === 'text') return this.#write(text, isLast);
    const { rate, secondsLeft } = total === null ? { ...pace, secondsLeft: null } : pace;
    const event = { event: 'progress', step: this.#label, done, total, rate, secondsLeft, message: text };
    this.#sink.write(`${JSON.stringify(event)}\n`);
  }

  #render(done: number, total: number, seconds: number, { rate, secondsLeft }: Pace, detail: string): string {
    const left =
      rate === null || secondsLeft === null
        ? ''
        : `, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${renderDuration(secondsLeft)} left`;
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    const ending = done >= total ? `, took ${renderDuration(seconds)}` : left;
    return `${this.#label}: ${done}/${total} (${percent} %)${ending}${detail === '' ? '' : `, ${detail}`}`;
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

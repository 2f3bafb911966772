/** Where progress lines go; `process.stderr` is one. */
export interface ProgressSink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Seconds between plain lines where there is no terminal. */
const PLAIN_INTERVAL_S = 10;
const TTY_INTERVAL_S = 0.2;

function renderDuration(duration: number): string {
  const seconds = Math.ceil(duration);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Progress with rate and time left: one line rewritten on a terminal, plain lines elsewhere. */
export class ProgressMeter {
  readonly #sink: ProgressSink;
  readonly #label: string;
  readonly #now: () => number;
  readonly #started: number;
  #first: number | null = null;
  #lastWrite = -Infinity;
  #open = false;

  constructor(sink: ProgressSink, label: string, now: () => number = () => performance.now()) {
    this.#sink = sink;
    this.#label = label;
    this.#now = now;
    this.#started = now();
  }

  /** `total` is null while it is not known; `detail` is added behind the figures, "12,345 pairs scored". */
  update(done: number, total: number | null, detail = ''): void {
    this.#first ??= done;
    const seconds = (this.#now() - this.#started) / 1000;
    const interval = this.#sink.isTTY === true ? TTY_INTERVAL_S : PLAIN_INTERVAL_S;
    const isLast = total !== null && done >= total;
    if (!isLast && seconds - this.#lastWrite < interval) return;
    this.#lastWrite = seconds;
    const line = total === null ? `${this.#label}: ${done}` : this.#render(done, total, seconds, detail);
    this.#write(line, isLast);
  }

  #render(done: number, total: number, seconds: number, detail: string): string {
    // Items that an earlier run had finished say nothing of this run's rate.
    const fresh = done - (this.#first ?? 0);
    const rate = seconds > 0 && fresh > 0 ? fresh / seconds : null;
    const left =
      rate === null ? '' : `, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${renderDuration((total - done) / rate)} left`;
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    const ending = done >= total ? `, took ${renderDuration(seconds)}` : left;
    return `${this.#label}: ${done}/${total} (${percent} %)${ending}${detail === '' ? '' : `, ${detail}`}`;
  }

  #write(line: string, last: boolean): void {
    if (this.#sink.isTTY === true) {
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

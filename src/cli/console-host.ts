import { ProgressMeter } from '../run/progress-meter.js';
import type { RunHost } from '../run/run-host.js';

/** How progress and notes are shown. */
export interface HostStyle {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: 'text' | 'json';
}

const PLAIN: HostStyle = { quiet: false, verbose: false, progress: 'text' };

/** Milliseconds between looks at a step that tells nothing: nothing on a terminal stands still. */
const TICK_MS = 1000;

/** A host that writes progress and notes to standard error; standard output stays for results. */
export class ConsoleHost implements RunHost {
  readonly signal: AbortSignal;
  readonly #style: HostStyle;
  readonly #meters = new Map<string, ProgressMeter>();
  #current: ProgressMeter | null = null;
  #ticks: NodeJS.Timeout | null = null;

  constructor(signal: AbortSignal, style = PLAIN) {
    this.signal = signal;
    this.#style = style;
  }

  progress(step: string, done: number, total: number | null, detail?: string): void {
    if (this.#style.quiet) return;
    let meter = this.#meters.get(step);
    if (meter === undefined) this.#meters.set(step, (meter = new ProgressMeter(process.stderr, step, this.#style)));
    if (meter !== this.#current) this.#current?.stop();
    this.#current = meter;
    meter.update(done, total, detail);
    this.#ticks ??= setInterval(() => this.#current?.tick(), TICK_MS).unref();
  }

  note(line: string): void {
    if (this.#style.quiet) return;
    this.#current?.stop();
    const isJson = this.#style.progress === 'json';
    process.stderr.write(`${isJson ? JSON.stringify({ event: 'note', message: line }) : line}\n`);
  }

  /** Ends an unfinished progress line. */
  stop(): void {
    this.#current?.stop();
    this.#current = null;
    if (this.#ticks !== null) clearInterval(this.#ticks);
    this.#ticks = null;
  }
}

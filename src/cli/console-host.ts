import { ProgressMeter } from '../run/progress-meter.js';
import type { RunHost } from '../run/run-host.js';

/** How progress and notes are shown. */
export interface HostStyle {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: 'text' | 'json';
}

const PLAIN: HostStyle = { quiet: false, verbose: false, progress: 'text' };

/** A host that writes progress and notes to standard error; standard output stays for results. */
export class ConsoleHost implements RunHost {
  readonly signal: AbortSignal;
  readonly #style: HostStyle;
  readonly #meters = new Map<string, ProgressMeter>();

  constructor(signal: AbortSignal, style = PLAIN) {
    this.signal = signal;
    this.#style = style;
  }

  progress(step: string, done: number, total: number | null, detail?: string): void {
    if (this.#style.quiet) return;
    let meter = this.#meters.get(step);
    if (meter === undefined) this.#meters.set(step, (meter = new ProgressMeter(process.stderr, step, this.#style)));
    meter.update(done, total, detail);
  }

  note(line: string): void {
    if (this.#style.quiet) return;
    this.stop();
    const isJson = this.#style.progress === 'json';
    process.stderr.write(`${isJson ? JSON.stringify({ event: 'note', message: line }) : line}\n`);
  }

  /** Ends an unfinished progress line. */
  stop(): void {
    for (const meter of this.#meters.values()) meter.stop();
  }
}

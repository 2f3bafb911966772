import { ProgressMeter } from '../run/progress-meter.js';
import type { RunHost } from '../run/run-host.js';

/** A host that writes progress and notes to standard error; standard output stays for results. */
export class ConsoleHost implements RunHost {
  readonly signal: AbortSignal;
  readonly #meters = new Map<string, ProgressMeter>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  progress(step: string, done: number, total: number | null, detail?: string): void {
    let meter = this.#meters.get(step);
    if (meter === undefined) this.#meters.set(step, (meter = new ProgressMeter(process.stderr, step)));
    meter.update(done, total, detail);
  }

  note(line: string): void {
    this.stop();
    process.stderr.write(`${line}\n`);
  }

  /** Ends an unfinished progress line. */
  stop(): void {
    for (const meter of this.#meters.values()) meter.stop();
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsoleHost } from '../../src/cli/console-host.js';
import { inPhase } from '../../src/run/run-host.js';

const STYLE = { quiet: false, verbose: true, progress: 'text' } as const;

let written: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('ConsoleHost', () => {
  it('shows that a step goes on that tells nothing for long, after a note, too', async () => {
    const host = new ConsoleHost(new AbortController().signal, STYLE);
    host.progress('columns decided', 0, 12);
    host.note('warning: slow');
    await vi.advanceTimersByTimeAsync(3500);
    host.stop();
    await vi.advanceTimersByTimeAsync(3000);
    expect(written.map((line) => line.trim())).toEqual([
      'columns decided: 0/12 (0%)',
      'warning: slow',
      'columns decided: 0/12 (0%)',
      'columns decided: 0/12 (0%), 2 s so far',
      'columns decided: 0/12 (0%), 3 s so far',
    ]);
  });

  it('shows how long loading has taken, as a step of its own', async () => {
    const host = new ConsoleHost(new AbortController().signal, STYLE);
    const loaded = inPhase(host, 'loading names', () => new Promise((resolve) => setTimeout(resolve, 2500)));
    await vi.advanceTimersByTimeAsync(2500);
    await loaded;
    host.stop();
    expect(written.map((line) => line.trim())).toEqual([
      'loading names',
      'loading names: 2 s so far',
      'loading names: took 3 s',
    ]);
  });
});

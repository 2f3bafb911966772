import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, which Linux fixes for programs. */
const TICKS = 100;

const POLL_MS = 50;

/** What a process and its children cost; the last two are null where /proc does not tell. */
export interface ProcessCost {
  readonly wallSeconds: number;
  /** User and system CPU seconds of the process and of all that it started. */
  readonly cpuSeconds: number | null;
  /** Peak resident memory of the process itself. */
  readonly peakMegabytes: number | null;
}

/** User and system seconds of this process's ended children, and of theirs. */
function endedChildrenSeconds(): number | null {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // Fields from the third on come after the name in parentheses; cutime and cstime are the 16th and 17th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return null;
  }
}

function peakMegabytes(pid: number): number | null {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match === null ? null : Number(match[1]) / 1024;
  } catch {
    return null;
  }
}

/**
 * Runs a program to its end and measures it; nothing else may be started meanwhile. Its output is kept for the error.
 * @throws Error with the end of its output when it can't be started or does not end with 0.
 */
export async function runMeasured(command: string, args: readonly string[]): Promise<ProcessCost> {
  const [before, started] = [endedChildrenSeconds(), performance.now()];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let peak: number | null = null;
  const timer = setInterval(() => (peak = peakMegabytes(child.pid ?? 0) ?? peak), POLL_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${output}`);
  } finally {
    clearInterval(timer);
  }
  const after = endedChildrenSeconds();
  return {
    wallSeconds: (performance.now() - started) / 1000,
    cpuSeconds: before === null || after === null ? null : after - before,
    peakMegabytes: peak,
  };
}

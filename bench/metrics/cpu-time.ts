import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, which Linux fixes for programs. */
const TICKS = 100;

/** User CPU seconds of this process so far. */
export function ownSeconds(): number {
  return process.cpuUsage().user / 1e6;
}

/** User CPU seconds of child processes that have ended, or user and system; null where /proc does not tell. */
export function childSeconds(withSystem = false): number | null {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // Fields from the third on come after the name in parentheses; the sixteenth is the children's user time, and the next
    // their system time.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + (withSystem ? Number(fields[14]) : 0)) / TICKS;
  } catch {
    return null;
  }
}

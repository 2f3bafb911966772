import { execFileSync } from 'node:child_process';
import { childSeconds } from './cpu-time.js';

/**
 * User CPU seconds of the Python evaluators (taoyds/test-suite-sql-eval e97acc5) on the anchors' machine, each the mean
 * of its runs, as whole processes: 1,034 dev queries against themselves.
 */
export const ANCHORS = {
  /** 1.60 1.54 1.49 1.56 */
  exact: 1.55,
  /** 5.94 5.27 4.51 */
  execution: 5.24,
  /** Of each of them: imports and the like. */
  startUp: 0.4,
  /** The loop below. */
  loop: 2.8,
} as const;

const LOOP = 's=0\nfor i in range(20_000_000): s+=i*i';

/**
 * How slow this machine is now against that of the anchors: the anchors' Python loop timed next to our own runs; 1 =
 * the same, null without Python 3.
 */
export function measureScale(): { readonly seconds: number; readonly scale: number } | null {
  const before = childSeconds();
  try {
    execFileSync('python3', ['-c', LOOP], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const seconds = (childSeconds() ?? 0) - (before ?? 0);
  return seconds === 0 ? null : { seconds, scale: seconds / ANCHORS.loop };
}

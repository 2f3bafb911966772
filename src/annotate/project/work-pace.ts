import { zip } from '../../present.js';

/** Longest time between two answers that is work, in milliseconds; a longer one is a break. */
const LONGEST_WORK = 5 * 60 * 1000;
/** Fewest stretches of work that a pace is said of: those between ten answers in one go. */
const FEWEST = 9;
/** Least work that a pace is said of, in milliseconds: the first answers, given in seconds, foretell nothing. */
const LEAST_WORK = 2 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** Answers per hour of work, from the times that answers were handed in; null where there is too little to say. */
export function workPace(times: readonly string[]): number | null {
  const sorted = times.map((time) => Date.parse(time)).sort((a, b) => a - b);
  const gaps = zip(sorted.slice(1), sorted.slice(0, -1)).map(([time, before]) => time - before);
  const work = gaps.filter((gap) => gap <= LONGEST_WORK);
  const worked = work.reduce((sum, gap) => sum + gap, 0);
  return work.length < FEWEST || worked < LEAST_WORK ? null : (work.length * HOUR) / worked;
}

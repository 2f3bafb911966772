/** Seconds of the longest time limit: a day. A timer of Node holds 24 of them, and goes off at once with more. */
export const MOST_SECONDS = 86_400;

/** Checks whether so many milliseconds can be the time limit of an answer or a query. */
export function isTimeLimit(ms: number): boolean {
  return ms > 0 && ms <= MOST_SECONDS * 1000;
}

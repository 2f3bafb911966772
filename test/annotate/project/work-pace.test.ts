import { describe, expect, it } from 'vitest';
import { workPace } from '../../../src/annotate/project/answer-store.js';

const START = Date.parse('2026-11-21T12:00:00.000Z');

/** Times of answers that follow one another after so many seconds each. */
function timesAfter(seconds: readonly number[]): readonly string[] {
  let time = START;
  return [START, ...seconds.map((gap) => (time += gap * 1000))].map((at) => new Date(at).toISOString());
}
const gaps = (count: number, seconds: number): readonly number[] => Array<number>(count).fill(seconds);

describe('workPace', () => {
  it('is said of ten answers on', () => {
    expect(workPace(timesAfter(gaps(8, 60)))).toBeNull();
    expect(workPace(timesAfter(gaps(9, 60)))).toBe(60);
  });

  it('is said of two minutes of work on', () => {
    expect(workPace(timesAfter(gaps(99, 1)))).toBeNull();
    expect(workPace(timesAfter(gaps(12, 10)))).toBe(360);
  });

  it('leaves out breaks, and is the same in any order', () => {
    const times = timesAfter([...gaps(5, 60), 3600, ...gaps(5, 60)]);
    expect(workPace(times)).toBe(60);
    expect(workPace(times.toReversed())).toBe(60);
    expect(workPace(timesAfter(gaps(30, 3600)))).toBeNull();
  });

  it('is not said of nothing', () => {
    expect(workPace([])).toBeNull();
  });
});

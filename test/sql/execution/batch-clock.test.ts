import { describe, expect, it } from 'vitest';
import { BatchClock, overtimeLine, readOvertime, type RunningQuery } from '../../../src/sql/execution/batch-clock.js';

const QUERY: RunningQuery = { task: 7, place: -1, referenceRows: 3, isOpening: false };

describe('the query that ran over its time', () => {
  it('is known by its place in the batch', () => {
    const words = `Warning: something\n${overtimeLine(QUERY)}`;
    expect(readOvertime(words, 0, 8)).toEqual(QUERY);
    expect(readOvertime(words, 5, 3)).toEqual({ ...QUERY, task: 2 });
    expect(readOvertime('out of memory', 0, 8)).toBeNull();
  });

  it('is none of a batch that came after its own, or is too short for it', () => {
    expect(readOvertime(overtimeLine(QUERY), 8, 100)).toBeNull();
    expect(readOvertime(overtimeLine(QUERY), 0, 7)).toBeNull();
  });

  it('is seen from another thread while it runs, and no longer', () => {
    const clock = new BatchClock();
    const watched = new BatchClock(clock.memory);
    const late = { ...QUERY, task: 70_000, place: 2 };
    clock.time(QUERY, 60_000, () => expect(watched.overtime()).toBeNull());
    const { isOvertime } = clock.time(late, -1, () => expect(watched.overtime()).toEqual(late));
    expect(isOvertime).toBe(true);
    expect(watched.overtime()).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgressMeter } from '../../src/run/progress-meter.js';

/** A meter with a clock set by hand and the texts it wrote. */
function createMeter(isTTY: boolean): {
  meter: ProgressMeter;
  at: (seconds: number) => ProgressMeter;
  written: string[];
} {
  const written: string[] = [];
  let milliseconds = 5_000;
  const meter = new ProgressMeter({ isTTY, write: (text) => written.push(text) }, 'tables', () => milliseconds);
  const at = (seconds: number): ProgressMeter => {
    milliseconds = 5_000 + seconds * 1000;
    return meter;
  };
  return { meter, at, written };
}

describe('ProgressMeter without a terminal', () => {
  test('writes a plain line at most every ten seconds, with rate and time left', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 200);
    at(5).update(10, 200);
    at(10).update(20, 200, '12 pairs scored');
    at(15).update(30, 200);
    at(20).update(200, 200);
    expect(written).toEqual([
      'tables: 0/200 (0 %)\n',
      'tables: 20/200 (10 %), 2.0/s, 1 min 30 s left, 12 pairs scored\n',
      'tables: 200/200 (100 %), took 20 s\n',
    ]);
  });

  test('counts in the rate only what this run did, not what it resumed', () => {
    const { at, written } = createMeter(false);
    at(0).update(100, 200);
    at(10).update(110, 200);
    expect(written[1]).toBe('tables: 110/200 (55 %), 1.0/s, 1 min 30 s left\n');
  });

  test('says nothing of a rate before anything is done', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 10);
    at(20).update(0, 10);
    expect(written[1]).toBe('tables: 0/10 (0 %)\n');
  });

  test('ends an empty list too', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 0);
    expect(written).toEqual(['tables: 0/0 (100 %), took 0 s\n']);
  });

  test('has no terminal codes', () => {
    const { meter, at, written } = createMeter(false);
    at(1).update(1, 2);
    meter.stop();
    expect(written).toEqual(['tables: 1/2 (50 %)\n']);
  });
});

describe('ProgressMeter on a terminal', () => {
  test('rewrites one line and ends it', () => {
    const { meter, at, written } = createMeter(true);
    at(0).update(0, 4);
    at(0.1).update(1, 4);
    at(1).update(2, 4);
    at(2).update(4, 4);
    meter.stop();
    expect(written).toEqual([
      '\r\u001b[2Ktables: 0/4 (0 %)',
      '\r\u001b[2Ktables: 2/4 (50 %), 2.0/s, 1 s left',
      '\r\u001b[2Ktables: 4/4 (100 %), took 2 s\n',
    ]);
  });

  test('stop ends an unfinished line once', () => {
    const { meter, at, written } = createMeter(true);
    meter.stop();
    at(0).update(1, 4);
    meter.stop();
    meter.stop();
    expect(written.slice(1)).toEqual(['\n']);
  });
});

describe('durations', () => {
  test.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [59.5, '1 min 0 s'],
    [119.5, '2 min 0 s'],
    [150, '2 min 30 s'],
    [3599.5, '1 h 0 min'],
    [3600 * 2 - 1, '2 h 0 min'],
    [3600 * 2.5, '2 h 30 min'],
  ])('%d seconds are "%s"', (seconds, text) => {
    const { at, written } = createMeter(false);
    at(seconds).update(1, 1);
    expect(written).toEqual([`tables: 1/1 (100 %), took ${text}\n`]);
  });

  test('never show 60 seconds or 60 minutes', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 20_000, noNaN: true }), (seconds) => {
        const { at, written } = createMeter(false);
        at(seconds).update(1, 1);
        expect(written[0]).not.toMatch(/\b60 (s|min)/);
      }),
    );
  });
});

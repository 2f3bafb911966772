import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgressMeter, ProgressRate } from '../../src/run/progress-meter.js';

/** A meter with a clock set by hand and the texts it wrote. */
function createMeter(isTTY: boolean): {
  meter: ProgressMeter;
  at: (seconds: number) => ProgressMeter;
  written: string[];
} {
  const written: string[] = [];
  let milliseconds = 5_000;
  const meter = new ProgressMeter(
    { isTTY, write: (text) => written.push(text) },
    'tables',
    undefined,
    () => milliseconds,
  );
  const at = (seconds: number): ProgressMeter => {
    milliseconds = 5_000 + seconds * 1000;
    return meter;
  };
  return { meter, at, written };
}

describe('ProgressMeter without a terminal', () => {
  test('separates thousands', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 12_000);
    at(20).update(12_000, 12_000);
    at(21).update(1234, null);
    expect(written).toEqual([
      'tables: 0/12,000 (0%)\n',
      'tables: 12,000/12,000 (100%), took 20 s\n',
      'tables: 1,234\n',
    ]);
  });

  test('writes a plain line at most every ten seconds, with rate and time left', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 200);
    at(5).update(10, 200);
    at(10).update(20, 200, '12 pairs scored');
    at(15).update(30, 200);
    at(20).update(200, 200);
    expect(written).toEqual([
      'tables: 0/200 (0%)\n',
      'tables: 20/200 (10%), 2.0/s, 1 min 30 s left, 12 pairs scored\n',
      'tables: 200/200 (100%), took 20 s\n',
    ]);
  });

  test('counts in the rate only what this run did, not what it resumed', () => {
    const { at, written } = createMeter(false);
    at(0).update(100, 200);
    at(5).update(105, 200);
    at(10).update(110, 200);
    expect(written[1]).toBe('tables: 110/200 (55%), 1.0/s, 1 min 30 s left\n');
  });

  test('says nothing of a rate before anything is done', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 10);
    at(20).update(0, 10);
    expect(written[1]).toBe('tables: 0/10 (0%), 20 s so far\n');
  });

  test('gives work in one piece a line at its end, and before where it takes long', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 1);
    at(4).tick();
    at(11).tick();
    at(12).update(1, 1);
    expect(written).toEqual(['tables: 11 s so far\n', 'tables: took 12 s\n']);
  });

  test('ends an empty list too', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 0);
    expect(written).toEqual(['tables: 0/0 (100%), took 0 s\n']);
  });

  test('has no terminal codes', () => {
    const { meter, at, written } = createMeter(false);
    at(1).update(1, 2);
    meter.stop();
    expect(written).toEqual(['tables: 1/2 (50%)\n']);
  });
});

describe('time left by a simulated clock', () => {
  /** Seconds left after each call; null where none is said. */
  function leftOf(calls: readonly (readonly [seconds: number, done: number])[], total: number): (number | null)[] {
    const rate = new ProgressRate(0, 0);
    return calls.map(([seconds, done]) => rate.update(seconds * 1000, done, total).secondsLeft);
  }

  test('follows a change of pace within a minute, either way', () => {
    const slowing = Array.from({ length: 300 }, (_, s): [number, number] => [s, s < 150 ? 10 * s : 1500 + (s - 150)]);
    const [beforeSlow, afterSlow] = [leftOf(slowing, 3000)[149]!, leftOf(slowing, 3000)[230]!];
    expect(beforeSlow).toBeCloseTo(151, -1);
    expect(afterSlow).toBeCloseTo(3000 - 1580, -2);
  });

  test('counts down while an item takes long, and never grows before the next is done', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0.01, max: 400, noNaN: true }), fc.boolean())), (steps) => {
        const rate = new ProgressRate(0, 0);
        let [now, done, last] = [0, 0, Infinity];
        for (const [seconds, isDone] of steps) {
          now += seconds * 1000;
          if (isDone) done++;
          const { secondsLeft } = rate.update(now, done, 1000);
          if (!isDone && secondsLeft !== null) expect(secondsLeft).toBeLessThanOrEqual(last);
          last = secondsLeft ?? (isDone ? Infinity : last);
        }
      }),
    );
    // Ten a second, then a stop: 90 s left run down, and nothing is said once they are over.
    const steady = Array.from({ length: 11 }, (_, s): [number, number] => [s, 10 * s]);
    expect(leftOf([...steady, [20, 100], [50, 100], [101, 100]], 1000).slice(-4)).toEqual([90, 80, 50, null]);
  });

  test('is the same in JSON lines', () => {
    const written: string[] = [];
    let milliseconds = 0;
    const style = { progress: 'json', verbose: false } as const;
    const meter = new ProgressMeter(
      { isTTY: true, write: (text) => written.push(text) },
      'tables',
      style,
      () => milliseconds,
    );
    meter.update(0, 4);
    milliseconds = 2000;
    meter.update(1, 4);
    meter.update(1, null);
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        event: 'progress',
        step: 'tables',
        done: 0,
        total: 4,
        rate: null,
        secondsLeft: null,
        message: expect.anything() as string,
      },
      {
        event: 'progress',
        step: 'tables',
        done: 1,
        total: 4,
        rate: 0.5,
        secondsLeft: 6,
        message: 'tables: 1/4 (25%), 0.5/s, 6 s left',
      },
    ]);
  });
});

describe('lines of simulated work', () => {
  interface Line {
    readonly percent: number;
    readonly secondsLeft: number | null;
    readonly done: number;
  }

  /** Lines of work whose items take these seconds one after another, told every two seconds and as each ends. */
  function linesOf(seconds: readonly number[], resumed: number): readonly Line[] {
    const lines: Line[] = [];
    const total = resumed + seconds.length;
    let now = 0;
    const sink = {
      write(text: string): void {
        const { secondsLeft, message, done } = JSON.parse(text) as {
          secondsLeft: number | null;
          message: string;
          done: number;
        };
        lines.push({ secondsLeft, done, percent: Number(/\(([\d.]+)%\)/.exec(message)?.[1]) });
      },
    };
    const meter = new ProgressMeter(sink, 'tables', { progress: 'json', verbose: true }, () => now * 1000);
    meter.update(resumed, total);
    let end = 0;
    for (const [i, taken] of seconds.entries()) {
      end += taken;
      // What the item consists of is told as it goes.
      for (now += 2; now < end; now += 2) meter.update(resumed + i, total, 'more pairs scored');
      now = end;
      meter.update(resumed + i + 1, total);
    }
    return lines;
  }

  /** Items of one pace, of another, and some that take very long. */
  const WORK = fc
    .array(
      fc.record({
        items: fc.integer({ min: 1, max: 300 }),
        pace: fc.double({ min: 0.02, max: 20, noNaN: true }),
        long: fc.double({ min: 0, max: 900, noNaN: true }),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.flatMap(({ items, pace, long }) => [...Array<number>(items).fill(pace), long]));

  test('never say more time left while the percentage stands still', () => {
    fc.assert(
      fc.property(WORK, fc.integer({ min: 0, max: 2000 }), (seconds, resumed) => {
        const lines = linesOf(seconds, resumed);
        for (const [i, line] of lines.entries()) {
          const before = lines[i - 1];
          if (before?.percent !== line.percent || before.secondsLeft === null || line.secondsLeft === null) continue;
          expect(line.secondsLeft).toBeLessThanOrEqual(before.secondsLeft);
        }
      }),
    );
  });

  test('move with each line in which items end, up to a thousand of them', () => {
    const lines = linesOf(Array<number>(735).fill(10), 0);
    const stuck = lines.slice(1).filter(({ done, percent }, i) => {
      const before = lines[i]!;
      return done > before.done && percent <= before.percent;
    });
    expect(stuck).toEqual([]);
  });

  test('say no time left from the first item of a resumed run, which begins slowly', () => {
    const lines = linesOf([64, 1, 1, ...Array<number>(610).fill(1)], 121);
    expect(lines.filter(({ done, secondsLeft }) => done < 124 && secondsLeft !== null)).toEqual([]);
    expect(linesOf([75, 3, 3, ...Array<number>(9).fill(3)], 0)[1]?.secondsLeft ?? null).toBeNull();
    // Then what is said is too much by what the start took, and soon right: ten minutes.
    expect(lines.find(({ done }) => done === 200)?.secondsLeft).toBeLessThan(2 * 534);
  });

  test('say no time left that is far too long where threads begin slowly', () => {
    // 303 questions, twenty a second, of which the first took a second: 16 s in all.
    const left = linesOf([1, ...Array<number>(302).fill(0.05)], 0).filter(({ secondsLeft }) => secondsLeft !== null);
    expect(left[0]!.done).toBeLessThan(30);
    expect(Math.max(...left.map(({ done, secondsLeft }) => secondsLeft! / (1 + (303 - done) / 20)))).toBeLessThan(1.5);
  });

  test('begin from nothing where the step does', () => {
    const { at, written } = createMeter(false);
    at(0).update(0, 10);
    at(10).update(10, 10);
    at(40).update(0, 10);
    at(50).update(5, 10);
    expect(written.slice(2)).toEqual(['tables: 0/10 (0%)\n', 'tables: 5/10 (50%), 0.5/s, 10 s left\n']);
  });
});

describe('ProgressMeter on a terminal', () => {
  test('adds the detail where no total is known', () => {
    const { meter, at, written } = createMeter(true);
    at(0).update(7, null, '3 waiting');
    meter.stop();
    expect(written.join('')).toContain('7, 3 waiting');
  });

  test('rewrites one line and ends it', () => {
    const { meter, at, written } = createMeter(true);
    at(0).update(0, 4);
    at(0.1).update(1, 4);
    at(1).update(2, 4);
    at(2).update(4, 4);
    meter.stop();
    expect(written).toEqual([
      '\r\u001b[2Ktables: 0/4 (0%)',
      '\r\u001b[2Ktables: 2/4 (50%), 2.0/s, 1 s left',
      '\r\u001b[2Ktables: 4/4 (100%), took 2 s\n',
    ]);
  });

  test('a tick shows how long a step has taken that tells nothing, and lets the time left run down', () => {
    const { at, written } = createMeter(true);
    at(0).tick();
    at(0).update(0, 4);
    at(3).tick();
    at(4).update(1, 4);
    at(6).tick();
    at(16).update(4, 4);
    at(20).tick();
    expect(written.map((text) => text.replace('\r\u001b[2K', ''))).toEqual([
      'tables: 0/4 (0%)',
      'tables: 0/4 (0%), 3 s so far',
      'tables: 1/4 (25%), 0.3/s, 12 s left',
      'tables: 1/4 (25%), 0.3/s, 10 s left',
      'tables: 4/4 (100%), took 16 s\n',
    ]);
  });

  test('says the end once', () => {
    const { at, written } = createMeter(true);
    at(1).update(4, 4, '1 pair');
    at(2).update(4, 4, '2 pairs');
    expect(written).toEqual(['\r\u001b[2Ktables: 4/4 (100%), took 1 s, 1 pair\n']);
  });

  test('counts nothing of work in one piece', () => {
    const { at, written } = createMeter(true);
    at(0).update(0, 1);
    at(2).tick();
    at(3).update(1, 1);
    expect(written.join('')).toBe('\r\u001b[2Ktables\r\u001b[2Ktables: 2 s so far\r\u001b[2Ktables: took 3 s\n');
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
    at(seconds).update(2, 2);
    expect(written).toEqual([`tables: 2/2 (100%), took ${text}\n`]);
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

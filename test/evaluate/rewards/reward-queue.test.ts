import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patienceOf, RewardQueue } from '../../../src/evaluate/rewards/reward-queue.js';
import { ApiError } from '../../../src/http/api-error.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { rejectionOf } from '../../error-of.js';

const { signal } = NOOP_HOST;
const never = (): Promise<never> => new Promise(() => undefined);

describe('the queue of the reward service', () => {
  it('lets no more work at a time than it may, answers each, and keeps nothing', async () => {
    const works = fc.array(fc.record({ ms: fc.nat(3), fails: fc.boolean() }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(works, fc.integer({ min: 1, max: 4 }), async (given, width) => {
        const queue = new RewardQueue({ width, patienceMs: 10_000 });
        let [running, most] = [0, 0];
        const work = async ({ ms, fails }: { readonly ms: number; readonly fails: boolean }): Promise<number> => {
          most = Math.max(most, (running += 1));
          await new Promise((resolve) => setTimeout(resolve, ms));
          running -= 1;
          if (fails) throw new Error('failed');
          return ms;
        };
        const done = await Promise.allSettled(
          given.map((one) => queue.hold(1, () => queue.turn(signal, () => work(one)))),
        );
        expect(done.map(({ status }) => status)).toEqual(given.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')));
        expect(most).toBeLessThanOrEqual(width);
        expect([queue.waiting, queue.refused]).toEqual([0, 0]);
      }),
      { numRuns: 30 },
    );
  });

  it('hands a place on to one only', async () => {
    const queue = new RewardQueue({ width: 1, patienceMs: 10_000 });
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
    };
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = queue.turn(signal, () => gate);
    const second = queue.turn(signal, work);
    // Comes after the first has ended, and before the second has begun.
    const third = gate.then(() => queue.turn(signal, work));
    open();
    await Promise.all([first, second, third]);
    expect(most).toBe(1);
  });

  it('sends away what waits too long, with when to come again, and goes on', async () => {
    const queue = new RewardQueue({ width: 1, patienceMs: 20 });
    const [stay, leave] = [new AbortController(), new AbortController()];
    const first = queue.turn(stay.signal, () => new Promise((resolve) => setTimeout(resolve, 200)));
    const aborted = queue.turn(leave.signal, never);
    leave.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    const error = await rejectionOf(ApiError, () => queue.turn(signal, never));
    expect([error.code, error.headers]).toEqual(['busy', { 'Retry-After': '1' }]);
    await first;
    expect(await queue.turn(signal, async () => 7)).toBe(7);
  });

  it('lets who waits behind a query that runs away begin when that is killed', async () => {
    const limitMs = 100;
    const queue = new RewardQueue({ width: 1, patienceMs: patienceOf(limitMs) });
    // Killing takes a moment.
    const runaway = queue.turn(signal, () => sleep(1.05 * limitMs, 'timed-out'));
    expect(await Promise.all([runaway, queue.turn(signal, async () => 'correct')])).toEqual(['timed-out', 'correct']);
  });

  it('holds a bounded number of requests, and of bytes', async () => {
    const queue = new RewardQueue({ width: 1, patienceMs: 1 });
    let free = (): void => undefined;
    const held = queue.hold(200 << 20, () => new Promise<void>((resolve) => (free = resolve)));
    expect((await rejectionOf(ApiError, () => queue.hold(100 << 20, never))).code).toBe('busy');
    free();
    await held;
    for (let i = 0; i < 1_024; i++) void queue.hold(0, never);
    expect((await rejectionOf(ApiError, () => queue.hold(0, never))).code).toBe('busy');
  });
});

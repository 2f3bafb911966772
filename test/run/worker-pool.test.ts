import { describe, expect, it, vi } from 'vitest';
import { runAbortable } from '../../src/run/worker-pool.js';

const REASON = new Error('stopped');

describe('runAbortable', () => {
  it('gives what the work gives, and no abort afterwards closes anything', async () => {
    const stop = new AbortController();
    const close = vi.fn(() => Promise.resolve());
    expect(await runAbortable(stop.signal, close, () => Promise.resolve(7))).toBe(7);
    stop.abort(REASON);
    expect(close).not.toHaveBeenCalled();
  });

  it('begins nothing once the signal is aborted', async () => {
    const work = vi.fn(() => Promise.resolve());
    await expect(runAbortable(AbortSignal.abort(REASON), () => Promise.resolve(), work)).rejects.toBe(REASON);
    expect(work).not.toHaveBeenCalled();
  });

  it('closes at an abort, and throws its reason in place of what follows from it', async () => {
    const stop = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const close = vi.fn(() => Promise.resolve(fail(new Error('a thread ended'))));
    const running = runAbortable(stop.signal, close, () => new Promise((_, reject) => (fail = reject)));
    stop.abort(REASON);
    await expect(running).rejects.toBe(REASON);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('throws what the work throws where nothing is aborted', async () => {
    const work = (): Promise<never> => Promise.reject(new Error('a fault'));
    await expect(runAbortable(new AbortController().signal, () => Promise.resolve(), work)).rejects.toThrow('a fault');
  });
});

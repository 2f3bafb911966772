import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';

/** Returns all results, once none is under way any more. @throws the error of the first that failed */
export async function settleAll<T>(running: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(running);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/**
 * Works through items, so many at a time; each is taken only when there is room for it. The first error, or the
 * signal's abort, stops the others and is thrown when nothing is in work any more.
 * @throws the first error of the work or of the items; the signal's reason when aborted
 */
export async function forEachConcurrent<T>(
  items: Iterable<T>,
  width: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const stop = new AbortController();
  // Everything in work listens.
  setMaxListeners(0, stop.signal);
  const leave = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const source = items[Symbol.iterator]();
  let isEmpty = false;
  const takeTurns = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const next = source.next();
      isEmpty ||= next.done === true;
      if (next.done === true) return;
      await work(next.value, stop.signal);
      // Work that is done at once must not keep signals and timers waiting.
      await setImmediate();
    }
  };
  // An abort has its reason from the first error; what the others throw follows from it.
  const turns: Promise<void>[] = [];
  // Each takes its first item at once: no more begin than there are items, however wide it may be.
  do turns.push(takeTurns().catch((error: unknown) => stop.abort(error)));
  while (turns.length < width && !isEmpty);
  try {
    await Promise.all(turns);
    stop.signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

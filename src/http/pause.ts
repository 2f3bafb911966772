import { setTimeout } from 'node:timers/promises';

/** Waits; rejects with the signal's reason on abort. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

import type { StageContext } from '../stage.js';
import { createRng } from '../seeded-rng.js';

/** The channel from a running job to its surface, and the surface's way to stop it. */
export interface RunHost {
  readonly signal: AbortSignal;
  /** One step of the work: "columns decided", 12 of 81, "5,120 pairs scored"; a null total is not known yet. */
  progress(step: string, done: number, total: number | null, detail?: string): void;
  /** A line worth reading: what is about to be done, a warning. */
  note(line: string): void;
}

/** Does work that can't be counted, such as loading, as a step of its own: people see how long it has taken. */
export async function inPhase<T>(host: RunHost, step: string, work: () => Promise<T> | T): Promise<T> {
  host.progress(step, 0, 1);
  const result = await work();
  host.progress(step, 1, 1);
  return result;
}

/** A host that stays silent and never stops; for library use. */
export const NOOP_HOST: RunHost = {
  signal: new AbortController().signal,
  progress: () => undefined,
  note: () => undefined,
};

/** The context of stages under a host; every item draws from its own stream of the seed. */
export function createStageContext(seed: number, host: RunHost): StageContext {
  const warned = new Set<string>();
  return {
    signal: host.signal,
    rngFor: (itemId) => createRng(seed, itemId),
    emit: (event) => {
      if (event.kind !== 'warning' || warned.has(event.message)) return;
      warned.add(event.message);
      host.note(`warning: ${event.message}`);
    },
  };
}

import type { StageContext } from '../stage.js';
import { createRng } from '../seeded-rng.js';

/** What a running job tells its surface, and how the surface stops it. */
export interface RunHost {
  readonly signal: AbortSignal;
  /** One step of the work: "tables decided", 12 of 81, "5,120 pairs scored"; a null total is not known yet. */
  progress(step: string, done: number, total: number | null, detail?: string): void;
  /** A line worth reading: what is about to be done, a warning. */
  note(line: string): void;
}

/** A host that stays silent and never stops; for library use. */
export const SILENT_HOST: RunHost = {
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

import type { MessagePort } from 'node:worker_threads';
import { countNoun, formatCount } from '../../counts.js';
import { formatLeft } from '../../report/figures.js';
import type { RunFolder } from '../../run/run-folder.js';
import type { RunHost } from '../../run/run-host.js';
import type { DistillBudget, DistillState, DistillTask } from '../distill/distillation.js';

/** One schema for a worker thread: distill it, and write what comes of it. */
export interface SchemaJob {
  readonly suite: string;
  readonly task: DistillTask;
  readonly resume: SchemaProgress | null;
  /** Where the worker tells how far it is, and hears that it shall stop. */
  readonly port: MessagePort;
}

/** How far a schema is: what a resumed run goes on from. */
export interface SchemaProgress {
  readonly state: DistillState;
  /** Time that a thread has worked on it. */
  readonly seconds: number;
}

/** The outcome of a schema's job. */
export type SchemaOutcome =
  /** Neighbors as in `DistillState`: without those shown to be equivalent. */
  | { readonly kind: 'done'; readonly neighbors: number; readonly left: number; readonly seconds: number }
  | { readonly kind: 'stopped'; readonly progress: SchemaProgress | null }
  /** An error that the user can repair: classes do not survive the way between threads. */
  | { readonly kind: 'refused'; readonly message: string; readonly where: object; readonly fix: string };

type DoneSchema = Extract<SchemaOutcome, { kind: 'done' }>;

/** The journal entry of a build for a schema. */
export type SchemaEntry = ({ readonly kind: 'under-way' } & SchemaProgress) | DoneSchema;

/** How far a schema is that was begun. */
interface Reached extends Pick<DistillState, 'tried' | 'finished' | 'neighbors' | 'left'> {
  readonly kind: SchemaEntry['kind'];
}

function reachedOf(entry: SchemaEntry): Reached {
  if (entry.kind === 'done')
    return { kind: entry.kind, tried: 0, finished: 1, neighbors: entry.neighbors, left: entry.left };
  const { tried, finished, neighbors, left } = entry.state;
  return { kind: entry.kind, tried, finished, neighbors, left };
}

/** How far the schemas of a build are, kept in its journal and told to its host. */
export class BuildProgress {
  readonly #ids: readonly string[];
  readonly #folder: RunFolder<SchemaEntry>;
  readonly #budget: DistillBudget;
  readonly #host: RunHost;
  readonly #reached = new Map<string, Reached>();

  constructor(ids: readonly string[], folder: RunFolder<SchemaEntry>, budget: DistillBudget, host: RunHost) {
    this.#ids = ids;
    this.#folder = folder;
    this.#budget = budget;
    this.#host = host;
    for (const id of ids) {
      const entry = folder.journal.get(id);
      if (entry !== undefined) this.#reached.set(id, reachedOf(entry));
    }
    this.#tell();
  }

  /** Returns an earlier run's progress with a schema that it did not finish. */
  resumeOf(dbId: string): SchemaProgress | null {
    const entry = this.#folder.journal.get(dbId);
    return entry?.kind === 'under-way' ? { state: entry.state, seconds: entry.seconds } : null;
  }

  underWay(dbId: string, progress: SchemaProgress): void {
    this.#append(dbId, { kind: 'under-way', ...progress });
  }

  done(dbId: string, outcome: DoneSchema): void {
    this.#append(dbId, outcome);
  }

  #append(dbId: string, entry: SchemaEntry): void {
    this.#folder.journal.append(dbId, entry);
    this.#reached.set(dbId, reachedOf(entry));
    this.#tell();
  }

  /**
   * In steps: a random database is one, and what comes after them, to target and to reduce, counts as many as they all.
   * A schema that is done has made all, also where few databases were enough.
   */
  #tell(): void {
    const counts = [...this.#reached.values()];
    const { randomDatabases } = this.#budget;
    const most = 2 * randomDatabases + 1;
    const steps = counts.map(({ kind, tried, finished }) => {
      if (kind === 'done') return most;
      // The random databases are over, also where few were enough.
      const random = finished > 0 ? randomDatabases : Math.min(tried, randomDatabases);
      return random + Math.floor(finished * randomDatabases);
    });
    const neighbors = counts.reduce((sum, one) => sum + one.neighbors, 0);
    const left = counts.reduce((sum, one) => sum + one.left, 0);
    const done = counts.filter(({ kind }) => kind === 'done').length;
    const begun = counts.length === this.#ids.length ? '' : ` in the ${formatCount(counts.length)} begun`;
    const share =
      neighbors === 0 ? '' : `, ${formatLeft(left / neighbors)} of ${countNoun(neighbors, 'neighbor')} left${begun}`;
    this.#host.progress(
      'steps',
      steps.reduce((sum, n) => sum + n, 0),
      this.#ids.length * most,
      `${formatCount(done)} of ${countNoun(this.#ids.length, 'schema')} done${share}`,
    );
  }
}

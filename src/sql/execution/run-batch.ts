import { itemAt } from '../../present.js';
import {
  type Comparison,
  type ComparisonBatch,
  type ComparisonTask,
  fatalComparison,
  type FailedOutcome,
  REFERENCE,
} from './query-batch.js';
import type { RunningQuery } from './batch-clock.js';
import type { BatchEnd, QueryProcess } from './query-process.js';

/** Of a batch of one task whose process died before it said which query it begins. */
const UNKNOWN: RunningQuery = { task: 0, place: REFERENCE, referenceRows: 0, isOpening: false };

/** A batch in work: what is done stays done when the process dies, and the query that it died with costs only its task. */
class BatchInWork {
  readonly #process: QueryProcess;
  readonly #batch: ComparisonBatch;
  readonly #progress: (done: number) => void;
  readonly #results: (Comparison | undefined)[];
  #done = 0;

  constructor(process: QueryProcess, batch: ComparisonBatch, progress: (done: number) => void) {
    this.#process = process;
    this.#batch = batch;
    this.#progress = progress;
    this.#results = batch.tasks.map(() => undefined);
  }

  /** Null where the process was stopped from outside. */
  async run(): Promise<readonly Comparison[] | null> {
    let announces = false;
    for (let open = this.#open(); open.length > 0; open = this.#open()) {
      const tasks = announces ? open.slice(0, 1) : open;
      let next = 0;
      const chosen = { ...this.#batch, tasks: tasks.map((i) => itemAt(this.#batch.tasks, i)) };
      const end: BatchEnd = await this.#process.compare(chosen, announces, (results) => {
        for (const result of results) this.#keep(itemAt(tasks, next++), result);
      });
      if (end.kind === 'stopped') return null;
      if (end.kind === 'done') continue;
      const query: RunningQuery | null = end.query ?? (announces ? UNKNOWN : null);
      if (query !== null) this.#blame(itemAt(tasks, query.task), query.place, query.referenceRows, end.outcome);
      announces = query === null; // one by one until it is known which query it dies with
    }
    return this.#results as Comparison[];
  }

  #open(): number[] {
    return this.#results.flatMap((result, i) => (result === undefined ? [i] : []));
  }

  #keep(at: number, result: Comparison): void {
    if (this.#results[at] === undefined) this.#progress((this.#done += 1));
    this.#results[at] = result;
  }

  /** A reference that takes its process with it is not run again for the other tasks that have it. */
  #blame(at: number, place: number, referenceRows: number, outcome: FailedOutcome): void {
    const { tasks } = this.#batch;
    const same = (one: ComparisonTask | undefined): boolean =>
      one?.reference === tasks[at]?.reference && one?.source === tasks[at]?.source;
    const meant = place === REFERENCE ? this.#open().filter((i) => same(tasks[i])) : [at];
    for (const i of meant) this.#keep(i, fatalComparison(place, outcome, referenceRows));
  }
}

/** Works through a batch in one process, restarted where a query takes it along; null where it was stopped. */
export async function runBatch(
  process: QueryProcess,
  batch: ComparisonBatch,
  progress: (done: number) => void,
): Promise<readonly Comparison[] | null> {
  return new BatchInWork(process, batch, progress).run();
}

/** The state that the thread next to a batch sees: the running query, its start and its time limit. */
export interface RunningQuery {
  /**
   * Place of its task, counted over all batches of the process in the child, over its own in the parent; place in the
   * task.
   */
  readonly task: number;
  readonly place: number;
  /** Rows of the task's reference; 0 while that is run. */
  readonly referenceRows: number;
  /** True if its database is still being opened. */
  readonly isOpening: boolean;
}

/** Written by the child and read by its parent, when a query has run over its time. */
const OVERTIME = /^perturbql: over time at (\d+) (-?\d+) (\d+) ([01])$/m;

/** Returns the line that the child writes when a query has run over its time. */
export function overtimeLine({ task, place, referenceRows, isOpening }: RunningQuery): string {
  return `\nperturbql: over time at ${task} ${place} ${referenceRows} ${Number(isOpening)}\n`;
}

/**
 * The query that ran over its time, by what the child wrote last, of a batch that begins with the process's task
 * `first` and has so many. Null where it is none of these: its own batch had ended when the child wrote of it.
 */
export function readOvertime(words: string, first: number, tasks: number): RunningQuery | null {
  const [, at, place, rows, opening] = OVERTIME.exec(words) ?? [];
  const task = Number(at ?? NaN) - first;
  if (!(task >= 0 && task < tasks)) return null;
  return { task, place: Number(place), referenceRows: Number(rows), isOpening: opening === '1' };
}

/** Places in the shared memory. */
const SEQUENCE = 0;
const TASK = 1;
const PLACE = 2;
const ROWS = 3;
const OPENING = 4;
const SINCE = 5;
const CPU_SINCE = 6;
const LIMIT = 7;
const SIZE = 8;

/**
 * Wall time that a query may take, as a multiple of its limit. The limit itself is CPU time, so that what else runs on
 * the machine decides no verdict; wall time ends what waits for a disk.
 */
const WALL_FACTOR = 10;

/** Milliseconds of a clock that all threads share, modulo 2^32. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1000 + Math.trunc(nanoseconds / 1e6)) | 0;
}

/** Checks whether a query has had its time. */
function isOver(since: number, cpuSince: number, limitMs: number): boolean {
  return ((cpuNow() - cpuSince) | 0) > limitMs || ((now() - since) | 0) > limitMs * WALL_FACTOR;
}

/** Milliseconds of user CPU time of the whole process, in any of its threads. */
function cpuNow(): number {
  return Math.trunc(process.cpuUsage().user / 1000) | 0;
}

/**
 * The clock of a process that runs queries one after another: the running thread sets it before each query, another one
 * reads it, as nothing can stop a query from within its own thread. An odd sequence number is a query that runs; one
 * that has changed while the others were read makes them void.
 */
export class BatchClock {
  readonly #fields: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(SIZE * Int32Array.BYTES_PER_ELEMENT)) {
    this.#fields = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#fields.buffer as SharedArrayBuffer;
  }

  /** Runs a query on the clock; also whether it took longer than it may. */
  time<T>(query: RunningQuery, limitMs: number, run: () => T): { readonly value: T; readonly isOvertime: boolean } {
    const [since, cpuSince] = [now(), cpuNow()];
    this.#set(TASK, query.task);
    this.#set(PLACE, query.place);
    this.#set(ROWS, query.referenceRows);
    this.#set(OPENING, Number(query.isOpening));
    this.#set(SINCE, since);
    this.#set(CPU_SINCE, cpuSince);
    this.#set(LIMIT, limitMs);
    Atomics.add(this.#fields, SEQUENCE, 1);
    try {
      const value = run();
      return { value, isOvertime: isOver(since, cpuSince, limitMs) };
    } finally {
      Atomics.add(this.#fields, SEQUENCE, 1);
    }
  }

  /** The query that runs and has run too long. */
  overtime(): RunningQuery | null {
    const sequence = this.#get(SEQUENCE);
    if (sequence % 2 === 0) return null;
    const query = {
      task: this.#get(TASK),
      place: this.#get(PLACE),
      referenceRows: this.#get(ROWS),
      isOpening: this.#get(OPENING) === 1,
    };
    const isLate = isOver(this.#get(SINCE), this.#get(CPU_SINCE), this.#get(LIMIT));
    return isLate && this.#get(SEQUENCE) === sequence ? query : null;
  }

  #get(field: number): number {
    return Atomics.load(this.#fields, field);
  }

  #set(field: number, value: number): void {
    Atomics.store(this.#fields, field, value);
  }
}

import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import type { Database, ColumnRef } from '../../src/schema/schema.js';
import type { NamesRequest, WorkerReply } from './messages.js';

/** How far the worker is. */
export type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly share: number }
  | { readonly kind: 'judging'; readonly table: string }
  | { readonly kind: 'failed'; readonly message: string };

interface Waiting {
  readonly resolve: (decisions: readonly CandidateDecision[]) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the worker for names; starts it, and with it the download, at the first question. */
export class NameFinder {
  readonly #script: URL;
  readonly #show: (stage: Stage) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #last = 0;
  #table = '';

  constructor(script: URL, show: (stage: Stage) => void) {
    this.#script = script;
    this.#show = show;
  }

  /** Decisions on names for some columns, table by table. */
  async *find(
    database: Database,
    columns: readonly ColumnRef[],
    question: string,
  ): AsyncGenerator<readonly CandidateDecision[]> {
    for (const [t, { originalName }] of database.tables.entries()) {
      const own = columns.filter(({ table }) => table === t).map(({ column }) => column);
      if (own.length === 0) continue;
      this.#table = originalName;
      yield await this.#ask({ database, table: t, columns: own, questions: question === '' ? [] : [question] });
    }
    this.#show({ kind: 'idle' });
  }

  #ask(request: Omit<NamesRequest, 'id'>): Promise<readonly CandidateDecision[]> {
    const id = ++this.#last;
    const isStarted = this.#worker !== null;
    this.#worker ??= this.#start();
    this.#show(isStarted ? { kind: 'judging', table: this.#table } : { kind: 'loading', share: 0 });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker!.postMessage({ id, ...request } satisfies NamesRequest);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => this.#take(data));
    worker.addEventListener('error', ({ message }) => this.#fail(message));
    return worker;
  }

  #take(reply: WorkerReply): void {
    if (reply.kind === 'loading') this.#show({ kind: 'loading', share: reply.bytes / reply.of });
    else if (reply.kind === 'ready') this.#show({ kind: 'judging', table: this.#table });
    else if (reply.kind === 'names') {
      this.#waiting.get(reply.id)?.resolve(reply.decisions);
      this.#waiting.delete(reply.id);
    } else this.#fail(reply.message);
  }

  /** After a failure the next question starts a new worker. */
  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#show({ kind: 'failed', message });
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}

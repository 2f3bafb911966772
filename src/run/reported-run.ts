import { join } from 'node:path';
import { RunFolder, type RunManifest } from './run-folder.js';
import { isOwn, type Shard, type ShardOption } from './shard.js';

/** Results kept back until they are written together: a kill loses at most these. */
const WRITE_EVERY = 64;

/** The items of a run, or of one that keeps nothing: what is known of them, and which are to be done. */
export class RunItems<T> {
  /** The part of the work that is done; null: all of it. */
  readonly shard: Shard | null;
  readonly #folder: RunFolder<unknown> | null;
  readonly #prefix: string;
  /** Without a folder all results, else those that are not written yet. */
  readonly #results = new Map<string, T>();

  /** @param prefix of the ids, where the folder has items of other kinds */
  constructor(folder: RunFolder<unknown> | null = null, shard: Shard | null = null, prefix = '') {
    this.#folder = folder;
    this.shard = shard;
    this.#prefix = prefix;
  }

  /** True if results outlive the process. */
  get isKept(): boolean {
    return this.#folder !== null;
  }

  /** Checks whether an item falls to this shard, by the hash of its id. */
  isOwn(id: string): boolean {
    return isOwn(this.shard, id);
  }

  get(id: string): T | undefined {
    return this.#results.get(id) ?? (this.#folder?.journal.get(this.#prefix + id) as T | undefined);
  }

  keep(items: readonly (readonly [id: string, result: T])[]): void {
    for (const [id, result] of items) this.#results.set(id, result);
    if (this.#results.size >= WRITE_EVERY) this.flush();
  }

  /** Writes what is held back. */
  flush(): void {
    if (this.#folder === null || this.#results.size === 0) return;
    this.#folder.journal.appendAll(Array.from(this.#results, ([id, result]) => [this.#prefix + id, result] as const));
    this.#results.clear();
  }

  /** An item's result: as it is known, else made and kept. */
  async of<U extends T>(id: string, make: () => Promise<U>): Promise<U> {
    const known = this.get(id);
    if (known !== undefined) return known as U;
    const made = await make();
    this.keep([[id, made]]);
    return made;
  }

  /** To be called when all items are done, before they are summed up. @throws ShardFinished where this is a shard */
  end(): void {
    this.flush();
    this.#folder?.endShard();
  }
}

/** A run whose product is its report. */
export interface ReportedRun<T, R> extends ShardOption {
  /** Folder of the run; null: the report is only returned. */
  readonly out: string | null;
  readonly manifest: () => Promise<Omit<RunManifest, 'complete'>> | Omit<RunManifest, 'complete'>;
  /** Reads a report that a run wrote which had finished. @throws where the file is no such report */
  readonly load: (file: string) => R;
  /** Does the items, and sums them up. */
  readonly work: (items: RunItems<T>) => Promise<R>;
  /** Further products. */
  readonly write?: (report: R, folder: RunFolder<T>) => Promise<void> | void;
}

const REPORT = 'report.json';

/**
 * Does the items of a run and writes `report.json`. The same call again goes on where it was; the report of a finished
 * run is read.
 * @throws RunFolderError as `RunFolder.open`; ShardFinished where the items of a shard are done
 */
export async function runReported<T, R>(run: ReportedRun<T, R>): Promise<R> {
  const { out, shard = null, manifest, load, work, write } = run;
  if (out === null) return work(new RunItems<T>());
  return RunFolder.use<T, R>(out, await manifest(), {
    shard,
    read: () => load(join(out, REPORT)),
    work: async (folder) => {
      const report = await work(new RunItems(folder, shard));
      folder.write(REPORT, `${JSON.stringify(report, null, 2)}\n`);
      await write?.(report, folder);
      return report;
    },
  });
}

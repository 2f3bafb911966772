import type { Dataset } from './dataset.js';

/** The SQLite files of a data set's databases, each looked for once. */
export class OriginalFiles {
  readonly #dataset: Dataset;
  readonly #scratch: string;
  readonly #files = new Map<string, string | null>();

  /** `scratch`: where the data set may write the files that it holds otherwise. */
  constructor(dataset: Dataset, scratch: string) {
    this.#dataset = dataset;
    this.#scratch = scratch;
  }

  /** Null where the input has no rows for it, or its queries are of another dialect. */
  of(dbId: string): string | null {
    let file = this.#files.get(dbId);
    if (file === undefined) {
      const dataset = this.#dataset;
      const hasFile = dataset.dialect.name === 'sqlite' && dataset.hasRows(dbId);
      this.#files.set(dbId, (file = hasFile ? dataset.sqliteFile(dbId, this.#scratch) : null));
    }
    return file;
  }
}

import type { Dataset } from '../formats/dataset.js';
import { declaredTypes } from '../formats/read-sqlite-schema.js';
import type { Cells } from '../variants/mutate/mutant-set.js';
import type { DeclaredTypes } from '../sql/create-tables.js';
import type { Database } from '../schema/schema.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';

/** The rows of a data set's own databases, and what victims are told of them; each is read once. */
export class OriginalRows {
  readonly #dataset: Dataset;
  readonly #scratch: string;
  readonly #files = new Map<string, string | null>();
  readonly #cells = new Map<string, Cells>();
  readonly #types = new Map<string, DeclaredTypes>();

  /** `scratch`: folder for files that go when the run is over. */
  constructor(dataset: Dataset, scratch: string) {
    this.#dataset = dataset;
    this.#scratch = scratch;
  }

  /** The SQLite file of a database; null where the input has no rows for it, or its queries are of another dialect. */
  fileOf(dbId: string): string | null {
    let file = this.#files.get(dbId);
    if (file === undefined) {
      const dataset = this.#dataset;
      const hasFile = dataset.dialect.name === 'sqlite' && dataset.hasRows(dbId);
      this.#files.set(dbId, (file = hasFile ? dataset.sqliteFile(dbId, this.#scratch) : null));
    }
    return file;
  }

  /** Returns the source for queries to a database; null if there are no rows. */
  sourceOf(dbId: string): QuerySource | null {
    const file = this.fileOf(dbId);
    return file === null ? null : { file };
  }

  /** Sample cells of a database's columns. */
  cellsOf(database: Database): Cells {
    let cells = this.#cells.get(database.id);
    if (cells === undefined) this.#cells.set(database.id, (cells = this.#dataset.sampleValues(database)));
    return cells;
  }

  /** Declared types of a database's columns; none where there is no file. */
  typesOf(database: Database): DeclaredTypes {
    let types = this.#types.get(database.id);
    if (types === undefined) {
      this.#types.set(database.id, (types = declaredTypes(this.fileOf(database.id), database)));
    }
    return types;
  }
}

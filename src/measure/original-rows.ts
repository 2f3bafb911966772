import type { Dataset } from '../formats/dataset.js';
import { declaredTypes } from '../formats/read-sqlite-schema.js';
import type { Cells } from '../variants/mutate/mutant-set.js';
import type { DeclaredTypes } from '../sql/create-tables.js';
import { memoize, memoizeObject } from '../schema/memoize.js';
import type { Database } from '../schema/schema.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';

/** The rows of a data set's own databases, and what victims are told of them; each is read once. */
export class OriginalRows {
  /** The SQLite file of a database; null where the input has no rows for it, or its queries are of another dialect. */
  readonly fileOf: (dbId: string) => string | null;
  /** Sample cells of a database's columns. */
  readonly cellsOf: (database: Database) => Cells;
  /** Declared types of a database's columns; none where there is no file. */
  readonly typesOf: (database: Database) => DeclaredTypes;

  /** `scratch`: folder for files that go when the run is over. */
  constructor(dataset: Dataset, scratch: string) {
    this.fileOf = memoize((dbId) => {
      const hasFile = dataset.dialect.name === 'sqlite' && dataset.hasRows(dbId);
      return hasFile ? dataset.sqliteFile(dbId, scratch) : null;
    });
    this.cellsOf = memoizeObject((database) => dataset.sampleValues(database));
    this.typesOf = memoizeObject((database) => declaredTypes(this.fileOf(database.id), database));
  }

  /** Returns the source for queries to a database; null if there are no rows. */
  sourceOf(dbId: string): QuerySource | null {
    const file = this.fileOf(dbId);
    return file === null ? null : { file };
  }
}

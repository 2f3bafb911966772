import type Sqlite from 'better-sqlite3';
import { createAddedValues } from '../../rows/values/added-values.js';
import { sampleTable, type TableSample } from '../../rows/values/table-sample.js';
import { foldName } from '../../sql/dialect.js';
import type { Rng } from '../../stage.js';
import type { ColumnAddition } from './database-change.js';
import type { PlannedAddition } from './plan-change.js';

/** Gives the columns added to one original's tables their values; each table is sampled once. */
export class AdditionFiller {
  readonly #open: () => Sqlite.Database;
  readonly #samples = new Map<string, TableSample>();

  /** `open` is called when a table is first looked at. */
  constructor(open: () => Sqlite.Database) {
    this.#open = open;
  }

  /** @throws InputFormatError when the database lacks the table, or it is SQLite's own */
  sampleOf(table: string): TableSample {
    const key = foldName(table);
    const sample = this.#samples.get(key) ?? sampleTable(this.#open(), table);
    this.#samples.set(key, sample);
    return sample;
  }

  /** A planned column with values like `sourceValues`; the same generator gives the same. Throws as `sampleOf`. */
  fill(
    { table, column, before, target }: Omit<PlannedAddition, 'change' | 't'>,
    sourceValues: readonly string[],
    rng: Rng,
  ): ColumnAddition {
    const { name, type, originalName } = column;
    const request = { name, type, sourceValues, table: this.sampleOf(table), target };
    return { table, name: originalName, before, ...createAddedValues(request, rng) };
  }
}

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { PerturbqlError } from '../../errors.js';
import type { Dataset } from '../../formats/dataset.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { groupBy } from '../../run/group-by.js';
import type { RunHost } from '../../run/run-host.js';
import { fileSha256 } from '../../run/sha256.js';
import { createRng } from '../../seeded-rng.js';
import type { Database } from '../../schema/schema.js';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import {
  AdditionFiller,
  type ExtendedSchema,
  type NamedChange,
  plannedAdditions,
  renamedColumns,
} from './plan-change.js';
import type { DatabaseChange } from './database-change.js';

/** Where a run keeps databases that its input holds in another form than SQLite. */
const SCRATCH = '.databases';

/** `RUN/database/<id>/<id>.sql`: the script of a database over its original. */
export function scriptPath(out: string, id: string): string {
  return join(out, 'database', id, `${id}.sql`);
}

/** `RUN/database/<id>/<id>.sqlite`, Spider's layout. */
export function databasePath(out: string, id: string): string {
  return sqlitePath(join(out, 'database'), id);
}

/** The SQLite file of a database that a run has written; null where there is none. */
export function writtenDatabase(out: string, id: string): string | null {
  const file = databasePath(out, id);
  return existsSync(file) ? file : null;
}

/** The values of columns that are added. */
interface AddedValuesChoice<C> {
  readonly seed: number;
  /** Values that a column's are to be like; the table's own decide where there are none. */
  readonly sourceValues?: (change: C) => readonly string[];
}

/** The SQLite file of a database that variants are made of; it is read when a variant first asks. */
export class SourceDatabase {
  readonly file: string;
  readonly filler = new AdditionFiller(() => this.open());
  #handle: Sqlite.Database | null = null;
  #sha256: string | null = null;

  constructor(file: string) {
    this.file = file;
  }

  get sha256(): string {
    return (this.#sha256 ??= fileSha256(this.file));
  }

  open(): Sqlite.Database {
    return (this.#handle ??= openUntouched(this.file));
  }

  close(): void {
    this.#handle?.close();
    this.#handle = null;
  }

  /** The change that makes a schema of the original, with values in the columns that it has in addition. */
  changeTo<C extends NamedChange>(
    original: Database,
    changed: ExtendedSchema,
    changes: readonly C[],
    { seed, sourceValues }: AddedValuesChoice<C>,
  ): DatabaseChange {
    return {
      renames: renamedColumns(original, changed),
      additions: plannedAdditions(original, changed, changes).map((addition) => {
        const { table, column, change } = addition;
        const rng = createRng(seed, `${changed.schema.id}/${table}.${column.originalName}`);
        return this.filler.fill(addition, sourceValues?.(change) ?? [], rng);
      }),
    };
  }
}

/** A database that is written from one of a data set's. */
export interface WrittenVariant {
  readonly id: string;
  /** Id of the data set's own database that its rows come from; equal to the id where it is a copy of that. */
  readonly origin: string;
  /** It is written by one that has it whole or not at all. */
  readonly file: string;
  readonly write: (source: SourceDatabase, file: string) => void;
}

/** A database that could not be made. */
export interface UnwrittenDatabase {
  readonly id: string;
  readonly reason: string;
}

/** Writes a database; names it with the reason where it can't be made so. */
export function writeOrName(id: string, write: () => void): readonly UnwrittenDatabase[] {
  try {
    write();
    return [];
  } catch (error) {
    if (error instanceof PerturbqlError || isSqliteError(error)) return [{ id, reason: error.message }];
    throw error;
  }
}

/**
 * Writes databases of a run that are not there yet: each is whole or absent, and equal from run to run. One that can't
 * be made is named with its reason; where a data set has no rows, none is written.
 * @throws InputFormatError when an original can't be read: the input's fault, which ends the run
 */
export function writeVariants(
  { dataset, out }: { readonly dataset: Dataset; readonly out: string },
  variants: readonly WrittenVariant[],
  host: RunHost,
): readonly UnwrittenDatabase[] {
  const unwritten: UnwrittenDatabase[] = [];
  const scratch = join(out, SCRATCH);
  let done = 0;
  for (const [origin, group] of groupBy(variants, (variant) => variant.origin)) {
    const missing = group.filter(({ file }) => !existsSync(file));
    host.progress('databases written', (done += group.length - missing.length), variants.length);
    const file = missing.length === 0 ? null : dataset.sqliteFile(origin, scratch);
    const source = file === null ? null : new SourceDatabase(file);
    try {
      for (const { id, file: target, write } of missing) {
        host.signal.throwIfAborted();
        const one = (): void => void (source === null ? null : write(source, target));
        if (id === origin) one();
        else unwritten.push(...writeOrName(id, one));
        host.progress('databases written', ++done, variants.length);
      }
    } finally {
      source?.close();
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  return unwritten;
}

import { existsSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import { ConfigError, PerturbqlError } from '../../errors.js';
import type { Dataset } from '../../formats/dataset.js';
import { isOriginal, type OutputSchema } from '../../formats/output-set.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { writeDurably } from '../../run/durable-file.js';
import { createRng } from '../../seeded-rng.js';
import type { RunHost } from '../../run/run-host.js';
import { fileSha256 } from '../../run/sha256.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { itemAt, mustGet } from '../../present.js';
import type { ColumnChange } from '../draw-perturbation.js';
import { groupBy } from '../../run/group-by.js';
import { AdditionFiller } from './addition-filler.js';
import type { ColumnAddition, DatabaseChange } from '../../variants/database-change.js';
import type { MaterializeMode } from './materialize-mode.js';
import { materializeCopy } from '../../variants/copy/materialize-copy.js';
import { addedColumns, type PlannedAddition, renamedColumns } from '../../variants/plan-change.js';
import { renderViewScript } from './views/view-script.js';

/** A schema to be materialized; the originals have no changes. */
export interface MaterializedSchema extends OutputSchema {
  readonly changes: readonly ColumnChange[];
}

export interface MaterializeRequest {
  readonly dataset: Dataset;
  readonly schemas: readonly MaterializedSchema[];
  readonly mode: Exclude<MaterializeMode, 'none'>;
  /** The input's folder of databases. */
  readonly databases: string | null;
  /** Folder of the run; databases go below `database/`. */
  readonly out: string;
  readonly seed: number;
  /** Sample values of the retrieved column that a candidate comes from. */
  readonly sourceValues: (decision: CandidateDecision) => readonly string[];
}

/** A perturbed database that could not be made. */
export interface UnwrittenDatabase {
  readonly id: string;
  readonly reason: string;
}

/** Seed of the values in added columns where inputs of attacks are prepared: the same under every seed of an attack. */
export const INPUT_VALUES_SEED = 0;

/** Where a run keeps databases that its input holds in another form than SQLite. */
const SCRATCH = '.databases';

/** A script that only renames. */
const SCRIPT_BYTES = 4096;

/** `RUN/database/<id>/<id>.sql`: the script of a database over its original. */
export function scriptPath(out: string, id: string): string {
  return join(out, 'database', id, `${id}.sql`);
}

/** `RUN/database/<id>/<id>.sqlite`, Spider's layout. */
export function databasePath(out: string, id: string): string {
  return sqlitePath(join(out, 'database'), id);
}

/** Checks whether a schema's database is a script over its original. */
function isScript({ mode }: MaterializeRequest, schema: OutputSchema): boolean {
  return mode === 'views' && !isOriginal(schema);
}

/** The file that a schema's database is written to. */
function targetOf(request: MaterializeRequest, output: OutputSchema): string {
  const path = isScript(request, output) ? scriptPath : databasePath;
  return path(request.out, output.schema.id);
}

/**
 * Writes the databases of a perturbed data set (ADVETA ships none): each is whole or absent, and equal from run to run.
 */
export class PerturbedDatabases {
  readonly #request: MaterializeRequest;

  constructor(request: MaterializeRequest) {
    this.#request = request;
  }

  /**
   * Number of databases still to write, and the disk space that copies of the input's own files need at most, in bytes.
   */
  estimate(): { readonly files: number; readonly bytes: number } {
    const { dataset, schemas } = this.#request;
    const written = schemas.filter(
      (schema) =>
        dataset.hasRows(schema.origin) && this.#isWritten(schema) && !existsSync(targetOf(this.#request, schema)),
    );
    const sizes = new Map(
      [...new Set(written.map(({ origin }) => origin))].map((id) => [id, sqliteBytes(dataset, id)]),
    );
    return {
      files: written.length,
      bytes: written.reduce(
        (sum, schema) => sum + this.#bytesOf(schema, mustGet(sizes.get(schema.origin), 'sizes.get(schema.origin)')),
        0,
      ),
    };
  }

  /** @throws ConfigError when the disk has less room than the databases need, in bytes */
  checkSpace(bytes: number): void {
    const { bavail, bsize } = statfsSync(this.#request.out);
    if (bytes <= bavail * bsize) return;
    throw new ConfigError(
      `the databases need ${renderBytes(bytes)}, but only ${renderBytes(bavail * bsize)} are free`,
      {
        where: { file: this.#request.out },
        fix: 'Free space, or give --materialize views or none.',
      },
    );
  }

  /** Writes what is not there yet; a database that can't be changed so is left out, and named with the reason. */
  write(host: RunHost): readonly UnwrittenDatabase[] {
    const { dataset, schemas, out } = this.#request;
    const unwritten: UnwrittenDatabase[] = [];
    let done = 0;
    for (const [origin, group] of groupBy(schemas, (schema) => schema.origin)) {
      if (group.every((schema) => existsSync(targetOf(this.#request, schema)))) {
        host.progress('databases written', (done += group.length), schemas.length);
        continue;
      }
      const source = dataset.sqliteFile(origin, join(out, SCRATCH));
      const writer = source === null ? null : new SourceWriter(this.#request, origin, source);
      try {
        for (const schema of group) {
          host.signal.throwIfAborted();
          const reason = writer !== null && this.#isWritten(schema) ? writer.write(schema) : null;
          if (reason !== null) unwritten.push({ id: schema.schema.id, reason });
          host.progress('databases written', ++done, schemas.length);
        }
      } finally {
        writer?.close();
        rmSync(join(out, SCRATCH), { recursive: true, force: true });
      }
    }
    return unwritten;
  }

  /** The SQLite file of a schema; null where it has none of its own. */
  sqliteFile(id: string): string | null {
    const file = databasePath(this.#request.out, id);
    return existsSync(file) ? file : null;
  }

  /** A copy takes the original's room; a script has a line of values per row that an added column gets. */
  #bytesOf({ changes }: MaterializedSchema, size: number): number {
    if (this.#request.mode === 'copy' || changes.length === 0) return size;
    return changes.some(({ kind }) => kind === 'ADD') ? size : SCRIPT_BYTES;
  }

  /** Views are played over the input's own file, unless that is not one that a later command can find. */
  #isWritten(schema: MaterializedSchema): boolean {
    const { mode, databases } = this.#request;
    const isFound = databases !== null && existsSync(sqlitePath(databases, schema.origin));
    return !isOriginal(schema) || mode === 'copy' || !isFound;
  }
}

/** Bytes of a database's file in the input, 0 where the input holds its rows otherwise. */
export function sqliteBytes(dataset: Dataset, dbId: string): number {
  return dataset.sqliteBytes?.(dbId) ?? 0;
}

/** `12.3 MB`. */
export function renderBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${itemAt(units, power)}`;
}

/** Writes all variants of one original, which is read once. */
class SourceWriter {
  readonly #request: MaterializeRequest;
  readonly #origin: string;
  readonly #source: string;
  readonly #filler = new AdditionFiller(() => this.#open());
  #handle: Sqlite.Database | null = null;
  #sha256: string | null = null;

  constructor(request: MaterializeRequest, origin: string, source: string) {
    this.#request = request;
    this.#origin = origin;
    this.#source = source;
  }

  /** Why it could not be written; null where it was, or stands from an earlier run. */
  write(schema: MaterializedSchema): string | null {
    try {
      this.#write(schema);
      return null;
    } catch (error) {
      // An original that can't be read is the input's fault, and ends the run.
      const isKnown = error instanceof PerturbqlError || isSqliteError(error);
      if (isKnown && schema.changes.length > 0) return error.message;
      throw error;
    }
  }

  #write(schema: MaterializedSchema): void {
    const target = targetOf(this.#request, schema);
    if (existsSync(target)) return;
    if (isScript(this.#request, schema)) writeDurably(target, this.#script(schema));
    else materializeCopy(this.#source, target, this.#changeOf(schema));
  }

  close(): void {
    this.#handle?.close();
  }

  #script(schema: MaterializedSchema): string {
    this.#sha256 ??= fileSha256(this.#source);
    const header = { variant: schema.schema.id, database: this.#origin, sha256: this.#sha256 };
    return renderViewScript(this.#open(), this.#changeOf(schema), header);
  }

  #open(): Sqlite.Database {
    return (this.#handle ??= openUntouched(this.#source));
  }

  #changeOf(schema: MaterializedSchema): DatabaseChange {
    const original = mustGet(
      this.#request.dataset.databases.get(this.#origin),
      'request.dataset.databases.get(origin)',
    );
    const planned = addedColumns(original, schema, schema.changes);
    return {
      renames: renamedColumns(original, schema),
      additions: planned.map((addition) => this.#fill(schema.schema.id, addition)),
    };
  }

  #fill(id: string, addition: PlannedAddition<ColumnChange>): ColumnAddition {
    const { seed, sourceValues } = this.#request;
    const rng = createRng(seed, `${id}/${addition.table}.${addition.column.originalName}`);
    return this.#filler.fill(addition, sourceValues(addition.change.decision), rng);
  }
}

/** Renders the maximum size of databases, after their number; nothing if no size is known, as for generated rows. */
export function renderAtMost(bytes: number): string {
  return bytes === 0 ? '' : `, at most ${renderBytes(bytes)}`;
}

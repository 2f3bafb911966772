import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError, RunFolderError } from '../../errors.js';
import { PROVENANCE_FILE, readPerturbedRecords, type RecordedChange } from '../../formats/artifacts/provenance.js';
import { loadText } from '../../formats/json-file.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { rowlessSchemas, type RowlessSchemas, syntheticFile } from '../../formats/synthetic-databases.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import type { OutputKind, OutputSchema } from '../../formats/output-set.js';
import { mustGet } from '../../present.js';
import { readRunManifest } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import type { Database, ColumnRef } from '../../schema/schema.js';
import { executableSql } from '../../sql/executable-sql.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { databasePath, scriptPath, SourceDatabase } from '../databases/write-variants.js';
import { readViewScriptHeader } from '../databases/view-script.js';
import type { PerturbedDataset } from '../augment/perturbed-dataset.js';
import type { ValueMapping } from '../../formats/artifacts/mutants.js';
import { ONE_OF_EACH, VARIANT_KINDS, type VariantKind, type VariantPlan } from '../augment/variant-plan.js';
import { refNamed } from '../../sql/schema-names.js';
import { materializeCopy } from '../databases/copy/materialize-copy.js';
import { recordedPositions } from '../augment/provenance.js';

/** A variant's schema: what it was made from, and by which changes. */
interface RecordedSchema {
  readonly dbId: string;
  readonly originalDbId: string;
  readonly kind: string;
  readonly changes: readonly RecordedChange[];
}

/** The column that a change is about. @throws Error where the schema lacks it: the run's files don't fit together */
function refOf(database: Database, { table, column }: RecordedChange): ColumnRef {
  const ref = refNamed(database, table, column);
  if (ref === null) throw new Error(`${database.id} has no column ${table}.${column}`);
  return ref;
}

/** Synthetic databases for a run of `augment` that wrote none: those of the originals, and copies changed as variants are. */
class SyntheticRows {
  readonly #schemas: RowlessSchemas;
  readonly #scratch: string;

  /** Files are written below `scratch` when they are first asked for. */
  constructor(schemas: RowlessSchemas, scratch: string) {
    this.#schemas = schemas;
    this.#scratch = scratch;
  }

  /** The SQLite file of a record's schema. */
  file(record: RecordedSchema): string {
    const { dbId, originalDbId } = record;
    const source = mustGet(syntheticFile(this.#schemas, originalDbId, this.#scratch), 'a database of the original');
    if (dbId === originalDbId) return source;
    const target = databasePath(join(this.#scratch, 'variants'), dbId);
    if (!existsSync(target)) this.#write(source, target, record);
    return target;
  }

  #write(source: string, target: string, record: RecordedSchema): void {
    const { databases, seed } = this.#schemas;
    const original = mustGet(databases.get(record.originalDbId), 'the schema of the original');
    const schema = mustGet(databases.get(record.dbId), 'the schema of the variant');
    const columns = recordedPositions(original, schema, record.kind, record.changes);
    const output: OutputSchema = { schema, origin: original.id, columns };
    const changes = record.changes.map((change) => ({
      ref: refOf(original, change),
      originalName: change.identifier,
    }));
    const database = new SourceDatabase(source);
    try {
      materializeCopy(source, target, database.changeTo(original, output, changes, { seed }));
    } finally {
      database.close();
    }
  }
}

const planSchema = z.partialRecord(z.enum(VARIANT_KINDS), z.int());

const FIX = 'Name a folder that `perturbql augment` wrote.';

/** A record of a perturbed data set that can be executed. */
export interface RunItem {
  /** Position in `examples.json`. */
  readonly index: number;
  /** Id of the example in the input. */
  readonly source: string;
  readonly kind: OutputKind;
  readonly dbId: string;
  readonly originalDbId: string;
  readonly query: string;
  readonly changes: readonly RecordedChange[];
  /** Of a mutant: what became of values. */
  readonly mapping: readonly ValueMapping[] | null;
  /** True if it is a mutant that asks something else: its gold need not give what its original's gives. */
  readonly asksOther: boolean;
}

/** Returns the content to execute, as the files of a data set without mutants would have it. */
export function contentOf(output: PerturbedDataset): RunContent {
  const items = Array.from(output.examples(), ({ source, kind, schema, query }, index): RunItem => {
    const ids = { dbId: schema.schema.id, originalDbId: schema.origin };
    return { index, source: source.id, kind, ...ids, query, changes: [], mapping: null, asksOther: false };
  });
  return { schemaOf: (id) => output.schemaOf(id)?.schema, items };
}

/** How a run's folder is opened. */
export interface RunAccess {
  /** Folder of the original databases, for runs that wrote views; null = they are in the run. */
  readonly databases: string | null;
  /** Takes a run that is still being written. */
  readonly unfinished?: boolean | undefined;
  /** Folder for synthetic databases, where the run has none; null = records without a database can't be executed. */
  readonly syntheticFolder?: string | null | undefined;
  /** The content of the run's files, if they are not written yet. */
  readonly content?: RunContent | undefined;
}

/** Schemas and records of a run. */
export interface RunContent {
  readonly schemaOf: (id: string) => Database | undefined;
  readonly items: readonly RunItem[];
}

/** The folder of an `augment` run, to be executed. */
export class PerturbedRun {
  readonly keepStar: boolean;
  readonly #variants: VariantPlan;
  readonly #folder: string;
  /** Folder of the original databases, for runs that wrote views; null = they are in the run. */
  readonly #databases: string | null;
  readonly #schemaOf: RunContent['schemaOf'];
  readonly #checked = new Map<string, string>();
  readonly #views: boolean;
  readonly #synthetic: SyntheticRows | null;
  readonly #content: RunContent | undefined;

  /** @throws RunFolderError or InputFormatError when the folder holds no finished run with databases */
  constructor(folder: string, { databases, unfinished = false, syntheticFolder = null, content }: RunAccess) {
    const { command, settings, complete, seed } = readRunManifest(folder);
    if (!complete && !unfinished) {
      throw new RunFolderError('the run is not finished', {
        where: { file: folder },
        fix: 'Finish it: run the command that began it again.',
      });
    }
    if (databases !== null && !existsSync(databases)) {
      throw new InputFormatError('there are no databases at this path', {
        where: { file: databases },
        fix: 'Name the folder that `perturbql augment` was given as --databases.',
      });
    }
    if (command !== 'augment')
      throw new RunFolderError(`this is a run of ${command}`, { where: { file: folder }, fix: FIX });
    if (syntheticFolder === null && !existsSync(join(folder, 'database'))) {
      throw new RunFolderError('the run has no databases to execute on', {
        where: { file: folder },
        fix: 'Give --synthetic-databases, or run `perturbql augment` with --databases.',
      });
    }
    this.keepStar = settings['keepStar'] === true;
    this.#variants = planSchema.parse(settings['variants'] ?? ONE_OF_EACH);
    this.#views = settings['materialize'] === 'views';
    this.#folder = folder;
    this.#databases = databases;
    this.#content = content;
    const schemas = content === undefined ? loadSpiderTables(join(folder, 'tables.json')) : new Map<string, Database>();
    this.#schemaOf = content?.schemaOf ?? ((id) => schemas.get(id));
    this.#synthetic = syntheticFolder === null ? null : this.#syntheticRows(schemas, syntheticFolder, seed);
  }

  /** Checks whether the run was to have variants of a kind. */
  isWanted(kind: VariantKind): boolean {
    return (this.#variants[kind] ?? 0) > 0;
  }

  /** Rows for the originals that have none. */
  #syntheticRows(schemas: ReadonlyMap<string, Database>, scratch: string, seed: number): SyntheticRows {
    const originals = this.items().filter(({ kind, originalDbId }) => {
      return kind === 'original' && !this.#hasOriginal(originalDbId);
    });
    const queries = originals.map(({ dbId, query: sql }) => ({ dbId, sql }));
    return new SyntheticRows(rowlessSchemas(schemas, queries, seed), scratch);
  }

  /**
   * The run's records, those of one example together: the originals, then their variants.
   * @throws InputFormatError when they are damaged, or name a database that `tables.json` lacks
   */
  items(): readonly RunItem[] {
    if (this.#content !== undefined) return this.#content.items;
    return readPerturbedRecords(join(this.#folder, 'examples.json'), FIX).map(({ line, query }, i) => {
      const { index, source, kind, db_id: dbId, original_db_id: originalDbId, changes, mapping = null } = line;
      const asksOther = line.expectation === 'other-query';
      for (const [field, id] of Object.entries({ db_id: dbId, original_db_id: originalDbId })) {
        if (this.#schemaOf(id) !== undefined) continue;
        throw new InputFormatError(`field "${field}" is wrong: tables.json has no database ${id}`, {
          where: { file: join(this.#folder, PROVENANCE_FILE), line: i + 1, id: `record ${i}` },
          fix: 'Put back the files that `perturbql augment` wrote, or run it again.',
        });
      }
      return { index, source, kind, dbId, originalDbId, query, changes, mapping, asksOther };
    });
  }

  /** Checks whether a record's schema has a database of its own: a file, or a script of views. */
  hasDatabase({ dbId }: RunItem): boolean {
    return existsSync(databasePath(this.#folder, dbId)) || existsSync(scriptPath(this.#folder, dbId));
  }

  /**
   * Where and how a record's query runs; null where neither it nor its original has a database, as the input has no
   * rows for it. A variant whose database is gone though the original's is there gets a task that fails.
   */
  taskOf(item: RunItem): QueryTask | null {
    const { query, kind, dbId, originalDbId } = item;
    const sql = executableSql(query, mustGet(this.#schemaOf(dbId), 'schemaOf(dbId)'));
    const own = databasePath(this.#folder, dbId);
    if (existsSync(own)) return { sql, file: own };
    // Rows can't be made for tables that are others, and a run that wrote databases has those of mutants.
    if (kind === 'mutant' && dbId !== originalDbId) return this.#hasOriginal(originalDbId) ? { sql, file: own } : null;
    if (this.#synthetic !== null && !this.#hasOriginal(originalDbId)) return { sql, file: this.#synthetic.file(item) };
    const script = scriptPath(this.#folder, dbId);
    const isWritten = dbId === originalDbId || existsSync(script);
    if (!isWritten) return this.#hasOriginal(originalDbId) ? { sql, file: own } : null;
    if (dbId === originalDbId && !this.#hasOriginal(dbId) && !this.#views) return null;
    const file = this.#originalOf(originalDbId);
    if (dbId === originalDbId) return { sql, file };
    this.#checkScript(script, originalDbId, file);
    return { sql, file, setup: [{ file: script }] };
  }

  #hasOriginal(id: string): boolean {
    if (existsSync(databasePath(this.#folder, id))) return true;
    return this.#databases !== null && this.#views && existsSync(sqlitePath(this.#databases, id));
  }

  #originalOf(id: string): string {
    const own = databasePath(this.#folder, id);
    if (existsSync(own)) return own;
    const given = this.#databases === null ? null : sqlitePath(this.#databases, id);
    if (given !== null && existsSync(given)) return given;
    throw new InputFormatError(`the original of database ${id} is not there`, {
      where: { file: given ?? own },
      fix: 'Give --databases: the folder that `perturbql augment` was given.',
    });
  }

  /** A script fits the database that it was written for, and no other. */
  #checkScript(script: string, id: string, file: string): void {
    let sha256 = this.#checked.get(id);
    if (sha256 === undefined) this.#checked.set(id, (sha256 = fileSha256(file)));
    if (readViewScriptHeader(loadText(script)).sha256 === sha256) return;
    throw new InputFormatError('the original database is another one than the views were written for', {
      where: { file, id },
      fix: 'Give the same --databases as to `perturbql augment`, or run it again.',
    });
  }
}

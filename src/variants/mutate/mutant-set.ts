import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ConfigError, InputFormatError } from '../../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../../formats/dataset.js';
import { declaredTypes } from '../../formats/read-sqlite-schema.js';
import { loadSampleValues, sqlitePath } from '../../formats/sample-values.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import {
  loadMutants,
  loadSeeds,
  type MutantLine,
  type MutantRecord,
  MUTANTS_FILE,
  MUTANTS_FIX,
  SEEDS_FILE,
} from '../../formats/artifacts/mutants.js';
import { readRunManifest, requireFinishedRun } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import type { DeclaredTypes } from '../../sql/create-tables.js';
import { type Column, columnAt, type Database, type Table } from '../../schema/schema.js';
import { foldName, SQLITE } from '../../sql/dialect.js';
import { sqliteFolder } from '../../formats/spider-dataset.js';

/** Formats whose gold is not in SQLite's SQL. */
const OTHER_DIALECTS: ReadonlySet<unknown> = new Set(['mysql', 'postgresql']);

/** Folder of a run with the databases of its schemas, the data set's own among them. */
function runDatabases(run: string): string {
  return join(run, 'database');
}

/** Where a `mutate` run holds schemas and rows: what further training examples are read with. */
export function runPaths(run: string, databases: string | null): DatasetPaths {
  const tables = join(run, 'tables.json');
  return { dataset: 'spider', tables, examples: null, databases: databases ?? runDatabases(run), connection: null };
}

/**
 * The data set that a `mutate` run was made of, as far as the run holds it: examples, schemas, and rows where it has
 * written databases or `databases` says where they are.
 * @throws ConfigError for one whose dialect is not SQLite's: only the data set itself says which
 */
export function loadRunDataset(run: string, schemas: ReadonlyMap<string, Database>, databases: string | null): Dataset {
  if (OTHER_DIALECTS.has(readRunManifest(run).settings['dataset'])) {
    const fix = 'Give --dataset and --connection, as to `perturbql mutate`.';
    throw new ConfigError('the run does not hold the server’s part of its data set', { where: { file: run }, fix });
  }
  const examples = [...loadSeeds(run).values()].map(({ id, db_id: dbId, question, query }): DatasetExample => {
    return { id, group: id, dbId, question, query: query ?? '', record: { db_id: dbId, question, query } };
  });
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: schemas,
    size: examples.length,
    skipped: [],
    fingerprints: { seeds: fileSha256(join(run, SEEDS_FILE)) },
    examples: () => examples,
    ...sqliteFolder(databases ?? runDatabases(run)),
  };
}

/** Sample cell values by table and column position. */
export type Cells = readonly (readonly (readonly string[])[])[];

/** Something of each column that a schema has in common with its origin, by their names. */
function byName<T>(
  schema: Database,
  origin: Database,
  of: (column: Column, table: number, position: number) => T,
  otherwise: T,
): readonly (readonly T[])[] {
  const keyOf = (table: Table, column: Column): string =>
    JSON.stringify([foldName(table.originalName), foldName(column.originalName)]);
  const places = new Map(
    origin.tables.flatMap((table, t) => table.columns.map((column, c) => [keyOf(table, column), [t, c]] as const)),
  );
  return schema.tables.map((table) =>
    table.columns.map((column) => {
      const place = places.get(keyOf(table, column));
      return place === undefined ? otherwise : of(column, ...place);
    }),
  );
}

/** Schemas that are kept as objects that others keep what they make of them by; mutants of one come together. */
const KEPT_SCHEMAS = 32;

/** The folder of a `mutate` run: mutants, their schemas, their databases. */
export class MutantSet {
  readonly records: readonly MutantLine[];
  /** sha256 of what the run holds, by role. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** The data set's own schemas and those that were made of them, by id. */
  readonly schemas: ReadonlyMap<string, Database>;
  /** The folder of the run. */
  readonly folder: string;
  readonly #databases: string;
  readonly #recent = new LRUCache<string, Database>({
    max: KEPT_SCHEMAS,
    memoMethod: (id) => ({ ...this.schemas.get(id)! }),
  });
  readonly #cells = new LRUCache<string, Cells>({ max: KEPT_SCHEMAS });
  readonly #types = new LRUCache<string, DeclaredTypes>({ max: KEPT_SCHEMAS });

  /** @throws RunFolderError or InputFormatError when the folder holds no finished run, or a line of it is wrong */
  constructor(folder: string) {
    requireFinishedRun(folder, { command: 'mutate', products: 'the mutants', fix: MUTANTS_FIX });
    const [mutants, tables] = [join(folder, MUTANTS_FILE), join(folder, 'tables.json')];
    this.folder = folder;
    this.#databases = runDatabases(folder);
    this.records = loadMutants(folder);
    this.schemas = loadSpiderTables(tables);
    this.fingerprints = { mutants: fileSha256(mutants), mutatedTables: fileSha256(tables) };
    for (const record of this.records) this.#checkSchema(record, mutants);
  }

  /** The schema of an id; a copy, so that what others keep of it goes with it. */
  schemaOf(id: string): Database {
    return this.#recent.memo(id);
  }

  /** The SQLite file of a mutated schema; null where none was written. */
  fileOf(id: string): string | null {
    const file = sqlitePath(this.#databases, id);
    return existsSync(file) ? file : null;
  }

  /**
   * Sample cells of a mutated schema: of its database, else those that columns of the same names have in its origin.
   */
  samplesOf(id: string, origin: Database, originCells: Cells): Cells {
    const known = this.#cells.get(id);
    if (known !== undefined) return known;
    const schema = this.schemaOf(id);
    const cells =
      this.fileOf(id) === null
        ? byName(schema, origin, (_, t, c) => originCells[t]?.[c] ?? [], [])
        : loadSampleValues(this.#databases, schema);
    this.#cells.set(id, cells);
    return cells;
  }

  /** Declared types of a mutated schema: of its database, else those of the same columns of its origin. */
  typesOf(id: string, origin: Database, originTypes: DeclaredTypes): DeclaredTypes {
    const known = this.#types.get(id);
    if (known !== undefined) return known;
    const [schema, file] = [this.schemaOf(id), this.fileOf(id)];
    const typeOf = ({ type }: Column, t: number, c: number): string | null => {
      // One that is of another kind now is declared as another.
      return columnAt(origin, { table: t, column: c }).type === type ? (originTypes[t]?.[c] ?? null) : null;
    };
    const types = file === null ? byName(schema, origin, typeOf, null) : declaredTypes(file, schema);
    this.#types.set(id, types);
    return types;
  }

  /**
   * Checks that the mutants were made of the examples of a data set.
   * @throws InputFormatError naming a mutant whose seed is none of them, or asks another database
   */
  checkSeeds(examples: ReadonlyMap<string, Pick<DatasetExample, 'dbId'>>): void {
    const fix = 'Name the data set that the mutants were made of, with --tables, --examples and --databases.';
    for (const { id, seed, origin } of this.records) {
      const where = { file: join(this.folder, MUTANTS_FILE), id };
      const example = examples.get(seed);
      if (example === undefined) throw new InputFormatError(`its seed ${seed} is no example`, { where, fix });
      if (example.dbId !== origin) {
        throw new InputFormatError(`its seed ${seed} asks ${example.dbId}, not ${origin}`, { where, fix });
      }
    }
  }

  #checkSchema(record: MutantRecord, file: string): void {
    if (!isOnOwnSchema(record) || this.schemas.has(record.db_id)) return;
    const where = { file, id: record.id };
    throw new InputFormatError(`its schema ${record.db_id} is not in tables.json`, { where, fix: MUTANTS_FIX });
  }
}

/** Checks whether a mutant is asked of a schema of its own, not of the data set's. */
export function isOnOwnSchema({ db_id: id, origin }: Pick<MutantRecord, 'db_id' | 'origin'>): boolean {
  return id !== origin;
}

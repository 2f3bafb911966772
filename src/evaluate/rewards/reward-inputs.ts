import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getOrMake } from '../../present.js';
import { ConfigError, InputFormatError } from '../../errors.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { loadJsonArray } from '../../formats/json-file.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { readSqliteSchema } from '../../formats/read-sqlite-schema.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { loadSpiderTables, parseSpiderTables } from '../../formats/spider-tables.js';
import { memoize } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { createTablesOf, openPublishableRun } from '../../publish/run-rows.js';
import { createRng, pick } from '../../seeded-rng.js';

/** A question on another world of its schema. */
export interface Variant {
  /** The id that predictions for it are sent with. */
  readonly id: string;
  readonly db_id: string;
  /** The kind of change: `RPL`, `CRn+TRm`. */
  readonly kind: string;
  readonly question: string;
  /** The gold on that schema. */
  readonly query: string;
  /** The tables as CREATE TABLE statements. */
  readonly schema: string;
}

type KeptRow = Omit<Variant, 'schema'>;

/**
 * The variants of a run of `augment`, `compose` or `mutate` that have a gold query, by the example that they were made
 * of.
 */
class RewardVariants {
  readonly #run: string;
  readonly #byId = new Map<string, KeptRow>();
  readonly #bySource = new Map<string, KeptRow[]>();
  readonly #own = new Set<string>();
  readonly #schemas: ReadonlyMap<string, Database>;
  readonly #createTables: (dbId: string) => string;

  /** @throws RunFolderError or InputFormatError where the folder holds no finished run of data */
  constructor(run: string) {
    this.#run = run;
    this.#schemas = loadSpiderTables(join(run, 'tables.json'));
    this.#createTables = createTablesOf(run, this.#schemas);
    for (const { row } of openPublishableRun(run).rows()) {
      const { id, source_id, db_id, original_db_id, kind, question, query } = row;
      if (query === null) continue;
      const kept = { id, db_id, kind, question, query };
      this.#byId.set(id, kept);
      if (db_id !== original_db_id) this.#own.add(db_id);
      if (kind === 'original') continue;
      getOrMake(this.#bySource, source_id, () => []).push(kept);
    }
  }

  /**
   * One of an example's variants; the same seed and id give the same one.
   * @throws InputFormatError where the run has none of it
   */
  draw(id: string, seed: number): Variant {
    const variants = this.#bySource.get(id);
    if (variants !== undefined) {
      const drawn = pick(variants, createRng(seed, id));
      return { ...drawn, schema: this.#createTables(drawn.db_id) };
    }
    const [first = ''] = this.#bySource.keys();
    throw new InputFormatError(`there is no variant of "${id}"`, {
      where: { file: this.#run },
      fix: `Ask for one of an example that the run has variants of, such as "${first}", or train on the example itself.`,
    });
  }

  /** The gold of a variant, or of an example as it was; null where the run has neither. */
  goldOf(id: string): KnownGold | null {
    const row = this.#byId.get(id);
    return row === undefined ? null : { dbId: row.db_id, sql: row.query };
  }

  /** Checks whether a database is one that the run made. */
  isOwn(dbId: string): boolean {
    return this.#own.has(dbId);
  }

  /** The schema of one of the run's databases; null where it has none of that id. */
  schemaOf(dbId: string): Database | null {
    return this.#schemas.get(dbId) ?? null;
  }

  /** The SQLite file of one of the run's databases. @throws InputFormatError where the run holds no rows */
  fileOf(dbId: string): string {
    const file = sqlitePath(join(this.#run, 'database'), dbId);
    if (existsSync(file)) return file;
    throw new InputFormatError(`the run holds no rows of "${dbId}"`, {
      where: { file: this.#run },
      fix: 'Make it with --databases, and `mutate` with --materialize too; or count parts that need no rows.',
    });
  }
}

/** A gold query by the id of its example. */
interface KnownGold {
  readonly dbId: string;
  readonly sql: string;
}

/** The inputs that rewards are judged on. */
export interface RewardInputs {
  readonly dialect: SqlDialect;
  /** Null where none are given. */
  readonly variants: RewardVariants | null;
  /** @throws InputFormatError when there is no such database */
  schemaOf(dbId: string): Database;
  /** @throws InputFormatError when there is no such example */
  goldOf(id: string): KnownGold;
  /** The SQLite file of a database. @throws InputFormatError when it is not there */
  fileOf(dbId: string): string;
}

function unknownDatabase(dbId: string, place: string | null): InputFormatError {
  return new InputFormatError(`there is no database "${dbId}"`, {
    where: { ...(place !== null && { file: place }), id: dbId },
    fix: 'Name a db_id of --tables, of the data set, or of a file <db_id>/<db_id>.sqlite below --databases.',
  });
}

function existing(file: string, dbId: string): string {
  if (existsSync(file)) return file;
  throw unknownDatabase(dbId, file);
}

function unknownExample(id: string): never {
  throw new InputFormatError(`the run has no example and no variant "${id}"`, {
    where: { id },
    fix: 'Send the id of an example that the run was made of, or of a variant that was asked for.',
  });
}

function withoutExamples(): never {
  throw new InputFormatError('a gold query is asked for by id, and no examples are given', {
    fix: 'Give --examples, or put db_id and gold into the request.',
  });
}

/** Schemas in Spider's form, each read when it is first asked for. */
function schemasOfTables(file: string): (dbId: string) => Database {
  const records = new Map(
    loadJsonArray(file, 'databases').map((record) => [(record as { readonly db_id?: unknown } | null)?.db_id, record]),
  );
  return (dbId) => {
    const schema = parseSpiderTables(records.has(dbId) ? [records.get(dbId)] : [], file).get(dbId);
    if (schema === undefined) throw unknownDatabase(dbId, file);
    return schema;
  };
}

/** The inputs from a data set, or a folder. */
type BaseInputs = Omit<RewardInputs, 'variants'>;

function openFolders({ tables, databases }: DatasetPaths): BaseInputs {
  const fileOf = (dbId: string): string => {
    // A request must not lead out of the folder.
    if (databases === null || /[/\\]/.test(dbId)) throw unknownDatabase(dbId, databases);
    return existing(sqlitePath(databases, dbId), dbId);
  };
  const readSchema = (dbId: string): Database =>
    readUntouched(fileOf(dbId), (sqlite) => readSqliteSchema(sqlite, dbId));
  const schemaOf = tables === null ? readSchema : schemasOfTables(tables);
  return { dialect: SQLITE, schemaOf: memoize(schemaOf), goldOf: withoutExamples, fileOf };
}

async function openDataset(paths: DatasetPaths, scratch: string): Promise<BaseInputs> {
  const { examples, tables, databases } = paths;
  const dataset = await loadDataset(paths);
  const goldQueries = new Map([...dataset.examples()].map(({ id, dbId, query }) => [id, { dbId, sql: query }]));
  return {
    dialect: dataset.dialect,
    schemaOf: (dbId) => {
      const schema = dataset.databases.get(dbId);
      if (schema === undefined) throw unknownDatabase(dbId, tables);
      return schema;
    },
    goldOf: (id) => {
      const gold = goldQueries.get(id);
      if (gold !== undefined) return gold;
      const first = goldQueries.keys().next().value ?? '';
      throw new InputFormatError(`there is no example "${id}"`, {
        where: { file: examples ?? '', id },
        fix: `Name an id of the data set, such as "${first}".`,
      });
    },
    fileOf: memoize((dbId: string) =>
      existing(dataset.sqliteFile(dbId, scratch) ?? sqlitePath(databases ?? '', dbId), dbId),
    ),
  };
}

/** A run's variants next to what is there without them; of the rest, the run has the examples that it was made of. */
function withVariants(base: BaseInputs | null, variants: RewardVariants): RewardInputs {
  const isOfRun = (dbId: string): boolean => base === null || variants.isOwn(dbId);
  return {
    dialect: base?.dialect ?? SQLITE,
    variants,
    schemaOf: (dbId) => {
      const schema = isOfRun(dbId) ? variants.schemaOf(dbId) : base?.schemaOf(dbId);
      if (schema == null) throw unknownDatabase(dbId, null);
      return schema;
    },
    goldOf: (id) => variants.goldOf(id) ?? (base?.goldOf ?? unknownExample)(id),
    fileOf: (dbId) => (isOfRun(dbId) ? variants.fileOf(dbId) : (base?.fileOf(dbId) ?? '')),
  };
}

/**
 * Opens what is needed to judge predictions: a data set, whose gold queries are then known by id, or else tables in
 * Spider's form or a folder of databases; and, or instead, a run with variants. Databases that the data set holds
 * otherwise are written into `scratch`.
 * @throws ConfigError where nothing is named; as `loadDataset` and `RewardVariants`
 */
export async function openRewardInputs(
  paths: DatasetPaths,
  run: string | null,
  scratch: string,
): Promise<RewardInputs> {
  const { examples, tables, databases } = paths;
  const isGiven = examples !== null || tables !== null || databases !== null;
  const given = examples === null ? openFolders : openDataset;
  const base = isGiven ? await given(paths, scratch) : null;
  if (run !== null) return withVariants(base, new RewardVariants(run));
  if (base !== null) return { ...base, variants: null };
  throw new ConfigError('no databases are given', { fix: 'Give --databases, --tables, a data set, or --variants.' });
}

import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { databaseOf, type Dataset } from '../../formats/dataset.js';
import { makeFolder } from '../../run/output-place.js';
import type { RunHost } from '../../run/run-host.js';
import { materializeCopy } from './copy/materialize-copy.js';
import { materializeSchema } from './materialize-schema.js';
import {
  type ContentTable,
  contentTables,
  isSystemTable,
  isUntouched,
  type MutatedSchema,
  tablesRead,
} from './mutated-schema.js';
import {
  databasePath,
  scriptPath,
  type UnwrittenDatabase,
  writeOrName,
  writeVariants,
  type WrittenVariant,
} from './write-variants.js';
import { InputFormatError } from '../../errors.js';
import { columnAt, columnKey, type ColumnRef, type Database, placedColumn } from '../../schema/schema.js';
import { quoteIdentifier, type SqlDialect } from '../../sql/dialect.js';
import { VERSION } from '../../version.js';
import { inDialect } from './server-sql.js';

/** Types that a computed column of a view is cast to, so that it compares as a column of that type. */
const CAST_TYPES: ReadonlySet<string> = new Set(['TEXT', 'INTEGER', 'REAL']);

/** How a server begins a script whose identifiers are in double quotes. */
const MYSQL_QUOTES = "SET SESSION sql_mode = concat(@@sql_mode, ',ANSI_QUOTES');";

const q = (name: string): string => quoteIdentifier(name);

/** A script for a schema that a relation made from one database. */
interface ScriptRequest {
  /** The data set's own schema that the rows come from. */
  readonly origin: Database;
  readonly mutated: MutatedSchema;
  readonly dialect: SqlDialect;
}

/** The tables of a schema with their queries. @throws InputFormatError where values would have to be made */
function tablesOf({ mutated }: ScriptRequest): readonly ContentTable[] {
  const tables = contentTables(mutated);
  const made = tables.find(({ content: { made: names = [] } }) => names.length > 0);
  if (made === undefined) return tables;
  throw new InputFormatError(
    `the values of a new column of ${made.table.originalName} are made as its database is written`,
    {
      where: { id: mutated.schema.id },
      fix: 'Use --materialize copy for relations that insert columns.',
    },
  );
}

/** The origin's tables under their own names, wherever views of these names come before them. */
function withOriginals(select: string, origin: Database): string {
  const read = tablesRead({ select }, origin);
  if (read.length === 0) return select;
  const parts = read.map(({ originalName }) => `${q(originalName)} AS (SELECT * FROM main.${q(originalName)})`);
  return `WITH ${parts.join(', ')} ${select}`;
}

/** A query whose computed columns have the affinity of the types that they are declared as. */
function withTypes({ table: { columns }, content: { select, types = {} } }: ContentTable): string {
  const list = columns.map(({ originalName: name }) => {
    const type = types[name]?.toUpperCase() ?? '';
    return CAST_TYPES.has(type) ? `CAST(${q(name)} AS ${type}) AS ${q(name)}` : q(name);
  });
  return Object.keys(types).length === 0 ? select : `SELECT ${list.join(', ')} FROM (${select}) AS typed`;
}

/** Views of all tables: TEMP views in SQLite, in a schema (MySQL: a database) called after the schema's id elsewhere. */
function renderViews(request: ScriptRequest): readonly string[] {
  const { origin, mutated, dialect } = request;
  const tables = tablesOf(request);
  if (dialect.name === 'sqlite') {
    return tables.map((one) => {
      return `CREATE TEMP VIEW ${q(one.table.originalName)} AS ${withOriginals(withTypes(one), origin)};`;
    });
  }
  const home = q(mutated.schema.id);
  return [
    ...(dialect.name === 'mysql' ? [MYSQL_QUOTES, `CREATE DATABASE ${home};`] : [`CREATE SCHEMA ${home};`]),
    ...tables.map(({ table, content }) => {
      return `CREATE VIEW ${home}.${q(table.originalName)} AS ${inDialect(content.select, dialect)};`;
    }),
  ];
}

/** Keys of the changed tables, and foreign keys that have one of them at an end; SQLite adds none to a table. */
function renderKeys({ mutated: { schema } }: ScriptRequest, changed: readonly ContentTable[]): readonly string[] {
  const columnsOf = (...refs: readonly ColumnRef[]): string =>
    `(${refs.map((ref) => q(columnAt(schema, ref).originalName)).join(', ')})`;
  const primary = changed.flatMap(({ t, table }) => {
    const own = schema.primaryKeys.filter((ref) => ref.table === t);
    return own.length === 0 ? [] : [`ALTER TABLE ${q(table.originalName)} ADD PRIMARY KEY ${columnsOf(...own)};`];
  });
  const places = new Set(changed.map(({ t }) => t));
  const keys = new Set(schema.primaryKeys.map(columnKey));
  const foreign = schema.foreignKeys.flatMap(({ from, to }) => {
    // What is referred to must be a key of its own.
    const isSole = keys.has(columnKey(to)) && schema.primaryKeys.filter(({ table }) => table === to.table).length === 1;
    if (!isSole || (!places.has(from.table) && !places.has(to.table))) return [];
    const [child, parent] = [from, to].map((ref) => q(placedColumn(schema, ref).table.originalName));
    return [`ALTER TABLE ${child} ADD FOREIGN KEY ${columnsOf(from)} REFERENCES ${parent} ${columnsOf(to)};`];
  });
  return [...primary, ...foreign];
}

/** Statements that change a database in place: new tables are filled, old ones go, new ones get their names. */
function renderMigration(request: ScriptRequest): readonly string[] {
  const { origin, dialect } = request;
  const tables = tablesOf(request);
  const views = new Set(origin.tables.flatMap(({ originalName, isView }) => (isView === true ? [originalName] : [])));
  const altered = tables.filter((table) => !isUntouched(origin, table.table.originalName, table.content));
  const names = new Set(tables.map(({ table }) => table.originalName));
  const isSame =
    altered.length === 0 && origin.tables.every((table) => isSystemTable(table) || names.has(table.originalName));
  // A view may read what is altered or gone: its rows, as they are, go into a table.
  const changed = isSame
    ? []
    : tables.filter((table) => altered.includes(table) || views.has(table.table.originalName));
  const kept = new Set(tables.filter((table) => !changed.includes(table)).map(({ table }) => table.originalName));
  const gone = origin.tables.filter((table) => !kept.has(table.originalName) && !isSystemTable(table));
  const goneViews = gone.filter(({ originalName }) => views.has(originalName));
  const goneTables = gone.filter((table) => !goneViews.includes(table));
  const place = ({ t }: ContentTable): string => q(`perturbql_new_${t}`);
  const cascade = dialect.name === 'postgresql' ? ' CASCADE' : '';
  const body = [
    ...changed.map((table) => `CREATE TABLE ${place(table)} AS ${inDialect(table.content.select, dialect)};`),
    // Some servers drop a view with another that it reads.
    ...goneViews.map(({ originalName }) => `DROP VIEW IF EXISTS ${q(originalName)}${cascade};`),
    ...goneTables.map(({ originalName }) => `DROP TABLE ${q(originalName)}${cascade};`),
    ...changed.map((table) => `ALTER TABLE ${place(table)} RENAME TO ${q(table.table.originalName)};`),
    ...(dialect.name === 'sqlite' ? [] : renderKeys(request, changed)),
  ];
  if (dialect.name === 'mysql') {
    return [MYSQL_QUOTES, 'SET FOREIGN_KEY_CHECKS = 0;', ...body, 'SET FOREIGN_KEY_CHECKS = 1;'];
  }
  const before = dialect.name === 'sqlite' ? ['PRAGMA foreign_keys = OFF;'] : [];
  return [...before, 'BEGIN;', ...body, 'COMMIT;'];
}

/**
 * A schema that a relation made as a SQL script, a statement a line, to be played on its original: as views next to the
 * tables, or as a migration of them. In the dialect of the data set.
 * @throws InputFormatError where a relation leaves values to be made
 */
export function renderMutantScript(request: ScriptRequest, mode: 'views' | 'migrations'): string {
  const { schema, origin } = request.mutated;
  const title = `-- perturbql ${VERSION}: ${schema.id} as ${mode === 'views' ? 'views over' : 'a migration of'} ${origin}`;
  const statements = mode === 'views' ? renderViews(request) : renderMigration(request);
  return [title, ...statements, ''].join('\n');
}

export interface MutantDatabasesRequest {
  readonly dataset: Dataset;
  /** Ids of the data set's own databases that mutants are asked of or made from. */
  readonly origins: readonly string[];
  /** Mutated schemas, each once. */
  readonly schemas: readonly MutatedSchema[];
  /** Folder of the run; databases go below `database/`, in Spider's layout. */
  readonly out: string;
}

/**
 * Writes the databases of mutated schemas next to copies of those that they were made from, as `writeVariants`.
 * @throws InputFormatError when an original can't be read
 */
export function writeMutantDatabases(request: MutantDatabasesRequest, host: RunHost): readonly UnwrittenDatabase[] {
  const { dataset, origins, schemas, out } = request;
  const variantOf = (id: string, origin: string, write: WrittenVariant['write']): WrittenVariant => {
    return { id, origin, file: databasePath(out, id), write };
  };
  const originals = origins.map((id) =>
    variantOf(id, id, ({ file }, target) => materializeCopy(file, target, { renames: [], additions: [] })),
  );
  const mutants = schemas.map((mutated) => {
    const database = databaseOf(dataset, mutated.origin);
    return variantOf(mutated.schema.id, mutated.origin, ({ file }, target) =>
      materializeSchema(file, target, database, mutated),
    );
  });
  return writeVariants(request, [...originals, ...mutants], host);
}

/** Writes a script for each mutated schema, in the data set's dialect; one that can't be said so is named. */
export function writeMutantScripts(
  { dataset, schemas, out }: MutantDatabasesRequest,
  mode: 'views' | 'migrations',
): readonly UnwrittenDatabase[] {
  return schemas.flatMap((mutated) =>
    writeOrName(mutated.schema.id, () => {
      const origin = databaseOf(dataset, mutated.origin);
      const file = scriptPath(out, mutated.schema.id);
      makeFolder(dirname(file));
      writeFileSync(file, renderMutantScript({ origin, mutated, dialect: dataset.dialect }, mode));
    }),
  );
}

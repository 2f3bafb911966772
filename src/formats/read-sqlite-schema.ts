import type Sqlite from 'better-sqlite3';
import { naturalName } from '../schema/natural-name.js';
import type { Column, ColumnRef, ColumnType, Database, ForeignKey, Table } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** Position in the primary key, from 1; 0 = not in it. */
  readonly pk: number;
  /** 1 = hidden, of virtual tables. */
  readonly hidden: number;
}

interface ForeignKeyInfo {
  readonly id: number;
  readonly seq: number;
  readonly table: string;
  readonly from: string;
  /** Null: the parent's primary key. */
  readonly to: string | null;
}

// What Spider's own tables.json calls the declared types of its 166 databases; first match wins.
const TYPES: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/date|time|year/i, 'time'],
  [/bool/i, 'boolean'],
  [/int|real|floa|doub|dec|num|fixed|money|serial/i, 'number'],
  [/char|text|clob|string|enum|uuid|json|^$/i, 'text'],
];

/** Spider's type for a declared type of SQLite: `VARCHAR(20)` → text; a column without a type counts as text. */
export function spiderType(declaredType: string): ColumnType {
  return TYPES.find(([pattern]) => pattern.test(declaredType))?.[1] ?? 'others';
}

function pragmaRows<T>(sqlite: Sqlite.Database, pragma: string, table: string): T[] {
  return sqlite.pragma(`main.${pragma}("${table.replaceAll('"', '""')}")`) as T[];
}

/** Names of the file's own tables in the order of their creation; no views, virtual tables or tables of SQLite's. */
function tableNames(sqlite: Sqlite.Database): string[] {
  const listed = sqlite.pragma('main.table_list') as { readonly name: string; readonly type: string }[];
  const tables = new Set(listed.filter(({ type }) => type === 'table').map(({ name }) => name));
  const created = sqlite.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY rowid").pluck();
  return (created.all() as string[]).filter((name) => tables.has(name) && !/^sqlite_/i.test(name));
}

const natural = (name: string): string => naturalName(name) || name.toLowerCase();

function toColumn({ name, type }: ColumnInfo): Column {
  return { name: natural(name), originalName: name, type: spiderType(type) };
}

/** Positions of a table's primary key, in the key's order. */
function keyOf(columns: readonly ColumnInfo[]): number[] {
  const keyed = columns.flatMap(({ pk }, column) => (pk > 0 ? [{ pk, column }] : []));
  return keyed.sort((a, b) => a.pk - b.pk).map(({ column }) => column);
}

function columnNamed(columns: readonly ColumnInfo[] | undefined, name: string): number {
  return columns?.findIndex((column) => foldName(column.name) === foldName(name)) ?? -1;
}

/** Foreign keys whose two ends exist, in the order of their declaration; composite ones as pairs of columns. */
function foreignKeys(
  sqlite: Sqlite.Database,
  names: readonly string[],
  tables: readonly (readonly ColumnInfo[])[],
): ForeignKey[] {
  return names.flatMap((name, table) => {
    const rows = pragmaRows<ForeignKeyInfo>(sqlite, 'foreign_key_list', name);
    return rows
      .sort((a, b) => b.id - a.id || a.seq - b.seq)
      .flatMap(({ table: parent, seq, from, to }) => {
        const target = names.findIndex((other) => foldName(other) === foldName(parent));
        const columns = tables[target] ?? [];
        const ends: [ColumnRef, ColumnRef] = [
          { table, column: columnNamed(tables[table], from) },
          { table: target, column: to === null ? (keyOf(columns)[seq] ?? -1) : columnNamed(columns, to) },
        ];
        return ends.some(({ column }) => column < 0) ? [] : [{ from: ends[0], to: ends[1] }];
      });
  });
}

/**
 * Reads the schema of an open SQLite database: its tables with their columns, types, primary and foreign keys. Natural
 * names are made from the identifiers. Views and virtual tables are left out: their columns can't be perturbed.
 */
export function readSqliteSchema(sqlite: Sqlite.Database, id: string): Database {
  const names = tableNames(sqlite);
  const infos = names.map((name) =>
    pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', name).filter(({ hidden }) => hidden !== 1),
  );
  const tables = names.map((name, t): Table => {
    return { name: natural(name), originalName: name, columns: infos[t]!.map(toColumn) };
  });
  return {
    id,
    tables,
    primaryKeys: infos.flatMap((columns, table) => keyOf(columns).map((column) => ({ table, column }))),
    foreignKeys: foreignKeys(sqlite, names, infos),
  };
}

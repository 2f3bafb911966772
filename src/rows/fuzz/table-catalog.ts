import type Sqlite from 'better-sqlite3';
import type { ColumnType, Database } from '../../schema/schema.js';
import { affinityOf, type Affinity } from '../../sql/affinity.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import {
  boundedCell,
  type ColumnInfo,
  columnsOf,
  foreignKeysOf,
  indexesOf,
  keyPositions,
  listTables,
  tableNames,
} from '../../sql/execution/table-pragmas.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** Rows that are read of a table that has some. */
const READ_ROWS = 1000;

export interface CatalogColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly declaredType: string;
  readonly affinity: Affinity;
  readonly notNull: boolean;
  /** Generated columns can't be written. */
  readonly generated: boolean;
}

/** A foreign key by positions; self-references point at their own table. */
export interface CatalogKey {
  readonly columns: readonly number[];
  readonly parent: number;
  readonly parentColumns: readonly number[];
}

export interface CatalogTable {
  readonly name: string;
  readonly strict: boolean;
  readonly columns: readonly CatalogColumn[];
  /** Column positions of the primary key, in its order. */
  readonly primaryKey: readonly number[];
  /** Column positions of the primary key and of each unique index. */
  readonly uniques: readonly (readonly number[])[];
  readonly foreignKeys: readonly CatalogKey[];
  /** Its first rows, NULL for cells of more than 64 KiB; a table without any is to be filled. */
  readonly rows: readonly (readonly SqlValue[])[];
}

/** The tables of a database file, in the order of their creation. */
export class Catalog {
  readonly tables: readonly CatalogTable[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database, database: Database) {
    this.#sqlite = sqlite;
    const names = tableNames(sqlite);
    const strict = new Set(listTables(sqlite).flatMap((table) => (table.strict === 1 ? [table.name] : [])));
    this.#positions = new Map(names.map((name, position) => [foldName(name), position]));
    this.tables = names.map((name) => this.#read(name, strict.has(name), database));
  }

  /** Position of a table by its name, or -1. */
  find(name: string): number {
    return this.#positions.get(foldName(name)) ?? -1;
  }

  #read(name: string, strict: boolean, database: Database): CatalogTable {
    const infos = columnsOf(this.#sqlite, name);
    const known = database.tables.find(({ originalName }) => foldName(originalName) === foldName(name));
    const columns = infos.map((info): CatalogColumn => {
      const column = known?.columns.find(({ originalName }) => foldName(originalName) === foldName(info.name));
      const affinity = affinityOf(info.type);
      return {
        name: info.name,
        type: column?.type ?? (affinity === 'TEXT' || affinity === 'BLOB' ? 'text' : 'number'),
        declaredType: info.type,
        affinity,
        notNull: info.notnull === 1,
        generated: info.hidden > 1,
      };
    });
    const cells = infos.map((info) => boundedCell(quoteIdentifier(info.name))).join(', ');
    const rows = this.#sqlite
      .prepare(`SELECT ${cells} FROM ${quoteIdentifier(name)} LIMIT ${READ_ROWS}`)
      .raw()
      .safeIntegers()
      .all();
    const foreignKeys = this.#foreignKeys(name, infos);
    const [primaryKey, uniques] = [keyPositions(infos), this.#uniques(name, infos)];
    return { name, strict, columns, primaryKey, uniques, foreignKeys, rows: rows as SqlValue[][] };
  }

  #uniques(table: string, infos: readonly ColumnInfo[]): number[][] {
    const indexes = indexesOf(this.#sqlite, table).filter(({ unique }) => unique === 1);
    const others = indexes.map(({ terms }) => terms.map(({ cid }) => cid));
    const columns = [keyPositions(infos), ...others];
    const named = columns.filter((positions) => positions.length > 0 && positions.every((cid) => cid >= 0));
    return [...new Map(named.map((positions) => [[...positions].sort().join(), positions])).values()];
  }

  #foreignKeys(table: string, infos: readonly ColumnInfo[]): CatalogKey[] {
    return foreignKeysOf(this.#sqlite, table).flatMap((key) => {
      const parent = this.find(key.parent);
      if (parent < 0) return [];
      const theirs = columnsOf(this.#sqlite, key.parent);
      const position = (columns: readonly ColumnInfo[], name: string | null): number =>
        name === null ? -1 : columns.findIndex((column) => foldName(column.name) === foldName(name));
      const columns = key.columns.map(({ from }) => position(infos, from));
      const parentColumns = key.columns.map(({ to }) => position(theirs, to));
      return [...columns, ...parentColumns].includes(-1) ? [] : [{ columns, parent, parentColumns }];
    });
  }
}

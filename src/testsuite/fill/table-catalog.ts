import type Sqlite from 'better-sqlite3';
import type { ColumnType, Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { SqlValue } from '../../perturb/database/database-change.js';
import { affinityOf, type Affinity } from '../../perturb/database/copy/declared-type.js';
import { quoteName } from '../../perturb/database/views/viewed-table.js';

/** Rows that are read of a table that has some. */
const READ_ROWS = 1000;

export interface CatalogColumn {
  readonly name: string;
  /** Natural words, of the data set's schema. */
  readonly words: string;
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
  /** Column positions of the primary key and of each unique index. */
  readonly uniques: readonly (readonly number[])[];
  readonly foreignKeys: readonly CatalogKey[];
  /** Its first rows; a table without any is to be filled. */
  readonly rows: readonly (readonly SqlValue[])[];
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}

interface KeyInfo {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
}

/** The tables of a database file, in the order of their creation. */
export class Catalog {
  readonly tables: readonly CatalogTable[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database, database: Database | null) {
    this.#sqlite = sqlite;
    const names = sqlite
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`)
      .pluck()
      .all() as string[];
    this.#positions = new Map(names.map((name, position) => [foldName(name), position]));
    this.tables = names.map((name) => this.#read(name, database));
  }

  /** Position of a table by its name, or -1. */
  find(name: string): number {
    return this.#positions.get(foldName(name)) ?? -1;
  }

  #pragma(name: string, argument: string): unknown[] {
    return this.#sqlite.pragma(`${name}(${quoteName(argument)})`) as unknown[];
  }

  #read(name: string, database: Database | null): CatalogTable {
    const infos = (this.#pragma('table_xinfo', name) as ColumnInfo[]).filter(({ hidden }) => hidden !== 1);
    const lists = this.#sqlite.pragma('table_list') as { name: string; strict: number }[];
    const strict = lists.find((list) => list.name === name)?.strict === 1;
    const known = database?.tables.find(({ originalName }) => foldName(originalName) === foldName(name));
    const columns = infos.map((info): CatalogColumn => {
      const column = known?.columns.find(({ originalName }) => foldName(originalName) === foldName(info.name));
      const affinity = affinityOf(info.type);
      return {
        name: info.name,
        words: column?.name ?? info.name.replaceAll('_', ' ').toLowerCase(),
        type: column?.type ?? (affinity === 'TEXT' || affinity === 'BLOB' ? 'text' : 'number'),
        declaredType: info.type,
        affinity,
        notNull: info.notnull === 1,
        generated: info.hidden > 1,
      };
    });
    const rows = this.#sqlite
      .prepare(`SELECT * FROM ${quoteName(name)} LIMIT ${READ_ROWS}`)
      .raw()
      .safeIntegers()
      .all();
    const foreignKeys = this.#foreignKeys(name, infos);
    return { name, strict, columns, uniques: this.#uniques(name, infos), foreignKeys, rows: rows as SqlValue[][] };
  }

  #uniques(table: string, infos: readonly ColumnInfo[]): number[][] {
    const key = infos.filter(({ pk }) => pk > 0).map(({ name }) => infos.findIndex((info) => info.name === name));
    const indexes = this.#pragma('index_list', table) as { name: string; unique: number }[];
    const others = indexes
      .filter(({ unique }) => unique === 1)
      .map(({ name }) => (this.#pragma('index_info', name) as { cid: number }[]).map(({ cid }) => cid));
    const columns = [key, ...others].filter((positions) => positions.length > 0 && positions.every((cid) => cid >= 0));
    return [...new Map(columns.map((positions) => [[...positions].sort().join(), positions])).values()];
  }

  #foreignKeys(table: string, infos: readonly ColumnInfo[]): CatalogKey[] {
    const parts = this.#pragma('foreign_key_list', table) as KeyInfo[];
    const ids = [...new Set(parts.map(({ id }) => id))].sort((a, b) => b - a);
    return ids.flatMap((id) => {
      const own = parts.filter((part) => part.id === id);
      const parent = this.find(own[0]!.table);
      if (parent < 0) return [];
      const theirs = this.#pragma('table_xinfo', own[0]!.table) as ColumnInfo[];
      const keyed = theirs.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      const position = (columns: readonly ColumnInfo[], name: string): number =>
        columns.findIndex((column) => foldName(column.name) === foldName(name));
      const columns = own.map(({ from }) => position(infos, from));
      const parentColumns = own.map(({ to }, part) => position(theirs, to ?? keyed[part]?.name ?? ''));
      return [...columns, ...parentColumns].includes(-1) ? [] : [{ columns, parent, parentColumns }];
    });
  }
}

/** A value of SQLite as `node:sqlite` takes and gives it, integers read as bigint. */
export type NativeValue = null | number | bigint | string | Uint8Array;

/** A statement of `node:sqlite`, as far as it is used. https://nodejs.org/api/sqlite.html */
export interface NativeStatement {
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
  run(...values: unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: unknown[]): NativeValue[] | undefined;
  all(...values: unknown[]): NativeValue[][];
  iterate(...values: unknown[]): IterableIterator<NativeValue[]>;
  columns(): readonly NativeColumn[];
}

/** A column of a statement's results. */
export interface NativeColumn {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly database: string | null;
  readonly type: string | null;
}

/** A database of `node:sqlite`, as far as it is used. */
export interface NativeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NativeStatement;
  exec(sql: string): void;
  function(
    name: string,
    options: { readonly varargs?: boolean; readonly deterministic?: boolean },
    run: (...values: never[]) => unknown,
  ): void;
  /** Missing where databases are never opened in SQLite's defensive mode. */
  enableDefensive?(on: boolean): void;
  close(): void;
}

/** `node:sqlite`, or a package with its interface. */
export interface NodeSqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly?: boolean }) => NativeDatabase;
  readonly StatementSync?: { readonly prototype: Partial<NativeStatement> };
}

import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../errors.js';
import { itemAt, mustGet } from '../../present.js';
import { columnKey } from '../../schema/schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { pragmaRows, type ColumnInfo } from '../../sql/execution/table-pragmas.js';
import type { ResolvedChange } from './resolved-change.js';
import type { SchemaCatalog, SchemaEntry } from './schema-catalog.js';
import { columnNamed, tableNamed } from '../../sql/schema-names.js';

interface IndexPart {
  readonly cid: number;
  readonly name: string | null;
  readonly desc: number;
  readonly coll: string;
  readonly key: number;
}

interface IndexInfo {
  readonly name: string;
  readonly unique: number;
  readonly origin: string;
  readonly partial: number;
}

interface ForeignKeyPart {
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
}

/** The columns of a table: name, the rest of what SQLite says of it. */
type Described = readonly (readonly [name: string | null, rest: string])[];

/** What SQLite itself says of a table. */
interface TableDescription {
  readonly columns: Described;
  readonly indexes: readonly (readonly [rest: string, parts: Described])[];
  readonly foreignKeys: readonly (readonly [from: string, table: string, to: string | null, rest: string])[];
}

function describe(sqlite: Sqlite.Database, table: string): TableDescription {
  const columns = pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', table);
  const indexes = pragmaRows<IndexInfo>(sqlite, 'index_list', table);
  const keys = pragmaRows<ForeignKeyPart>(sqlite, 'foreign_key_list', table);
  return {
    columns: columns.map(({ name, type, notnull, dflt_value, pk, hidden }) => {
      return [name, JSON.stringify([type, notnull, dflt_value, pk, hidden])];
    }),
    indexes: indexes.map(({ name, unique, origin, partial }) => {
      const parts = pragmaRows<IndexPart>(sqlite, 'index_xinfo', name).filter(({ key }) => key === 1);
      const described = parts.map((part): Described[number] => {
        return [part.name, JSON.stringify([Math.min(part.cid, 0), part.desc, part.coll])];
      });
      return [JSON.stringify([name, unique, origin, partial]), described];
    }),
    foreignKeys: keys.map(({ from, table: parent, to, ...rest }) => [from, parent, to, JSON.stringify(rest)]),
  };
}

/** What a description must have become. */
function changeDescription(
  catalog: SchemaCatalog,
  change: ResolvedChange,
  table: number,
  now: TableDescription,
): string {
  const rename = (of: number, name: string | null): string | null => {
    const column = name === null ? -1 : columnNamed(catalog.database, of, name);
    return change.schema.renames.get(columnKey({ table: of, column })) ?? name;
  };
  const described = (list: Described): Described => list.map(([name, rest]) => [rename(table, name), rest]);
  return JSON.stringify({
    columns: described(now.columns),
    indexes: now.indexes.map(([rest, parts]) => [rest, described(parts)]),
    foreignKeys: now.foreignKeys.map(([from, parent, to, rest]) => {
      return [rename(table, from), parent, rename(tableNamed(catalog.database, parent), to), rest];
    }),
  });
}

/** Whether the views and triggers of a file compile; the columns of views, by name. */
type Compiled = ReadonlyMap<string, string>;

function compiledStatements(sqlite: Sqlite.Database, entries: readonly SchemaEntry[]): [key: string, sql: string][] {
  const targets = new Set(entries.filter(({ type }) => type === 'trigger').map(({ tableName }) => tableName));
  const views = entries.filter(({ type }) => type === 'view');
  return [
    ...views.map(({ name }): [string, string] => [`view ${name}`, `SELECT * FROM main.${quoteIdentifier(name)}`]),
    ...[...targets].flatMap((name): [string, string][] => {
      const table = `main.${quoteIdentifier(name)}`;
      const set = settable(sqlite, name).map((column) => `${quoteIdentifier(column)} = ${quoteIdentifier(column)}`);
      return [
        [`triggers of INSERT ON ${name}`, `INSERT INTO ${table} DEFAULT VALUES`],
        [`triggers of DELETE ON ${name}`, `DELETE FROM ${table}`],
        [`triggers of UPDATE ON ${name}`, `UPDATE ${table} SET ${set.join(', ')}`],
      ];
    }),
  ];
}

function settable(sqlite: Sqlite.Database, table: string): string[] {
  try {
    const columns = pragmaRows<ColumnInfo>(sqlite, 'table_xinfo', table);
    return columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Compiles a statement without running it: its column names, or null with the reason in `failures`. */
function compile(sqlite: Sqlite.Database, sql: string): { readonly columns: string } | { readonly fault: string } {
  try {
    const statement = sqlite.prepare(sql);
    const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
    return { columns: JSON.stringify(columns) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** What SQLite says of a database before a change, to be held against what it says after it. */
export class SchemaCheck {
  readonly #sqlite: Sqlite.Database;
  readonly #catalog: SchemaCatalog;
  readonly #change: ResolvedChange;
  readonly #tables: readonly number[];
  readonly #before: ReadonlyMap<number, TableDescription>;
  readonly #compiled: Compiled;
  readonly #faults = new Map<string, string>();

  constructor(sqlite: Sqlite.Database, catalog: SchemaCatalog, change: ResolvedChange) {
    this.#sqlite = sqlite;
    this.#catalog = catalog;
    this.#change = change;
    this.#tables = [...catalog.tables.keys()].filter((index) => catalog.tables[index]?.kind === 'table');
    this.#before = new Map(this.#tables.map((index) => [index, this.#describe(index)]));
    this.#compiled = this.#compile();
  }

  #describe(index: number): TableDescription {
    return describe(this.#sqlite, this.#catalog.tables[index]?.name ?? '');
  }

  #compile(): Map<string, string> {
    const compiled = new Map<string, string>();
    for (const [key, sql] of compiledStatements(this.#sqlite, this.#catalog.entries)) {
      const result = compile(this.#sqlite, sql);
      if ('columns' in result) compiled.set(key, result.columns);
      else this.#faults.set(key, result.fault);
    }
    return compiled;
  }

  /**
   * Whether SQLite can't compile a view, or a trigger's event. A double-quoted string is no fault: only this
   * build of SQLite refuses it (SQLITE_DQS=0).
   */
  isBroken({ type, name, tableName }: SchemaEntry): boolean {
    const keys = type === 'view' ? [`view ${name}`] : this.#triggerKeys(tableName);
    const faults = keys.flatMap((key) => this.#faults.get(key) ?? []);
    return faults.some(
      (fault) => !fault.includes('single-quotes') && !/^cannot modify .* because it is a view$/.test(fault),
    );
  }

  #triggerKeys(table: string): string[] {
    return ['INSERT', 'DELETE', 'UPDATE'].map((event) => `triggers of ${event} ON ${table}`);
  }

  /** @throws InputFormatError when a table is not what the change makes of it, or a view or trigger no longer runs */
  verify(): void {
    for (const index of this.#tables) this.#verifyTable(index);
    const after = this.#compile();
    for (const [key, columns] of this.#compiled) {
      if (after.get(key) === columns) continue;
      throw new InputFormatError(`${key}: ${this.#faults.get(key) ?? 'other columns'} after the change`, {
        fix: 'Leave the column out of the perturbation, and report this database.',
      });
    }
  }

  #verifyTable(index: number): void {
    const { name } = itemAt(this.#catalog.tables, index);
    const after = this.#describe(index);
    const added = new Set((this.#change.additions.get(index) ?? []).map((addition) => addition.name));
    const kept = { ...after, columns: after.columns.filter(([column]) => !added.has(column ?? '')) };
    const wanted = changeDescription(
      this.#catalog,
      this.#change,
      index,
      mustGet(this.#before.get(index), 'before.get(index)'),
    );
    if (JSON.stringify(kept) === wanted && kept.columns.length + added.size === after.columns.length) return;
    throw new InputFormatError('the table would not be as it was after the change', {
      where: { id: name },
      fix: 'Leave its columns out of the perturbation, and report this database.',
    });
  }
}

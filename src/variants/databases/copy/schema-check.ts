import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { itemAt } from '../../../present.js';
import type { Database } from '../../../schema/schema.js';
import { type ColumnInfo, type ForeignKeyPart, indexesOf, pragmaRows } from '../../../sql/execution/table-pragmas.js';
import {
  type CatalogTable,
  type Compiled,
  compiledKeys,
  compileObjects,
  faultOf,
  type SchemaCatalog,
  type SchemaEntry,
} from './schema-catalog.js';
import type { ResolvedChange } from './resolved-change.js';
import { columnNamed, tableNamed } from '../../../sql/schema-names.js';

/** SQLite's own description of a table that is to be as a schema has it, its columns by their original names. */
function describe(sqlite: Sqlite.Database, table: string, schema: Database, original: Database): string {
  const nameOf = (of: string, column: string | null): string | null => {
    const t = tableNamed(schema, of);
    const c = column === null ? -1 : columnNamed(schema, t, column);
    return c < 0 ? column : (original.tables[t]?.columns[c]?.originalName ?? null);
  };
  const columns = pragmaRows<ColumnInfo & { readonly cid: number }>(sqlite, 'table_xinfo', table);
  const own = columns.map(({ cid: _, ...column }) => ({ ...column, name: nameOf(table, column.name) }));
  const keys = pragmaRows<ForeignKeyPart>(sqlite, 'foreign_key_list', table);
  return JSON.stringify([
    columns.length === schema.tables[tableNamed(schema, table)]?.columns.length,
    own.filter(({ name }) => name !== null),
    indexesOf(sqlite, table).map(({ terms, ...index }) => [
      index,
      terms.map(({ cid, name, ...term }) => [nameOf(table, name), Math.min(cid, 0), term.desc, term.coll]),
    ]),
    keys.map((key) => ({ ...key, from: nameOf(table, key.from), to: nameOf(key.table, key.to) })),
  ]);
}

/** SQLite's description of a database before a change, to be compared with that after it. */
export class SchemaCheck {
  readonly #sqlite: Sqlite.Database;
  readonly #catalog: SchemaCatalog;
  readonly #change: ResolvedChange;
  readonly #tables: readonly CatalogTable[];
  readonly #before: readonly string[];
  readonly #compiled: ReadonlyMap<string, Compiled>;

  constructor(sqlite: Sqlite.Database, catalog: SchemaCatalog, change: ResolvedChange) {
    this.#sqlite = sqlite;
    this.#catalog = catalog;
    this.#change = change;
    this.#tables = catalog.tables.filter(({ kind }) => kind === 'table');
    this.#before = this.#tables.map(({ name }) => this.#describe(name, catalog.database));
    this.#compiled = compileObjects(sqlite, catalog.entries);
  }

  /**
   * Checks whether SQLite can't compile a view, or a trigger's event. A double-quoted string is no fault: only this
   * build of SQLite refuses it (SQLITE_DQS=0).
   */
  isBroken(entry: SchemaEntry): boolean {
    return compiledKeys(entry).some((key) => {
      const fault = faultOf(this.#compiled.get(key));
      return (
        fault !== null && !fault.includes('single-quotes') && !/^cannot modify .* because it is a view$/.test(fault)
      );
    });
  }

  /** @throws InputFormatError when a table is not what the change makes of it, or a view or trigger no longer runs */
  verify(): void {
    this.#tables.forEach(({ name }, t) => this.#verifyTable(name, itemAt(this.#before, t)));
    const after = compileObjects(this.#sqlite, this.#catalog.entries);
    for (const [key, before] of this.#compiled) {
      if (faultOf(before) !== null || JSON.stringify(after.get(key)) === JSON.stringify(before)) continue;
      throw new InputFormatError(`${key}: ${faultOf(after.get(key)) ?? 'other columns'} after the change`, {
        fix: 'Leave the column out of the perturbation, and report this database.',
      });
    }
  }

  #describe(table: string, schema: Database): string {
    return describe(this.#sqlite, table, schema, this.#catalog.database);
  }

  #verifyTable(table: string, before: string): void {
    if (this.#describe(table, this.#change.changed) === before) return;
    throw new InputFormatError('the table would not be as it was after the change', {
      where: { id: table },
      fix: 'Leave its columns out of the perturbation, and report this database.',
    });
  }
}

import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { itemAt, mustGet } from '../../../present.js';
import { columnKey } from '../../../schema/schema.js';
import { pragmaRows, type ColumnInfo } from '../../../sql/execution/table-pragmas.js';
import { type Compiled, compiledKeys, compileObjects, faultOf } from './compiled-objects.js';
import type { ResolvedChange } from './resolved-change.js';
import type { SchemaCatalog, SchemaEntry } from './schema-catalog.js';
import { columnNamed, tableNamed } from '../../../sql/schema-names.js';

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

/** SQLite's own description of a table. */
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

/** Returns the description that the table must have after the change. */
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

/** SQLite's description of a database before a change, to be compared with that after it. */
export class SchemaCheck {
  readonly #sqlite: Sqlite.Database;
  readonly #catalog: SchemaCatalog;
  readonly #change: ResolvedChange;
  readonly #tables: readonly number[];
  readonly #before: ReadonlyMap<number, TableDescription>;
  readonly #compiled: ReadonlyMap<string, Compiled>;

  constructor(sqlite: Sqlite.Database, catalog: SchemaCatalog, change: ResolvedChange) {
    this.#sqlite = sqlite;
    this.#catalog = catalog;
    this.#change = change;
    this.#tables = [...catalog.tables.keys()].filter((index) => catalog.tables[index]?.kind === 'table');
    this.#before = new Map(this.#tables.map((index) => [index, this.#describe(index)]));
    this.#compiled = compileObjects(sqlite, catalog.entries);
  }

  #describe(index: number): TableDescription {
    return describe(this.#sqlite, this.#catalog.tables[index]?.name ?? '');
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
    for (const index of this.#tables) this.#verifyTable(index);
    const after = compileObjects(this.#sqlite, this.#catalog.entries);
    for (const [key, before] of this.#compiled) {
      if (faultOf(before) !== null || JSON.stringify(after.get(key)) === JSON.stringify(before)) continue;
      throw new InputFormatError(`${key}: ${faultOf(after.get(key)) ?? 'other columns'} after the change`, {
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

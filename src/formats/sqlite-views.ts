import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../errors.js';
import { asView } from '../schema/column-family.js';
import type { Column, Database, Table } from '../schema/schema.js';
import { viewColumns, readViewText } from '../sql/definitions/view-text.js';
import { foldName, quoteIdentifier } from '../sql/dialect.js';
import { columnsOf, type ColumnInfo } from '../sql/execution/table-pragmas.js';

interface StoredView {
  readonly name: string;
  readonly sql: string;
}

function storedViews(sqlite: Sqlite.Database): readonly StoredView[] {
  const views = "SELECT name, sql FROM main.sqlite_schema WHERE type = 'view' ORDER BY rowid";
  return sqlite.prepare(views).all() as StoredView[];
}

/** What SQLite says of a view's columns, or else why it can't. */
function listedColumns(sqlite: Sqlite.Database, view: string): readonly ColumnInfo[] | { readonly fault: string } {
  try {
    // The list that a view gives itself may be longer than what its query gives.
    sqlite.prepare(`SELECT * FROM main.${quoteIdentifier(view)}`);
    return columnsOf(sqlite, view);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The columns of a view by its own text; none where that can't be read, or names what is not known (yet). */
function columnsByText(sql: string, known: Database): readonly Pick<ColumnInfo, 'name' | 'type'>[] {
  try {
    return viewColumns(readViewText(sql), sql, known).map((name) => ({ name, type: '' }));
  } catch (error) {
    if (error instanceof SqlRewriteError) return [];
    throw error;
  }
}

const areDistinct = (names: readonly string[]): boolean => new Set(names.map(foldName)).size === names.length;

/**
 * The views of an open SQLite file as tables whose columns are fixed: a view follows the tables that it reads, and is
 * not perturbed itself. Views that read others come after these. A view whose columns nothing tells is left out.
 * `named` makes a table or column of an identifier and a declared type.
 */
export function readViews(
  sqlite: Sqlite.Database,
  schema: Database,
  named: { table(name: string): Omit<Table, 'columns'>; column(info: Pick<ColumnInfo, 'name' | 'type'>): Column },
): readonly Table[] {
  const found: Table[] = [];
  for (let waiting = storedViews(sqlite); waiting.length > 0;) {
    const known = { ...schema, tables: [...schema.tables, ...found] };
    const left = waiting.filter(({ name, sql }) => {
      const listed = listedColumns(sqlite, name);
      // Another build of SQLite takes a double-quoted string; what none takes can't be read.
      const isQuoted = 'fault' in listed && listed.fault.includes('single-quotes');
      const columns = 'fault' in listed ? (isQuoted ? columnsByText(sql, known) : []) : listed;
      if (columns.length === 0 || !areDistinct(columns.map((column) => column.name))) return true;
      found.push(asView({ ...named.table(name), columns: columns.map((column) => named.column(column)) }));
      return false;
    });
    if (left.length === waiting.length) break;
    waiting = left;
  }
  return found;
}

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import { sqlitePath } from '../sample-values.js';
import { buildSqliteFile, type SqliteCell } from '../sqlite-builder.js';
import { type WikiSqlCell, type WikiSqlTables, wikiSqlTableName } from './wikisql-tables.js';
import { itemAt, mustGet } from '../../present.js';

/** A cell as WikiSQL's `.db` holds it: texts in lower case, whole numbers as integers. */
function toStoredCell(cell: WikiSqlCell): SqliteCell {
  if (typeof cell === 'string') return cell.toLowerCase();
  return typeof cell === 'number' && Number.isSafeInteger(cell) ? BigInt(cell) : cell;
}

/** Path of a split's `.db`: the file itself, or `<stem>.db` in a folder. */
export function wikiSqlDbPath(path: string, stem: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, `${stem}.db`) : path;
}

const DB_FIX = 'Name the .db that belongs to these tables (--databases).';

interface OpenedDb {
  readonly sqlite: Sqlite.Database;
  readonly names: ReadonlySet<string>;
}

/** The stored rows of WikiSQL's tables: those of the `.db` or, of a table that it lacks or without one, the tables' own. */
export class WikiSqlRows {
  readonly #tables: WikiSqlTables;
  readonly #file: string | null;
  /** Opened once: SQLite reads the schema of all the tables each time, which takes a second. */
  #opened: OpenedDb | null = null;

  constructor(tables: WikiSqlTables, file: string | null) {
    [this.#tables, this.#file] = [tables, file];
  }

  /** @throws InputFormatError when the `.db` can't be read or has other columns */
  read(id: string): readonly (readonly SqliteCell[])[] {
    return this.#stored(id) ?? this.#tables.table(id).rows.map((row) => row.map(toStoredCell));
  }

  /** Builds the SQLite file of one table in a folder, once. @throws InputFormatError as `read` does */
  build({ id, tables }: Database, scratch: string): string {
    const file = sqlitePath(scratch, id);
    if (existsSync(file)) return file;
    const { originalName: name, columns } = itemAt(tables, 0);
    const declared = columns.map(({ originalName, type }) => ({
      name: originalName,
      declaration: type === 'number' ? 'REAL' : 'TEXT',
    }));
    buildSqliteFile(file, [{ name, columns: declared, rows: this.read(id) }]);
    return file;
  }

  #open(file: string): OpenedDb {
    if (this.#opened !== null) return this.#opened;
    const sqlite = openUntouched(file);
    const names = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    const opened = { sqlite, names: new Set(names) };
    if (![...this.#tables.databases.keys()].some((id) => opened.names.has(wikiSqlTableName(id)))) {
      throw new InputFormatError('the file has none of the tables', { where: { file }, fix: DB_FIX });
    }
    this.#opened = opened;
    return opened;
  }

  #stored(id: string): readonly (readonly SqliteCell[])[] | null {
    if (this.#file === null) return null;
    const width = itemAt(mustGet(this.#tables.databases.get(id), 'tables.databases.get(id)').tables, 0).columns.length;
    const name = wikiSqlTableName(id);
    const columns = Array.from({ length: width }, (_, c) => `"col${c}"`).join(', ');
    try {
      const { sqlite, names } = this.#open(this.#file);
      if (!names.has(name)) return null;
      const select = `SELECT ${columns} FROM ${quoteIdentifier(name)} ORDER BY rowid`;
      return sqlite.prepare(select).raw().safeIntegers().all() as SqliteCell[][];
    } catch (cause) {
      if (cause instanceof InputFormatError) throw cause;
      const where = { file: this.#file, id };
      const fault = 'the file does not hold this table as WikiSQL’s .db does';
      throw new InputFormatError(fault, { where, cause, fix: DB_FIX });
    }
  }
}

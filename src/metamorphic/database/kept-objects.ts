import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import { bindIndex } from '../../variants/copy/bind-table.js';
import type { ColumnRef, Database, Table } from '../../schema/schema.js';
import { cursorOver, readCreate, readObjectName } from '../../sql/definitions/create-text.js';
import { withOwnContent } from '../../sql/definitions/virtual-text.js';
import { foldName, quoteIdentifier, renderIdentifier, SQLITE } from '../../sql/dialect.js';
import { applyEdits, sortEdits, spacedEdit, type SqlEdit } from '../../sql/edits.js';
import { columnsOf } from '../../sql/execution/table-pragmas.js';
import { baseOf } from '../../sql/scope.js';

const SEQUENCES = 'sqlite_sequence';

interface StoredObject {
  readonly name: string;
  readonly sql: string;
}

/** Names of indexes that a query asks for, folded. */
function indexesNamedIn(query: string): readonly string[] {
  const names = query.matchAll(/\bINDEXED\s+BY\s+(?:"([^"]+)"|\[([^\]]+)\]|`([^`]+)`|'([^']+)'|(\w+))/giu);
  return [...names].map((match) => foldName(match.slice(1).find((name) => name !== undefined) ?? ''));
}

const q = (name: string): string => quoteIdentifier(name);

/**
 * What queries name of a database besides its tables and columns, and what a mutant therefore has, too: indexes by INDEXED
 * BY, virtual tables with their own copy of the rows, SQLite's table of sequences.
 */
export class KeptObjects {
  readonly #sqlite: Sqlite.Database;
  readonly #indexes: ReadonlySet<string>;
  readonly #virtual: readonly StoredObject[];
  readonly #hasSequences: boolean;

  /** `sqlite`: the origin as `main`. */
  constructor(sqlite: Sqlite.Database, queries: readonly string[]) {
    this.#sqlite = sqlite;
    this.#indexes = new Set(queries.flatMap(indexesNamedIn));
    const text = foldName(queries.join('\n'));
    const stored = sqlite.prepare("SELECT name, sql FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'");
    this.#virtual = (stored.all() as StoredObject[]).filter(({ name }) => text.includes(foldName(name)));
    const sequences = sqlite.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(SEQUENCES);
    this.#hasSequences = sequences !== undefined && text.includes(SEQUENCES);
  }

  /** Whether queries ask for an index by its name. */
  isNamed(index: string): boolean {
    return this.#indexes.has(foldName(index));
  }

  /** Whether a table of a mutant is a virtual one that stays as it is. */
  isVirtual({ originalName, columns }: Table): boolean {
    if (!this.#virtual.some(({ name }) => foldName(name) === foldName(originalName))) return false;
    const own = this.#columnsOf(originalName);
    return own.map(foldName).join('\0') === columns.map((column) => foldName(column.originalName)).join('\0');
  }

  /** Writes all but indexes into the attached file `mutant`, which has its other tables. */
  write(): void {
    const taken = this.#sqlite.prepare('SELECT 1 FROM mutant.sqlite_schema WHERE name = ? COLLATE NOCASE');
    for (const one of this.#virtual) if (taken.get(one.name) === undefined) this.#writeVirtual(one);
    if (!this.#hasSequences) return;
    // SQLite makes the table of sequences with the first table that asks for one.
    this.#sqlite.exec(`CREATE TABLE mutant.perturbql_sequence (id INTEGER PRIMARY KEY AUTOINCREMENT);
      DROP TABLE mutant.perturbql_sequence;
      INSERT INTO mutant.${SEQUENCES} SELECT * FROM main.${SEQUENCES}`);
  }

  #columnsOf(table: string): readonly string[] {
    return columnsOf(this.#sqlite, table).map(({ name }) => name);
  }

  #writeVirtual({ name, sql }: StoredObject): void {
    const definition = withOwnContent(sql);
    if (definition === null) return;
    const rowid = /^fts/iu.test(definition.module) ? ['rowid'] : [];
    const columns = [...rowid, ...this.#columnsOf(name).map(q)].join(', ');
    this.#sqlite.exec(`CREATE VIRTUAL TABLE mutant.${q(name)} USING ${definition.module}(${definition.args.join(', ')});
      INSERT INTO mutant.${q(name)} (${columns}) SELECT ${columns} FROM main.${q(name)}`);
  }
}

/**
 * A partial index, or one over expressions, of an origin's table for a table of a mutant, without UNIQUE; null where a
 * column that it names is not there. `nameOf`: what a column of the origin is called in the mutant.
 */
export function indexFor(
  sql: string,
  origin: Database,
  target: string,
  nameOf: (column: ColumnRef) => string | null,
): string | null {
  try {
    const bound = bindIndex(sql, origin);
    const named = bound.query.names.flatMap(({ token, found }) => {
      return found?.target.kind === 'column' ? [{ token, ref: baseOf(found.target.column) }] : [];
    });
    const edits = [...bound.columns, ...named].map(({ token, ref }): SqlEdit | null => {
      const name = ref === null ? null : nameOf(ref);
      if (name === null) return null;
      return spacedEdit(sql, token.span.start, token.span.end, renderIdentifier(name, SQLITE));
    });
    if (edits.includes(null)) return null;
    const cursor = cursorOver(sql);
    const index = readCreate(cursor, 'INDEX');
    cursor.expectWord('ON');
    readObjectName(cursor);
    const { start } = cursor.peek();
    const rest = sortEdits(edits.filter((edit) => edit !== null)).map((edit) => {
      return { ...edit, start: edit.start - start, end: edit.end - start };
    });
    return `CREATE INDEX mutant.${q(index.name)} ON ${q(target)} ${applyEdits(sql.slice(start), rest)}`;
  } catch (error) {
    if (error instanceof SqlRewriteError) return null;
    throw error;
  }
}

import SqliteDatabase from 'better-sqlite3';
import { columnAt, columnKey, type ColumnRef, type Database } from '../../src/schema/schema.js';
import { bindQuery } from '../../src/sql/binder.js';
import { foldName, quoteIdentifier } from '../../src/sql/dialect.js';
import { mentionedColumns, resolveColumns } from '../../src/sql/resolver.js';
import { renameColumns } from '../../src/sql/rename-columns.js';
import { baseOf } from '../../src/sql/scope.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { isTrivia, tokenize, unquote } from '../../src/sql/tokenizer.js';

/** The tables of a schema in memory, without rows; SQLite's own tables left out. */
export function openSchema({ tables }: Database): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(':memory:');
  for (const { originalName, columns } of tables) {
    if (originalName.startsWith('sqlite_')) continue;
    const names = columns.map((column) => quoteIdentifier(column.originalName));
    sqlite.exec(`CREATE TABLE ${quoteIdentifier(originalName)} (${names.join(', ')})`);
  }
  return sqlite;
}

const titleOf = (database: Database, ref: ColumnRef): string =>
  foldName(`${database.tables[ref.table]?.originalName}.${columnAt(database, ref).originalName}`);

/** Origins of the result columns by our resolver: `table.column`, or null for what is computed. */
export function resolvedOrigins(sql: string, database: Database): (string | null)[] | null {
  const { select, cores } = bindQuery(sql, database);
  const core = cores.find(({ node }) => node === select.terms[0]?.body);
  if (core === undefined) return null;
  return core.outputs.map(({ node, column, found }) => {
    // SQLite tells no origin of `name COLLATE nocase`.
    if (node?.kind === 'result' && node.expression.kind === 'collate') return null;
    if (found?.target.kind === 'rowid') {
      return foldName(`${database.tables[found.target.source.relation.table ?? -1]?.originalName}.rowid`);
    }
    const ref = found?.coalesced === true ? null : baseOf(column);
    return ref === null ? null : titleOf(database, ref);
  });
}

/** The same by SQLite. */
export function sqliteOrigins(sql: string, sqlite: SqliteDatabase.Database): (string | null)[] {
  const columns = sqlite.prepare(sql).columns();
  // The columns of a function are no table's.
  const isTable = (table: string | null): boolean => !/^json_(?:each|tree)$/.test(table ?? '');
  return columns.map(({ table, column }) => {
    return column === null || !isTable(table) ? null : foldName(`${table}.${column}`);
  });
}

/** How SQLite and the rewriter compare on renaming every column that a query mentions. */
export type Verdict =
  | { readonly kind: 'equal'; readonly columns: number }
  | { readonly kind: 'refused-by-sqlite'; readonly reason: string }
  | { readonly kind: 'different'; readonly ours: string; readonly theirs: string };

const meaningful = (sql: string): string[] =>
  tokenize(sql)
    .filter((token) => !isTrivia(token))
    .map((token) => (token.kind === 'word' || token.kind === 'quoted' ? unquote(token) : token.text));

const VIEW = 'CREATE VIEW oracle AS ';

/** SQLite's text of a view of the query after `ALTER TABLE … RENAME COLUMN`; throws what SQLite says. */
function renamedBySqlite(
  sql: string,
  database: Database,
  sqlite: SqliteDatabase.Database,
  renames: readonly (readonly [ColumnRef, string])[],
): string {
  sqlite.exec('BEGIN');
  try {
    sqlite.exec(VIEW + sql);
    for (const [ref, name] of renames) {
      const table = quoteIdentifier(database.tables[ref.table]?.originalName ?? '');
      const column = quoteIdentifier(columnAt(database, ref).originalName);
      sqlite.exec(`ALTER TABLE ${table} RENAME COLUMN ${column} TO ${quoteIdentifier(name)}`);
    }
    const view = sqlite.prepare("SELECT sql FROM sqlite_schema WHERE name = 'oracle'").pluck().get() as string;
    return view.slice(VIEW.length);
  } finally {
    sqlite.exec('ROLLBACK');
  }
}

/** Renames every column that a query mentions, in SQLite and by our rewriter, and compares the texts by tokens. */
export function compareRename(text: string, database: Database, sqlite: SqliteDatabase.Database): Verdict {
  const sql = singleQuoteLiterals(text.replace(/[\s;]+$/, ''), database).sql;
  const renames = mentionedColumns(resolveColumns(sql, database)).map((ref, i) => [ref, `renamed ${i}`] as const);
  let theirs: string;
  try {
    theirs = renamedBySqlite(sql, database, sqlite, renames);
  } catch (error) {
    return { kind: 'refused-by-sqlite', reason: (error as Error).message };
  }
  const ours = renameColumns(sql, database, new Map(renames.map(([ref, name]) => [columnKey(ref), name]))).sql;
  if (meaningful(ours).join('\0') !== meaningful(theirs).join('\0')) return { kind: 'different', ours, theirs };
  return { kind: 'equal', columns: renames.length };
}

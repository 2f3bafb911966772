import type { Database } from '../../schema/schema.js';
import type { Identifier } from '../ast.js';
import { bindQuery } from '../binder.js';
import { SQLITE } from '../dialect.js';
import type { Span } from '../tokenizer.js';
import { cursorOver, readCreate, readNameList } from './create-text.js';

/** The text of a CREATE VIEW statement, taken apart; offsets are into the text. */
export interface ViewText {
  readonly name: Identifier;
  /** The names that the view gives its columns itself; null where the query names them. */
  readonly columns: readonly Identifier[] | null;
  /** From the end of the name to the end of the list of columns. */
  readonly list: Span;
  /** Where the query starts. */
  readonly query: number;
}

/** Reads a CREATE VIEW statement. @throws SqlRewriteError with the position where it is none */
export function readViewText(sql: string): ViewText {
  const cursor = cursorOver(sql);
  const name = readCreate(cursor, 'VIEW');
  const columns = cursor.isOperator('(') ? readNameList(cursor) : null;
  const { end } = cursor.spanFrom(name.span.end);
  cursor.expectWord('AS');
  return { name, columns, list: { start: name.span.end, end }, query: cursor.peek().start };
}

// Shorter than the shortest "CREATE VIEW v AS ", so that the query keeps its offsets.
const AS_RELATION = 'SELECT*FROM(';

/**
 * A view's query as that of a subquery, which names its columns as a view does; offsets are those of the view's text.
 * The new line closes a comment at the end.
 */
export function queryAsRelation({ query }: ViewText, sql: string): string {
  return `${' '.repeat(query - AS_RELATION.length)}${AS_RELATION}${sql.slice(query)}\n)`;
}

/**
 * Names of a view's columns.
 * @throws SqlRewriteError where the query can't be read, or names what the database lacks
 */
export function viewColumns(view: ViewText, sql: string, database: Database): readonly string[] {
  return view.columns?.map(({ name }) => name) ?? queryColumns(view, sql, database);
}

/** Names that a view's query gives its columns, whatever the view calls them. @throws as `viewColumns` */
export function queryColumns(view: ViewText, sql: string, database: Database): readonly string[] {
  const outer = bindQuery(queryAsRelation(view, sql), database, SQLITE).cores.at(-1);
  return outer?.outputs.map(({ column }) => column.rawName) ?? [];
}

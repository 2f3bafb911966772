import type { Identifier } from '../ast.js';
import { sqlFault } from '../sql-fault.js';
import { TokenCursor } from '../token-cursor.js';
import type { Span } from '../tokenizer.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../binder.js';
import { SQLITE } from '../dialect.js';

/** Where a full-text index has its content: a table of the user's, which it reads by the names of its columns. */
interface IndexedContent {
  readonly table: string;
  /** The column that is its row id; null where it is SQLite's own. */
  readonly rowid: string | null;
}

/** The value of an option of a virtual table, quotes taken off; null where it has none or an empty one. */
function optionOf(sql: string, name: string): string | null {
  const option = new RegExp(`\\b${name}\\s*=\\s*(?:'([^']*)'|"([^"]*)"|([^\\s,)]+))`, 'iu').exec(sql);
  const value = option?.[1] ?? option?.[2] ?? option?.[3] ?? '';
  return value === '' ? null : value;
}

/** Where the virtual table of a CREATE statement has its content; null where it keeps its own, or none. */
export function indexedContent(sql: string): IndexedContent | null {
  if (!/^CREATE\s+VIRTUAL\s/iu.test(sql)) return null;
  const table = optionOf(sql, 'content');
  return table === null ? null : { table, rowid: optionOf(sql, 'content_rowid') };
}

/** The module of a virtual table and what it is given. */
interface VirtualDefinition {
  readonly module: string;
  readonly args: readonly string[];
}

/** The parts of a module's arguments: texts and names in quotes, parentheses, anything but a comma. */
const ARGUMENT = /(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\([^()]*\)|[^,'"`[(])+/gu;

/**
 * The definition of a virtual table that keeps its content itself, wherever that of this CREATE statement is; null
 * where it has none that could be read.
 */
export function withOwnContent(sql: string): VirtualDefinition | null {
  const parts = /\bUSING\s+([\w"]+)\s*(?:\(([\s\S]*)\))?\s*$/iu.exec(sql);
  if (parts === null || /\bcontent\s*=\s*(?:''|"")/iu.test(sql)) return null;
  const args = (parts[2] ?? '').match(ARGUMENT) ?? [];
  const own = args.map((argument) => argument.trim()).filter((argument) => !/^content(?:_rowid)?\s*=/iu.test(argument));
  return { module: parts[1] ?? '', args: own };
}

const FIX = 'Open the database with SQLite’s own shell and check this definition.';

/** A cursor over the text of a CREATE statement; queries in it are read apart, by their spans. */
export function cursorOver(sql: string): TokenCursor {
  return new TokenCursor(sql, () => {
    throw sqlFault(sql, 0, 'a query where none can be', FIX);
  });
}

/** Reads tokens up to one that `isEnd` accepts outside parentheses, and returns what they span. */
export function spanUntil(cursor: TokenCursor, isEnd: () => boolean): Span {
  const { start } = cursor.peek();
  while (cursor.peek().kind !== 'end' && !isEnd()) skipOne(cursor);
  return cursor.spanFrom(start);
}

function skipOne(cursor: TokenCursor): void {
  if (cursor.isOperator('(')) insideParentheses(cursor);
  else cursor.next();
}

/** Reads a pair of parentheses and returns the span between them, white space and comments at both ends left out. */
export function insideParentheses(cursor: TokenCursor): Span {
  cursor.expectOperator('(');
  const span = spanUntil(cursor, () => cursor.isOperator(')'));
  cursor.expectOperator(')');
  return span;
}

/** Reads `[schema.]name`; the schema of a stored object is always its own. */
export function readObjectName(cursor: TokenCursor): Identifier {
  const first = cursor.expectName('a name');
  return cursor.acceptOperator('.') ? cursor.expectName('a name') : first;
}

/** Reads `CREATE … kind [IF NOT EXISTS] name`. @throws SqlRewriteError when the text is another statement */
export function readCreate(cursor: TokenCursor, kind: 'TABLE' | 'INDEX' | 'VIEW' | 'TRIGGER'): Identifier {
  cursor.expectWord('CREATE');
  for (const word of ['TEMP', 'TEMPORARY', 'UNIQUE']) cursor.acceptWord(word);
  cursor.expectWord(kind);
  cursor.acceptWords('IF', 'NOT', 'EXISTS');
  return readObjectName(cursor);
}

/** Reads `(a, b COLLATE c DESC, …)` and returns the names; none where there is no parenthesis. */
export function readNameList(cursor: TokenCursor): Identifier[] {
  if (!cursor.acceptOperator('(')) return [];
  const names = cursor.list(() => {
    const name = cursor.expectName('a column name');
    spanUntil(cursor, () => cursor.isOperator(',') || cursor.isOperator(')'));
    return name;
  });
  cursor.expectOperator(')');
  return names;
}

/**
 * The condition that a CREATE INDEX says after WHERE; null where it says none.
 * @throws SqlRewriteError when the text is another statement
 */
export function partialCondition(sql: string): string | null {
  const cursor = cursorOver(sql);
  readCreate(cursor, 'INDEX');
  cursor.expectWord('ON');
  readObjectName(cursor);
  insideParentheses(cursor);
  if (!cursor.acceptWord('WHERE')) return null;
  const { start, end } = spanUntil(cursor, () => false);
  return sql.slice(start, end);
}

/** The text of a CREATE VIEW statement, taken apart; offsets are into the text. */
interface ViewText {
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
  return { columns, list: { start: name.span.end, end }, query: cursor.peek().start };
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

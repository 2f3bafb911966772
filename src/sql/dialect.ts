/** How an identifier or literal token was written: the first character of its quoting tells. */
export type QuoteStyle = 'bare' | 'double' | 'bracket' | 'backtick' | 'single';

/** What differs between SQL dialects for the parser, the resolver and the rewriter. */
export interface SqlDialect {
  readonly name: 'sqlite';
  /** Words that are never an identifier unless quoted; upper case. */
  readonly reserved: ReadonlySet<string>;
  /** Words that are identifiers, but not as an alias without AS; upper case. */
  readonly notImplicitAlias: ReadonlySet<string>;
  /** Words that a rewritten identifier must not be without quotes; upper case, holds `reserved`. */
  readonly quoted: ReadonlySet<string>;
  /** Names of the implicit row id; lower case. */
  readonly rowids: readonly string[];
  /** Whether a double-quoted token that names no column is a string literal. */
  readonly doubleQuotedLiterals: boolean;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

// Measured with SQLite 3.53: `CREATE TABLE t(<word>)` is a syntax error for exactly these.
const RESERVED = words(`
  ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE
  DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT
  NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE
  UPDATE USING VALUES WHEN WHERE`);

const JOIN_WORDS = words('CROSS FULL INNER LEFT NATURAL OUTER RIGHT');
const OPERATOR_WORDS = words('GLOB LIKE MATCH REGEXP INDEXED');

// Identifiers to SQLite's grammar that mean something else in an expression, in older versions or in some context.
const CONTEXTUAL = words(
  'CAST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP RAISE WITH TRUE FALSE WINDOW OVER FILTER END',
);

/** SQLite's dialect (3.39 and later). */
export const SQLITE: SqlDialect = {
  name: 'sqlite',
  reserved: new Set(RESERVED),
  notImplicitAlias: new Set([...JOIN_WORDS, ...OPERATOR_WORDS]),
  quoted: new Set([...RESERVED, ...JOIN_WORDS, ...OPERATOR_WORDS, ...CONTEXTUAL]),
  rowids: ['rowid', '_rowid_', 'oid'],
  doubleQuotedLiterals: true,
};

const PLAIN_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a name must be quoted to be read as an identifier: a keyword, or a character outside `[A-Za-z0-9_]`. */
export function needsQuotes(name: string, dialect: SqlDialect = SQLITE): boolean {
  return !PLAIN_IDENTIFIER.test(name) || dialect.quoted.has(name.toUpperCase());
}

/** A name as it is written in SQL: bare where that is safe, else in double quotes with `"` doubled. */
export function renderIdentifier(name: string, dialect: SqlDialect = SQLITE): string {
  return needsQuotes(name, dialect) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** A text as a SQL string literal: in single quotes, with `'` doubled. */
export function renderString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The form under which SQL identifiers are compared: SQLite folds ASCII letters only. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

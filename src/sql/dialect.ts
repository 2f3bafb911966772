import type { SqlDialect } from './sql-dialect.js';
import { foldName, SQLITE } from './sqlite-dialect.js';

export type { QuoteStyle, Construct, AliasRule, SqlDialect } from './sql-dialect.js';
export { foldName, SQLITE };

/** Checks whether a name must be quoted to be read as an identifier: a keyword, or a character that bare names lack. */
export function needsQuotes(name: string, dialect: SqlDialect = SQLITE): boolean {
  return !dialect.plain.test(name) || dialect.quoted.has(name.toUpperCase());
}

/** A name in the dialect's quotes with inner ones doubled, as statements of our own have it. */
export function quoteIdentifier(name: string, { quote }: SqlDialect = SQLITE): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

/** A name as it is written into a user's SQL: bare where that is safe, else in quotes. */
export function renderIdentifier(name: string, dialect: SqlDialect = SQLITE): string {
  return needsQuotes(name, dialect) ? quoteIdentifier(name, dialect) : name;
}

/** A text as a SQL string literal: in single quotes, with `'` doubled. */
export function renderString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

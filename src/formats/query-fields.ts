import { whereReadable } from '../sql/sql-fault.js';
import type { Database } from '../schema/schema.js';
import { type SqlDialect, SQLITE } from '../sql/dialect.js';
import { toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';

/** Makes a field again from a query, in the shape that it had; undefined if the query has no form for it. */
type Remake = (value: unknown, query: string, schema: Database) => unknown;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');

/** Checks whether a value is Spider's structure of a query; WikiSQL's, `{sel, conds, agg}`, is none. */
const isStructure = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'select' in value && 'from' in value;

/** Another copy of the SQL, as text or as a list of one, or Spider's structure: what it was. */
function remakeSql(value: unknown, query: string, schema: Database): unknown {
  if (typeof value === 'string') return query;
  if (isTextList(value)) return [query];
  return isStructure(value) ? toSpiderSql(query, schema) : undefined;
}

/** Fields that Spider's files, and others like them, make from the query. */
const MADE: Readonly<Record<string, Remake>> = {
  query_toks: (value, query) => (isTextList(value) ? toQueryTokens(query) : undefined),
  query_toks_no_value: (value, query) => (isTextList(value) ? toQueryTokensNoValue(query) : undefined),
  sql: remakeSql,
};

/** Their names. */
export const MADE_FIELDS = Object.keys(MADE);

/**
 * A file's record with another query in the field that holds it. Spider's tokens and structure, where it has them, are
 * made again, and one that has no form for the query goes; all other fields stay in their order. Tokens and structure are
 * SQLite's.
 */
export function recordWithQuery<T extends object>(
  record: T,
  field: string,
  query: string,
  schema: Database,
  dialect: SqlDialect = SQLITE,
): T {
  const fields = Object.entries(record).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (name === field) return [[name, query]];
    const remake = Object.hasOwn(MADE, name) ? MADE[name] : undefined;
    if (remake === undefined) return [[name, value]];
    const isKnown = dialect.name === SQLITE.name || typeof value === 'string';
    const made = isKnown ? whereReadable(() => remake(value, query, schema), undefined) : undefined;
    return made === undefined ? [] : [[name, made]];
  });
  return Object.fromEntries(fields) as T;
}

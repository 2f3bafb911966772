import { SqlRewriteError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import { toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';

type FileRecord = Readonly<Record<string, unknown>>;

function structureOf(query: string, schema: Database): unknown {
  try {
    return toSpiderSql(query, schema);
  } catch (error) {
    if (error instanceof SqlRewriteError) return undefined;
    throw error;
  }
}

/** Fields that Spider's files make from the query; undefined = the field goes. */
const MADE: Readonly<Record<string, (query: string, schema: Database) => unknown>> = {
  query_toks: toQueryTokens,
  query_toks_no_value: toQueryTokensNoValue,
  sql: structureOf,
};

/** Their names. */
export const MADE_FIELDS = Object.keys(MADE);

/**
 * A file's record with another query in the field that holds it; Spider's tokens and structure, where it has them, are
 * made again, all other fields stay in their order.
 */
export function recordWithQuery<T extends object>(record: T, field: string, query: string, schema: Database): T {
  const fields = Object.entries(record as FileRecord).map(([name, value]): [string, unknown] => {
    if (name === field) return [name, query];
    const make = Object.hasOwn(MADE, name) && typeof value === 'object' ? MADE[name] : undefined;
    return [name, make === undefined ? value : make(query, schema)];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as T;
}

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

/** Rebuilds a field from a query; undefined if the query has no form for it. */
type Rebuild = (value: unknown, query: string, schema: Database) => unknown;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');

/** Checks whether a value is Spider's structure of a query; WikiSQL's, `{sel, conds, agg}`, is none. */
const isStructure = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'select' in value && 'from' in value;

/** Another copy of the SQL, as text or as a list of one, or Spider's structure: what it was. */
function rebuildSql(value: unknown, query: string, schema: Database): unknown {
  if (typeof value === 'string') return query;
  if (isTextList(value)) return [query];
  return isStructure(value) ? toSpiderSql(query, schema) : undefined;
}

/** Fields that Spider-like records have next to the SQL, made from it. */
const REBUILT: Readonly<Record<string, Rebuild>> = {
  query_toks: (value, query) => (isTextList(value) ? toQueryTokens(query) : undefined),
  query_toks_no_value: (value, query) => (isTextList(value) ? toQueryTokensNoValue(query) : undefined),
  sql: rebuildSql,
};

type AnyRecord = Readonly<Record<string, unknown>>;

/**
 * A record whose fields that are made from its SQL, Spider's `query_toks`, `query_toks_no_value` and `sql`, are those
 * of another query in the shape that they had; one that has no form for it goes. Tokens and structure are SQLite's.
 * @param queryField the field with the SQL itself, which stays as it is
 * @param isSqlite whether the query is in SQLite's dialect
 */
export function withQueryFields(
  record: AnyRecord,
  {
    query,
    queryField,
    schema,
    isSqlite,
  }: {
    readonly query: string;
    readonly queryField: string;
    readonly schema: Database;
    readonly isSqlite: boolean;
  },
): AnyRecord {
  const fields = Object.entries(record).flatMap(([name, value]) => {
    const rebuild = name !== queryField && Object.hasOwn(REBUILT, name) ? REBUILT[name] : undefined;
    if (rebuild === undefined) return [[name, value] as const];
    const isKnown = isSqlite || typeof value === 'string';
    const made = isKnown ? inForm(() => rebuild(value, query, schema)) : undefined;
    return made === undefined ? [] : [[name, made] as const];
  });
  return Object.fromEntries(fields);
}

function inForm(rebuild: () => unknown): unknown {
  try {
    return rebuild();
  } catch (error) {
    if (error instanceof SqlRewriteError) return undefined;
    throw error;
  }
}

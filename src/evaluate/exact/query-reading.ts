import { SqlRewriteError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { SQLITE, type SqlDialect } from '../../sql/dialect.js';
import { joinComparisons } from '../../sql/executable-sql.js';
import { parseSelect } from '../../sql/parser.js';
import { type SchemaNumbers, schemaNumbers, type SpiderSql, toStructure } from '../../sql/spider-sql.js';
import { tokenize } from '../../sql/tokenizer.js';

/** A query that was read by our own parser and SQL's rules for names. */
export interface ReadQuery {
  readonly bound: BoundQuery;
  readonly numbers: SchemaNumbers;
  /** Null where Spider's structure has no form for it. */
  readonly structure: SpiderSql | null;
}

/** Why a query can't be read: no SQL of its dialect, or names that its schema lacks. */
export interface ReadingFault {
  readonly kind: 'syntax' | 'names';
  readonly message: string;
}

/** The outcome of a prediction that can't be read; a name that its schema lacks is refused by the database, too. */
export function faultOutcome({ kind }: Pick<ReadingFault, 'kind'>): 'unparsable' | 'failing' {
  return kind === 'names' ? 'failing' : 'unparsable';
}

export type QueryReading = ReadQuery | { readonly fault: ReadingFault };

const REPAIRABLE = /\bvalue\b|[!<>]\s+=/i;

/** Why a query can't be read. */
export function faultOf(sql: string, dialect: SqlDialect, { message }: { readonly message: string }): ReadingFault {
  try {
    parseSelect(sql, dialect);
  } catch (cause) {
    if (cause instanceof SqlRewriteError) return { kind: 'syntax', message: cause.message };
    throw cause;
  }
  return { kind: 'names', message };
}

function readOnce(sql: string, database: Database, dialect: SqlDialect, numbers: SchemaNumbers): QueryReading {
  try {
    const bound = bindQuery(sql, database, dialect);
    return { bound, numbers, structure: whereReadable(() => toStructure(bound, numbers), null) };
  } catch (error) {
    if (error instanceof SqlRewriteError) return { fault: faultOf(sql, dialect, error) };
    if (error instanceof RangeError) return { fault: { kind: 'syntax', message: 'the query is nested too deeply' } };
    throw error;
  }
}

/** The query with each bare word `value` that is no part of a name as 1; the query where it can't be cut in words. */
function withoutPlaceholders(sql: string): string {
  const tokens = whereReadable(() => tokenize(sql), null);
  if (tokens === null) return sql;
  const isPart = (i: number): boolean => tokens[i - 1]?.text === '.' || tokens[i + 1]?.text === '.';
  return tokens
    .map(({ kind, text }, i) => (kind === 'word' && /^value$/i.test(text) && !isPart(i) ? '1' : text))
    .join('');
}

/**
 * The query with comparisons in one piece and the bare word `value`, which models without values write for one, as 1.
 */
export function repairQuery(sql: string): string {
  return REPAIRABLE.test(sql) ? withoutPlaceholders(joinComparisons(sql)) : sql;
}

/**
 * Reads a query. Where it can't be read as it is, comparisons that are cut in two are joined, and the bare word `value`,
 * which models without values write for one, counts as one.
 * @param numbers of its schema's tables and columns; by their places where none are given
 */
export function readQuery(
  sql: string,
  database: Database,
  dialect: SqlDialect = SQLITE,
  numbers: SchemaNumbers = schemaNumbers(database),
): QueryReading {
  const read = readOnce(sql, database, dialect, numbers);
  if ('bound' in read && read.structure !== null) return read;
  const repaired = repairQuery(sql);
  const again = repaired === sql ? read : readOnce(repaired, database, dialect, numbers);
  return 'bound' in again && ('fault' in read || again.structure !== null) ? again : read;
}

import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { Select } from '../../sql/ast.js';
import { bindQuery } from '../../sql/binder.js';
import { parseSelect } from '../../sql/parser.js';
import { type SpiderSql, toSpiderSql } from '../../sql/spider-sql.js';
import { tokenize } from '../../sql/tokenizer.js';

/** A query as the default comparison reads it, with our own parser. */
export interface QueryStructure {
  readonly sql: SpiderSql;
  /** What `SpiderSql` has no place for: the directions of each ORDER BY that has several, sorted. */
  readonly orderTerms: readonly string[];
  /** UNION ALLs. */
  readonly unionAlls: number;
}

/** Why a query has no structure: no SQL of SQLite's, names that its schema lacks, or SQL that the structure has no form for. */
export interface StructureFault {
  readonly kind: 'syntax' | 'names' | 'no-form';
  readonly message: string;
}

export type StructureRead = { readonly structure: QueryStructure } | { readonly fault: StructureFault };

/** Whether a query may have what the structure loses. */
const HAS_UNION_ALL = /\bunion\s+all\b/i;
const HAS_ORDER = /\border\s+by\b/i;
const REPAIRABLE = /\bvalue\b|[!<>]\s+=/i;

function isSelect(node: object): node is Select {
  return (node as { readonly kind?: unknown }).kind === 'select';
}

function* selectsIn(node: unknown): Generator<Select> {
  if (typeof node !== 'object' || node === null) return;
  if (isSelect(node)) yield node;
  for (const [key, child] of Object.entries(node)) if (key !== 'span') yield* selectsIn(child);
}

function directionsOf({ orderBy }: Select): string {
  const directions = orderBy.map(({ direction, nulls }) => `${direction ?? 'ASC'}${nulls === null ? '' : ` ${nulls}`}`);
  return new Set(directions).size > 1 ? directions.join(',') : '';
}

function lostBy(sql: string): Pick<QueryStructure, 'orderTerms' | 'unionAlls'> {
  const isLossy = HAS_UNION_ALL.test(sql) || (sql.includes(',') && HAS_ORDER.test(sql));
  if (!isLossy) return { orderTerms: [], unionAlls: 0 };
  const selects = [...selectsIn(parseSelect(sql))];
  const alls = selects.flatMap(({ terms }) => terms).filter(({ operator }) => operator === 'UNION ALL');
  const orderTerms = selects.map(directionsOf).filter((directions) => directions !== '');
  return { orderTerms: orderTerms.sort(), unionAlls: alls.length };
}

function faultOf(sql: string, database: Database, error: SqlRewriteError): StructureFault {
  const steps = [
    ['syntax', (): unknown => parseSelect(sql)],
    ['names', (): unknown => bindQuery(sql, database)],
  ] as const;
  for (const [kind, step] of steps) {
    try {
      step();
    } catch (cause) {
      if (cause instanceof SqlRewriteError) return { kind, message: cause.message };
      throw cause;
    }
  }
  return { kind: 'no-form', message: error.message };
}

function readOnce(sql: string, database: Database): StructureRead {
  try {
    return { structure: { sql: toSpiderSql(sql, database), ...lostBy(sql) } };
  } catch (error) {
    if (error instanceof SqlRewriteError) return { fault: faultOf(sql, database, error) };
    if (error instanceof RangeError) return { fault: { kind: 'syntax', message: 'the query is nested too deeply' } };
    throw error;
  }
}

/** Strings and quoted names, which stay, and comparisons that are cut in two: `! =`, `> =`, as in some gold of SParC. */
const CUT_COMPARISON = /('(?:[^']|'')*'|"[^"]*"|`[^`]*`)|([!<>])\s+=/g;

/** The query with `! =`, `> =` and `< =` in one piece, which SQLite asks for. */
export function joinComparisons(sql: string): string {
  return sql.replace(CUT_COMPARISON, (text, quoted: string | undefined, sign: string) =>
    quoted === undefined ? `${sign}=` : text,
  );
}

/** The query with each bare word `value` that is no part of a name as 1; the query where it can't be cut in words. */
function withoutPlaceholders(sql: string): string {
  try {
    const tokens = tokenize(sql);
    const isPart = (i: number): boolean => tokens[i - 1]?.text === '.' || tokens[i + 1]?.text === '.';
    return tokens
      .map(({ kind, text }, i) => (kind === 'word' && /^value$/i.test(text) && !isPart(i) ? '1' : text))
      .join('');
  } catch (error) {
    if (error instanceof SqlRewriteError) return sql;
    throw error;
  }
}

/** The query with comparisons in one piece and the bare word `value`, which models without values write for one, as 1. */
export function repairQuery(sql: string): string {
  return REPAIRABLE.test(sql) ? withoutPlaceholders(joinComparisons(sql)) : sql;
}

/**
 * The structure of a query, by our own parser and SQL's rules for names. Where it can't be read as it is, comparisons
 * that are cut in two are joined, and the bare word `value`, which models without values write for one, counts as one.
 */
export function readStructure(sql: string, database: Database): StructureRead {
  const read = readOnce(sql, database);
  if ('structure' in read || !REPAIRABLE.test(sql)) return read;
  const repaired = repairQuery(sql);
  const again = repaired === sql ? read : readOnce(repaired, database);
  return 'structure' in again ? again : read;
}

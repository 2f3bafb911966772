import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { Collate, ColumnNode, Select } from '../../sql/ast.js';
import { walkExpression } from '../../sql/ast-walk.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { foldName, SQLITE, type SqlDialect } from '../../sql/dialect.js';
import { parseSelect } from '../../sql/parser.js';
import { joinComparisons } from '../../sql/join-comparisons.js';
import { type SourcedSql, toSourcedSql } from '../../sql/spider-sql.js';
import { tokenize } from '../../sql/tokenizer.js';

/** A query as the default comparison reads it, with our own parser; next to `sql`, what that has no place for. */
export interface QueryStructure extends SourcedSql {
  /** The directions of each ORDER BY that has several, or NULLS where SQLite would not put them, sorted. */
  readonly orderTerms: readonly string[];
  /** The operators of each compound with UNION ALL, sorted. */
  readonly unionAlls: readonly string[];
  /** Each COLLATE with its clause and the columns it is about, sorted. */
  readonly collations: readonly string[];
}

/**
 * Why a query has no structure: no SQL of SQLite's, names that its schema lacks, or SQL that the structure has no form
 * for.
 */
export interface StructureFault {
  readonly kind: 'syntax' | 'names' | 'no-form';
  readonly message: string;
}

/** The outcome of a prediction that can't be read; a name that its schema lacks is refused by the database, too. */
export function faultOutcome({ kind }: Pick<StructureFault, 'kind'>): 'unparsable' | 'failing' {
  return kind === 'names' ? 'failing' : 'unparsable';
}

export type StructureRead = { readonly structure: QueryStructure } | { readonly fault: StructureFault };

/** True if a query may have what the structure loses. */
const MAY_LOSE = /\bunion\s+all\b|\bcollate\b|\border\s+by\b/i;
const REPAIRABLE = /\bvalue\b|[!<>]\s+=/i;

interface LossyNode {
  readonly node: Select | Collate;
  /** The field of the innermost SELECT that it is in: its clause. */
  readonly clause: string;
}

/** Every query and COLLATE inside a part of a query. */
function* lossyNodes(part: unknown, clause = ''): Generator<LossyNode> {
  if (typeof part !== 'object' || part === null) return;
  const { kind } = part as { readonly kind?: unknown };
  if (kind === 'select' || kind === 'collate') yield { node: part as Select | Collate, clause };
  const isQuery = kind === 'select' || kind === 'core';
  for (const [key, child] of Object.entries(part)) if (key !== 'span') yield* lossyNodes(child, isQuery ? key : clause);
}

function directionsOf({ orderBy }: Select): string {
  const terms = orderBy.map(({ direction, nulls }) => {
    const isUsual = nulls === null || nulls === (direction === 'DESC' ? 'LAST' : 'FIRST');
    return `${direction ?? 'ASC'}${isUsual ? '' : ` ${nulls}`}`;
  });
  return new Set(terms).size > 1 || terms[0]?.includes(' ') === true ? terms.join(',') : '';
}

function operatorsOf({ terms }: Select): string {
  const operators = terms.map(({ operator }) => operator);
  return operators.includes('UNION ALL') ? operators.slice(1).join(',') : '';
}

/** The columns that a COLLATE is about by their own names, as aliases say nothing. */
function columnsOf({ operand }: Collate, { names }: BoundQuery): string[] {
  const columns: string[] = [];
  const column = ({ column: token }: ColumnNode): void => {
    const target = names.find((name) => name.token === token)?.found?.target;
    columns.push(target?.kind === 'column' ? foldName(target.column.rawName) : '');
  };
  walkExpression(operand, { column, select: () => undefined, table: () => undefined });
  return columns;
}

function lostBy(query: BoundQuery): Pick<QueryStructure, 'orderTerms' | 'unionAlls' | 'collations'> {
  const nodes = MAY_LOSE.test(query.sql) ? [...lossyNodes(query.select)] : [];
  const selects = nodes.flatMap(({ node }) => (node.kind === 'select' ? [node] : []));
  const collations = nodes.flatMap(({ node, clause }) =>
    node.kind === 'collate' ? [[clause, foldName(node.collation.name), ...columnsOf(node, query)].join(' ')] : [],
  );
  return {
    orderTerms: selects.map(directionsOf).filter(Boolean).sort(),
    unionAlls: selects.map(operatorsOf).filter(Boolean).sort(),
    collations: collations.sort(),
  };
}

/** Why a query that could not be read has no structure. */
export function faultOf(
  sql: string,
  database: Database,
  dialect: SqlDialect,
  error: { readonly message: string },
): StructureFault {
  const steps = [
    ['syntax', (): unknown => parseSelect(sql, dialect)],
    ['names', (): unknown => bindQuery(sql, database, dialect)],
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

function readOnce(sql: string, database: Database, dialect: SqlDialect): StructureRead {
  try {
    const query = bindQuery(sql, database, dialect);
    return { structure: { ...toSourcedSql(query, database), ...lostBy(query) } };
  } catch (error) {
    if (error instanceof SqlRewriteError) return { fault: faultOf(sql, database, dialect, error) };
    if (error instanceof RangeError) return { fault: { kind: 'syntax', message: 'the query is nested too deeply' } };
    throw error;
  }
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

/**
 * The query with comparisons in one piece and the bare word `value`, which models without values write for one, as 1.
 */
export function repairQuery(sql: string): string {
  return REPAIRABLE.test(sql) ? withoutPlaceholders(joinComparisons(sql)) : sql;
}

/**
 * The structure of a query, by our own parser and SQL's rules for names. Where it can't be read as it is, comparisons
 * that are cut in two are joined, and the bare word `value`, which models without values write for one, counts as one.
 */
export function readStructure(sql: string, database: Database, dialect: SqlDialect = SQLITE): StructureRead {
  const read = readOnce(sql, database, dialect);
  if ('structure' in read || !REPAIRABLE.test(sql)) return read;
  const repaired = repairQuery(sql);
  const again = repaired === sql ? read : readOnce(repaired, database, dialect);
  return 'structure' in again ? again : read;
}

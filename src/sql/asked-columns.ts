import type { ColumnRef, Database } from '../schema/schema.js';
import type { Source } from './ast.js';
import { bindQuery } from './binder.js';
import { SQLITE, type SqlDialect } from './dialect.js';
import { mentionedColumns, resolveColumns } from './resolver.js';
import type { Span } from './tokenizer.js';

function joinConditions(source: Source | null): readonly Span[] {
  if (source === null || source.kind !== 'join') return [];
  const own = source.constraint?.kind === 'on' ? [source.constraint.span] : [];
  return [...joinConditions(source.left), ...joinConditions(source.right), ...own];
}

/**
 * The columns that a query uses outside of its join conditions, which no question speaks of: what a question asks about.
 * @throws SqlRewriteError where the query can't be read on the schema
 */
export function askedColumns(query: string, database: Database, dialect: SqlDialect = SQLITE): readonly ColumnRef[] {
  const conditions = bindQuery(query, database, dialect).cores.flatMap(({ node }) =>
    'from' in node ? joinConditions(node.from) : [],
  );
  const isFree = ({ start, end }: Span): boolean => !conditions.some((on) => start >= on.start && end <= on.end);
  return mentionedColumns(resolveColumns(query, database, dialect).filter(({ span }) => isFree(span)));
}

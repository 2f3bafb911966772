import { columnKey, type ColumnRef, type Database } from '../schema/schema.js';
import { joinsOf } from './ast-walk.js';
import { bindQuery } from './binder.js';
import type { BoundQuery, NameBinding, TableBinding } from './bound-query.js';
import { type QuoteStyle, type SqlDialect, SQLITE } from './dialect.js';
import { baseOf, type ColumnTarget, type RelationColumn } from './scope.js';
import type { Span } from './tokenizer.js';

/**
 * The referents of an identifier token: `column` a column of the schema, named by its own name here or through a
 * subquery; `output` a column of a subquery with a name of its own; `alias` a result alias, a table alias or a CTE;
 * `table` a table of the schema by its own name; `rowid` the implicit row id; `literal` a double-quoted string, or
 * TRUE and FALSE.
 */
type ReferenceKind = 'column' | 'output' | 'table' | 'alias' | 'rowid' | 'hidden' | 'literal';

/** One identifier token of a query, resolved. */
export interface SqlReference {
  readonly kind: ReferenceKind;
  /** The token alone, without its qualifier. */
  readonly span: Span;
  readonly quote: QuoteStyle;
  /** The token's name without quotes, as the dialect reads it: PostgreSQL folds bare words to lower case. */
  readonly name: string;
  /** The column of the schema that the token's value comes from unchanged, else null. */
  readonly ref: ColumnRef | null;
  /** Further columns that the token names at once: the other sides of USING and NATURAL. */
  readonly merged: readonly ColumnRef[];
  /** Index of the schema's table, for tables, their aliases and row ids, else null. */
  readonly table: number | null;
}

type Shape = Pick<SqlReference, 'kind' | 'ref' | 'merged' | 'table'>;

function shapeOfColumn({ column }: ColumnTarget, merged: readonly ColumnTarget[]): Shape {
  const ref = baseOf(column);
  let origin = column.origin;
  while (origin.kind === 'through') origin = origin.inner.origin;
  const others = merged.map((other) => baseOf(other.column)).filter((other) => other !== null);
  return { kind: origin.kind === 'base' ? 'column' : 'output', ref, merged: others, table: ref?.table ?? null };
}

/** A result column without an alias that passes a column on has its name; any other has one of its own. */
function shapeOfOutput(column: RelationColumn): Shape {
  const ref = column.origin.kind === 'through' ? baseOf(column) : null;
  return { kind: ref === null ? 'alias' : 'column', ref, merged: [], table: ref?.table ?? null };
}

function shapeOf({ found }: NameBinding): Shape {
  if (found === null) return { kind: 'literal', ref: null, merged: [], table: null };
  const { target, merged } = found;
  switch (target.kind) {
    case 'column':
      return shapeOfColumn(target, merged);
    case 'alias':
      return { kind: 'alias', ref: null, merged: [], table: null };
    case 'output':
      return shapeOfOutput(target.column);
    default: {
      const kind = target.kind === 'rowid' && target.hidden !== undefined ? 'hidden' : 'rowid';
      return { kind, ref: null, merged: [], table: target.source.relation.table };
    }
  }
}

function nameReference(binding: NameBinding): SqlReference {
  const { span, quote, name } = binding.token;
  return { span, quote, name, ...shapeOf(binding) };
}

function tableReference({ token, kind, table }: TableBinding): SqlReference {
  const { span, quote, name } = token;
  return { kind, span, quote, name, ref: null, merged: [], table };
}

function usingReferences({ joins }: BoundQuery): SqlReference[] {
  return joins.flatMap(({ merges }) =>
    merges.flatMap(({ merge: { token, left, right } }) => {
      if (token === null) return [];
      const { span, quote, name } = token;
      return [{ span, quote, name, ...shapeOfColumn(left, [right]) }];
    }),
  );
}

/** The references of a bound query, by position. */
function referencesOf(query: BoundQuery): SqlReference[] {
  const references = [
    ...query.names.map(nameReference),
    ...query.tables.map(tableReference),
    ...usingReferences(query),
  ];
  return references.sort((a, b) => a.span.start - b.span.start);
}

/**
 * Resolves every table, column and alias token that a query uses (not those it defines) against a schema, by the
 * dialect's rules for scopes and letter case; column tokens in USING are included. In order of position.
 * @throws SqlRewriteError with position and reason where the text can't be parsed, or a name is unknown or ambiguous
 */
export function resolveColumns(sql: string, database: Database, dialect: SqlDialect = SQLITE): SqlReference[] {
  return referencesOf(bindQuery(sql, database, dialect));
}

/**
 * The distinct columns of the schema that a query's references name, in order of first mention; columns that only `*`
 * or NATURAL bring in are not among them.
 */
export function mentionedColumns(references: readonly SqlReference[]): ColumnRef[] {
  const mentioned = new Map<string, ColumnRef>();
  for (const { kind, ref, merged } of references) {
    if (kind !== 'column' || ref === null) continue;
    for (const column of [ref, ...merged]) {
      if (!mentioned.has(columnKey(column))) mentioned.set(columnKey(column), column);
    }
  }
  return [...mentioned.values()];
}

/**
 * The columns that a query uses outside of its join conditions, which no question speaks of: what a question asks about.
 * @throws SqlRewriteError where the query can't be read on the schema
 */
export function askedColumns(query: string, database: Database, dialect: SqlDialect = SQLITE): readonly ColumnRef[] {
  const conditions = bindQuery(query, database, dialect).cores.flatMap(({ node }) =>
    'from' in node
      ? joinsOf(node.from).flatMap(({ constraint }) => (constraint?.kind === 'on' ? [constraint.span] : []))
      : [],
  );
  const isFree = ({ start, end }: Span): boolean => !conditions.some((on) => start >= on.start && end <= on.end);
  return mentionedColumns(resolveColumns(query, database, dialect).filter(({ span }) => isFree(span)));
}

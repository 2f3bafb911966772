import { SqlRewriteError } from '../../../errors.js';
import { memoize } from '../../../schema/memoize.js';
import { columnKey, type ColumnRef, type Database } from '../../../schema/schema.js';
import { bindQuery } from '../../../sql/binder.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../../sql/bound-query.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import { insertion, type SqlEdit } from '../../../sql/edits.js';
import { baseOf, type RelationColumn, type ScopeSource } from '../../../sql/scope.js';
import { meaningfulTokens, unquote } from '../../../sql/tokenizer.js';
import type { NotApplicable } from '../relation.js';
import { getOrMake, itemAt } from '../../../present.js';

/** A column of a table of a FROM clause in words, the same before and after a rewrite: "t1 singer.name". */
export function columnMeaning(source: ScopeSource, table: string, column: string, dialect: SqlDialect): string {
  return `${dialect.fold(source.label ?? '')} ${dialect.fold(table)}.${dialect.fold(column)}`;
}

/** Returns a name's reference, in words that do not depend on positions in the text or the schema. */
export function nameMeaning({ token, found }: NameBinding, database: Database, dialect: SqlDialect): string {
  if (found === null) return `literal ${token.name}`;
  const { target } = found;
  if (target.kind !== 'column') return target.kind;
  const { source, column } = target;
  const table = source.relation.table;
  if (table === null) return `${dialect.fold(source.label ?? '')} #${column.index}`;
  const { originalName, columns } = itemAt(database.tables, table);
  return columnMeaning(source, originalName, itemAt(columns, column.index).originalName, dialect);
}

/** Aliases by which result columns that are rewritten keep their names, where the query refers to these. */
export function keptNames(
  { sql, bound }: Pick<GoldUse, 'sql' | 'bound'>,
  { namesRelation, outputs }: BoundCore,
  isRewritten: (found: NameBinding['found']) => boolean,
  dialect: SqlDialect,
): readonly SqlEdit[] {
  const named = bound.names.flatMap(({ found }) =>
    found?.target.kind === 'output' ? [found.target.column.relation] : [],
  );
  if (!namesRelation && !outputs.some(({ column }) => named.includes(column.relation))) return [];
  return outputs.flatMap(({ node, found, column }) => {
    if (node?.kind !== 'result' || node.alias !== null || !isRewritten(found)) return [];
    return [insertion(sql, node.span.end, `AS ${renderIdentifier(column.rawName, dialect)}`)];
  });
}

/** Stops the rewrite of a gold that has no form on a changed schema; the message is the reason, a stable word. */
export class Inexpressible extends Error {}

/** A rewrite's result, or why there is none. */
export function orReason(rewrite: () => string): string | NotApplicable {
  try {
    return rewrite();
  } catch (error) {
    if (error instanceof Inexpressible) return { reason: error.message };
    throw error;
  }
}

/** A gold query on its schema, and what of it is in use. */
export interface GoldUse {
  readonly sql: string;
  readonly bound: BoundQuery;
  /** Columns whose values or names matter, by `columnKey`: what a star, NATURAL or USING brings in is among them. */
  readonly columns: ReadonlySet<string>;
  /** Positions of the tables that are in some FROM clause. */
  readonly tables: ReadonlySet<number>;
  /** Positions of the tables of which a star selects all columns, in their order. */
  readonly starred: ReadonlySet<number>;
  /** Every name and quoted text of the query, folded: a new name outside of them can't change its meaning. */
  readonly words: ReadonlySet<string>;
}

/** Queries of one database whose use is kept: all relations ask for the same one, one after another. */
const CACHE_SIZE = 512;

const known = new WeakMap<Database, (sql: string) => GoldUse | null>();

/** Base columns that a bound query uses. */
function* usedColumns({ names, cores, joins, inTables }: BoundQuery): Generator<RelationColumn> {
  for (const { found } of names) {
    for (const target of found === null ? [] : [found.target, ...found.merged]) {
      if (target.kind === 'column' || target.kind === 'output') yield target.column;
    }
  }
  for (const { outputs, exists } of cores) {
    for (const { node, column } of outputs) if (node?.kind === 'star' && !exists) yield column;
  }
  for (const { merges } of joins) {
    for (const { merge } of merges) yield* [merge.left.column, merge.right.column];
  }
  for (const { relation } of inTables) yield* relation.columns;
}

function starredColumns({ cores, inTables }: BoundQuery): readonly RelationColumn[] {
  const stars = cores.flatMap(({ outputs, exists }) =>
    outputs.flatMap(({ node, column }) => (node?.kind === 'star' && !exists ? [column] : [])),
  );
  return [...stars, ...inTables.flatMap(({ relation }) => relation.columns)];
}

function refsOf(columns: Iterable<RelationColumn>): ColumnRef[] {
  return [...columns].map(baseOf).filter((ref) => ref !== null);
}

function readUse(sql: string, database: Database, dialect: SqlDialect): GoldUse {
  const bound = bindQuery(sql, database, dialect);
  const tables = bound.cores.flatMap(({ sources }) => sources.map(({ relation }) => relation.table));
  const inTables = bound.inTables.map(({ relation }) => relation.table);
  const words = meaningfulTokens(sql, dialect);
  return {
    sql,
    bound,
    columns: new Set(refsOf(usedColumns(bound)).map(columnKey)),
    tables: new Set([...tables, ...inTables].filter((table) => table !== null)),
    starred: new Set(refsOf(starredColumns(bound)).map(({ table }) => table)),
    words: new Set(words.map((token) => dialect.fold(unquote(token)))),
  };
}

function readIfPossible(sql: string, database: Database, dialect: SqlDialect): GoldUse | null {
  try {
    return readUse(sql, database, dialect);
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return null; // the latter: nested too deeply
    throw error;
  }
}

/** Returns a gold query's use of its schema, or null if it can't be read. */
export function goldUse(sql: string, database: Database, dialect: SqlDialect): GoldUse | null {
  const use = getOrMake(known, database, () =>
    memoize((query) => readIfPossible(query, database, dialect), CACHE_SIZE),
  );
  return use(sql);
}

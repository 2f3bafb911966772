import { SqlRewriteError } from '../errors.js';
import { columnKey, type Database } from '../schema/schema.js';
import { bindQuery } from './binder.js';
import type { BoundQuery, NameBinding } from './bound-query.js';
import type { SqlDialect } from './dialect.js';
import type { RewrittenSql, SqlEdit } from './edits.js';
import { baseOf, type Found, type RelationColumn } from './scope.js';
import { sqlFault } from './sql-fault.js';

/** Where a rewritten name is: its edit, and its offset in the edit's new text (null when it is no name any more). */
export interface RewrittenName {
  readonly edit: SqlEdit;
  readonly nameAt: number | null;
}

/** Offset after the edits of what stood at an offset before them and was not replaced. */
function movedOffset(edits: readonly SqlEdit[], offset: number): number {
  let shift = 0;
  for (const { end, before, after, start } of edits) {
    if (end > offset || (start === end && start >= offset)) break;
    shift += after.length - before.length;
  }
  return offset + shift;
}

function columnMeaning(column: RelationColumn): string {
  const base = baseOf(column);
  return column.relation.table !== null && base !== null ? `column ${columnKey(base)}` : `output ${column.index}`;
}

function meaningOf(found: Found | null, moved: (offset: number) => number): string {
  if (found === null) return 'literal';
  const { target } = found;
  if (target.kind === 'alias') return `alias ${moved(target.node.span.start)}`;
  if (target.kind === 'output') return `result ${target.column.index}`;
  const what = target.kind === 'column' ? columnMeaning(target.column) : target.kind;
  return `${what} of ${moved(target.source.node.span.start)}${found.coalesced ? ' coalesced' : ''}`;
}

function baseKey(column: RelationColumn): string {
  const base = baseOf(column);
  return base === null ? 'null' : columnKey(base);
}

/** The columns of each result in the order of the text: that of a rewritten `IN table` stands where the table did. */
function shapeOf({ cores, inTables }: BoundQuery): string {
  const results = [
    ...cores.flatMap(({ exists, node, outputs }) =>
      exists ? [] : [{ at: node.span.start, columns: outputs.map(({ column }) => column) }],
    ),
    ...inTables.map(({ node, relation }) => ({ at: node.span.start, columns: relation.columns })),
  ];
  return results
    .sort((a, b) => a.at - b.at)
    .map(({ columns }) => columns.map(baseKey).join())
    .join('\n');
}

/**
 * Resolves a rewritten query against the changed schema and compares: every name must refer to what it referred to, and
 * every result must have the same columns.
 * @throws SqlRewriteError where they differ
 */
export function checkRewrite(
  query: BoundQuery,
  rewritten: RewrittenSql,
  names: ReadonlyMap<NameBinding, RewrittenName>,
  changed: Database,
  dialect: SqlDialect,
  checkResults: boolean,
): void {
  const again = bindAgain(query, rewritten, changed, dialect);
  const moved = (offset: number): number => movedOffset(rewritten.edits, offset);
  const meanings = new Map(again.names.map(({ token, found }) => [token.span.start, meaningOf(found, (at) => at)]));
  for (const binding of query.names) {
    const place = names.get(binding);
    if (place?.nameAt === null) continue;
    const at = place === undefined ? moved(binding.token.span.start) : moved(place.edit.start) + place.nameAt;
    if (meanings.get(at) !== meaningOf(binding.found, moved)) throw refusal(query, binding);
  }
  if (checkResults && shapeOf(query) !== shapeOf(again)) throw refusal(query, null);
}

function bindAgain(query: BoundQuery, { sql }: RewrittenSql, changed: Database, dialect: SqlDialect): BoundQuery {
  try {
    return bindQuery(sql, changed, dialect);
  } catch (error) {
    if (!(error instanceof SqlRewriteError)) throw error;
    throw sqlFault(query.sql, 0, `the query can't follow the change (it would be: ${error.message})`, error.fix);
  }
}

function refusal({ sql }: BoundQuery, binding: NameBinding | null): Error {
  const what =
    binding === null ? 'the result would have other columns' : `${binding.token.name} would mean something else`;
  const fix = 'Choose another name for the column.';
  return sqlFault(sql, binding?.token.span.start ?? 0, `${what} after the change`, fix);
}

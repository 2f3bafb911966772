import { getOrMake, itemAt } from '../present.js';
import { columnKey, type Database } from '../schema/schema.js';
import type { Star } from './ast.js';
import { baseNames, baseTables, type BoundQuery, type NameBinding } from './bound-query.js';
import type { SqlDialect } from './dialect.js';
import type { SchemaChange } from './schema-change.js';
import {
  baseOf,
  type Found,
  type Merge,
  nameIn,
  namesFrom,
  type Relation,
  type RelationColumn,
  type ScopeSource,
  type World,
} from './scope.js';
import { SqlRewriteError } from '../errors.js';
import { bindQuery } from './binder.js';
import type { RewrittenSql, SqlEdit } from './edits.js';
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

const NOTHING: ReadonlySet<string> = new Set();

/** The names of a query's columns after a change of the schema. */
export class RewrittenNames implements World {
  readonly dialect: SqlDialect;
  readonly rowids: readonly string[];
  /** Names that columns of subqueries keep by an alias that the rewrite adds. */
  readonly #kept = new Map<RelationColumn, string>();
  readonly #expanded = new Set<Star>();
  readonly #labels = new Map<ScopeSource, string>();
  readonly #merges = new Map<ScopeSource, readonly Merge[]>();
  readonly #names = new Map<Relation, readonly string[]>();
  readonly #added: ReadonlyMap<number, ReadonlySet<string>>;
  readonly #change: SchemaChange;
  readonly #changed: Database;

  /** @param changed the schema after the change */
  constructor(change: SchemaChange, changed: Database, dialect: SqlDialect) {
    this.#change = change;
    this.#changed = changed;
    this.dialect = dialect;
    this.rowids = dialect.rowids;
    const fold = (name: string): string => dialect.fold(name);
    this.#added = new Map([...change.added].map(([table, names]) => [table, new Set(names.map(fold))]));
  }

  namesOf(relation: Relation): readonly string[] {
    return getOrMake(this.#names, relation, () => this.#readNames(relation));
  }

  #readNames(relation: Relation): readonly string[] {
    const { table, columns } = relation;
    if (table === null) {
      return namesFrom(
        relation,
        columns.map((column) => this.rawNameOf(column)),
        this.dialect,
      );
    }
    const names = baseNames(itemAt(baseTables(this.#changed, this.dialect).relations, table), this.dialect);
    return names.length === columns.length ? names : names.slice(0, columns.length);
  }

  /** The name that a column gets, before duplicates are distinguished. */
  rawNameOf(column: RelationColumn): string {
    const { origin, rawName } = column;
    if (origin.kind === 'base') return this.#change.renames.get(columnKey(origin.ref)) ?? rawName;
    const follows = origin.kind === 'through' || origin.kind === 'after';
    return this.#kept.get(column) ?? (follows ? nameIn(this, origin.inner) : rawName);
  }

  labelOf(source: ScopeSource): string | null {
    return source.label ?? this.#labels.get(source) ?? null;
  }

  /** Records the alias that a subquery without one gets. */
  giveLabel(source: ScopeSource, label: string): void {
    this.#labels.set(source, label);
  }

  isExpanded(star: Star): boolean {
    return this.#expanded.has(star);
  }

  expand(star: Star): void {
    this.#expanded.add(star);
  }

  addedTo(relation: Relation): ReadonlySet<string> {
    return (relation.table === null ? undefined : this.#added.get(relation.table)) ?? NOTHING;
  }

  mergesOf(source: ScopeSource): readonly Merge[] {
    return this.#merges.get(source) ?? source.merges;
  }

  /** Records that a USING or NATURAL becomes an ON, so that its columns are no longer one. */
  dropMerges(source: ScopeSource): void {
    this.#merges.set(source, []);
  }

  /** Gives a column of a subquery back its present name. */
  keepName(column: RelationColumn, name: string): void {
    this.#kept.set(column, name);
    this.#names.delete(column.relation);
  }

  keptName(column: RelationColumn): string | undefined {
    return this.#kept.get(column);
  }
}

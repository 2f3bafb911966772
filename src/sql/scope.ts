import type { ColumnRef } from '../schema/schema.js';
import type { DerivedSource, Identifier, JoinType, ResultExpression, Star, TableSource } from './ast.js';
import { foldName } from './dialect.js';

/** Where a column of a relation gets its name from. */
export type ColumnOrigin =
  | { readonly kind: 'base'; readonly ref: ColumnRef }
  /** Named by AS, by a CTE's column list or by VALUES; `inner` is the column it passes on, if it is one. */
  | { readonly kind: 'named'; readonly inner: RelationColumn | null }
  /** Named after the column that the subquery selects, by name or by a star. */
  | { readonly kind: 'through'; readonly inner: RelationColumn; readonly node: ResultExpression | Star }
  /** Named by the source text of its expression. */
  | { readonly kind: 'text'; readonly node: ResultExpression };

export interface RelationColumn {
  readonly relation: Relation;
  readonly index: number;
  /** The name before duplicates are told apart. */
  readonly rawName: string;
  readonly origin: ColumnOrigin;
}

/** A table, subquery or CTE as a set of columns. */
export interface Relation {
  /** Index of the schema's table, or null. */
  readonly table: number | null;
  readonly columns: RelationColumn[];
}

/** A column that USING or NATURAL matches with one to its left. */
export interface Merge {
  readonly left: ColumnTarget;
  readonly right: ColumnTarget;
  /** The column's token in USING; null under NATURAL. */
  readonly token: Identifier | null;
  readonly type: JoinType;
}

/** One table of a FROM clause. */
export interface ScopeSource {
  readonly label: string | null;
  readonly relation: Relation;
  readonly node: TableSource | DerivedSource;
  /** Whether a RIGHT or FULL JOIN follows in the same clause. */
  beforeOuter: boolean;
  merges: Merge[];
}

/** The names visible to an expression: the FROM clause, then the aliases of the result, then the query around. */
export interface Scope {
  readonly sources: readonly ScopeSource[];
  readonly aliases: readonly ResultExpression[];
  readonly parent: Scope | null;
}

export interface ColumnTarget {
  readonly kind: 'column';
  readonly source: ScopeSource;
  readonly column: RelationColumn;
}

export type Target =
  | ColumnTarget
  | { readonly kind: 'rowid'; readonly source: ScopeSource }
  /** The alias of a result column. */
  | { readonly kind: 'alias'; readonly node: ResultExpression }
  /** A column that is only in the changed schema. */
  | { readonly kind: 'added'; readonly source: ScopeSource };

/** What a name stands for; `merged` holds the further columns that USING or NATURAL made one with it. */
export interface Found {
  readonly target: Target;
  readonly merged: readonly ColumnTarget[];
  /** Under FULL JOIN the name is the first of the merged columns that is not null. */
  readonly coalesced: boolean;
  readonly ambiguous: boolean;
}

/** The names of a schema's columns, before or after a change. */
export interface World {
  /** Names of a relation's columns, in order, unique. */
  namesOf(relation: Relation): readonly string[];
  /** The name before the dot of a source's columns, or null. */
  labelOf(source: ScopeSource): string | null;
  /** Folded names of columns that a base table has in this world only. */
  addedTo(relation: Relation): ReadonlySet<string>;
  /** Whether a star is written as a list of columns. */
  isExpanded(star: Star): boolean;
  /** The matches of a source by USING or NATURAL that still hold. */
  mergesOf(source: ScopeSource): readonly Merge[];
  /** Folded names of the implicit row id. */
  readonly rowids: readonly string[];
}

/** Name of one column in a world. */
export function nameIn(world: World, column: RelationColumn): string {
  return world.namesOf(column.relation)[column.index] ?? column.rawName;
}

/** A name that stands for one thing. */
export function foundOne(target: Target): Found {
  return { target, merged: [], coalesced: false, ambiguous: false };
}

/** Names made unique as SQLite does for the columns of a subquery: `id`, `id:1`, … */
export function uniqueNames(raw: readonly string[]): string[] {
  const seen = new Set<string>();
  return raw.map((name) => {
    let unique = name;
    for (let count = 1; seen.has(foldName(unique)); count++) unique = `${name.replace(/:[0-9]*$/, '')}:${count}`;
    seen.add(foldName(unique));
    return unique;
  });
}

/** The column of a relation with a folded name; `added` when only the changed schema has it. */
export function columnNamed(
  world: World,
  source: ScopeSource,
  name: string,
): ColumnTarget | { kind: 'added'; source: ScopeSource } | null {
  const index = world.namesOf(source.relation).findIndex((candidate) => foldName(candidate) === name);
  const column = source.relation.columns[index];
  if (column !== undefined) return { kind: 'column', source, column };
  return world.addedTo(source.relation).has(name) ? { kind: 'added', source } : null;
}

function mergeOf(world: World, target: Target, name: string): Merge | undefined {
  if (target.kind !== 'column') return undefined;
  return world.mergesOf(target.source).find((merge) => foldName(nameIn(world, merge.right.column)) === name);
}

function join(world: World, name: string, qualified: boolean, found: Found | null, target: Target): Found {
  if (found === null) return foundOne(target);
  const merge = qualified ? undefined : mergeOf(world, target, name);
  if (merge === undefined) return { ...found, ambiguous: true };
  // SQLite takes the left column, but the right one under RIGHT JOIN and COALESCE(left, right) under FULL JOIN.
  if (merge.type === 'right' && found.target.kind === 'column') {
    return { ...found, target: merge.right, merged: [...found.merged, found.target], coalesced: false };
  }
  return { ...found, merged: [...found.merged, merge.right], coalesced: found.coalesced || merge.type === 'full' };
}

function lookupSources(world: World, scope: Scope, qualifier: string | null, name: string): Found | null {
  let found: Found | null = null;
  const labelled = scope.sources.filter((source) => {
    const label = qualifier === null ? null : world.labelOf(source);
    return qualifier === null || (label !== null && foldName(label) === qualifier);
  });
  for (const source of labelled) {
    const target = columnNamed(world, source, name);
    if (target !== null) found = join(world, name, qualifier !== null, found, target);
  }
  if (found !== null || !world.rowids.includes(name)) return found;
  const [only, ...others] = labelled.filter(({ relation }) => relation.table !== null);
  if (only === undefined || others.length > 0) return null;
  return foundOne({ kind: 'rowid', source: only });
}

function lookupAlias(scope: Scope, name: string): Found | null {
  const node = scope.aliases.find(({ alias }) => alias !== null && foldName(alias.name) === name);
  return node === undefined ? null : foundOne({ kind: 'alias', node });
}

/**
 * What a name stands for in a scope, by SQLite's order: the tables of the innermost query, its row id, its result
 * aliases, then the query around it. Names are compared without regard to ASCII case. Null when nothing has the name.
 */
export function lookup(world: World, scope: Scope | null, qualifier: string | null, name: string): Found | null {
  const [table, column] = [qualifier === null ? null : foldName(qualifier), foldName(name)];
  for (let at = scope; at !== null; at = at.parent) {
    const found = lookupSources(world, at, table, column) ?? (table === null ? lookupAlias(at, column) : null);
    if (found !== null) return found;
  }
  return null;
}

/** The column of the schema that a column passes on unchanged, or null. */
export function baseOf(column: RelationColumn): ColumnRef | null {
  const { origin } = column;
  if (origin.kind === 'base') return origin.ref;
  if (origin.kind === 'text' || origin.inner === null) return null;
  return baseOf(origin.inner);
}

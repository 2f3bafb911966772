import { getOrMake } from '../present.js';
import type { ColumnRef } from '../schema/schema.js';
import type { DerivedSource, Identifier, JoinType, ResultExpression, Star, TableSource } from './ast.js';
import type { AliasRule, SqlDialect } from './dialect.js';

/** Where a column of a relation gets its name from. */
export type ColumnOrigin =
  | { readonly kind: 'base'; readonly ref: ColumnRef }
  /** Named by AS, by a CTE's column list or by VALUES; `inner` is the column it passes on, if it is one. */
  | { readonly kind: 'named'; readonly inner: RelationColumn | null }
  /** Named after the column that the subquery selects, by name or by a star. */
  | { readonly kind: 'through'; readonly inner: RelationColumn; readonly node: ResultExpression | Star }
  /** Named after a column that it computes its value from, as PostgreSQL calls a cast after its operand. */
  | { readonly kind: 'after'; readonly inner: RelationColumn; readonly node: ResultExpression }
  /** Named by the source text of its expression, or by a rule that has nothing to do with columns. */
  | { readonly kind: 'text'; readonly node: ResultExpression };

export interface RelationColumn {
  readonly relation: Relation;
  readonly index: number;
  /** The name before duplicates are distinguished. */
  readonly rawName: string;
  readonly origin: ColumnOrigin;
}

/** A table, subquery or CTE as a set of columns. */
export interface Relation {
  /** Index of the schema's table, or null. */
  readonly table: number | null;
  readonly columns: RelationColumn[];
  /** Folded names that refer to the table's hidden columns. */
  readonly hidden: ReadonlySet<string>;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** The facts about a column that a new relation gives. */
export type NewColumn = Pick<RelationColumn, 'rawName' | 'origin'>;

/** A relation of these columns; `table` is the index of the schema's table. */
export function relationOf(
  columns: readonly NewColumn[],
  table: number | null = null,
  hidden: ReadonlySet<string> = NOTHING_HIDDEN,
): Relation {
  const relation: Relation = { table, columns: [], hidden };
  columns.forEach((column, index) => relation.columns.push({ relation, index, ...column }));
  return relation;
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
  /** True if a RIGHT or FULL JOIN follows in the same clause. */
  beforeOuter: boolean;
  merges: Merge[];
}

/** The names visible to an expression: the FROM clause, then the aliases of the result, then the query around. */
export interface Scope {
  readonly sources: readonly ScopeSource[];
  readonly aliases: readonly ResultExpression[];
  /** How the aliases are seen; as in SQLite where nothing is said. */
  readonly aliasRule?: AliasRule;
  /** The columns that the result, without an alias, or GROUP BY names. */
  readonly used?: readonly Target[];
  readonly parent: Scope | null;
}

export interface ColumnTarget {
  readonly kind: 'column';
  readonly source: ScopeSource;
  readonly column: RelationColumn;
}

export type Target =
  | ColumnTarget
  /** The row id, or a hidden column of a virtual table. */
  | { readonly kind: 'rowid'; readonly source: ScopeSource; readonly hidden?: string }
  /** The alias of a result column. */
  | { readonly kind: 'alias'; readonly node: ResultExpression }
  /** A result column by its name, in a whole term of ORDER BY, GROUP BY or DISTINCT ON. */
  | { readonly kind: 'output'; readonly column: RelationColumn }
  /** A column that is only in the changed schema. */
  | { readonly kind: 'added'; readonly source: ScopeSource };

/** The target of a name; `merged` holds the further columns that USING or NATURAL made one with it. */
export interface Found {
  readonly target: Target;
  readonly merged: readonly ColumnTarget[];
  /** Under FULL JOIN the name is the first of the merged columns that is not null. */
  readonly coalesced: boolean;
  readonly ambiguous: boolean;
}

/** The names of a schema's columns, before or after a change. */
export interface World {
  readonly dialect: SqlDialect;
  /** Names of a relation's columns, in order, unique. */
  namesOf(relation: Relation): readonly string[];
  /** The name before the dot of a source's columns, or null. */
  labelOf(source: ScopeSource): string | null;
  /** Folded names of columns that a base table has in this world only. */
  addedTo(relation: Relation): ReadonlySet<string>;
  /** Checks whether a star is written as a list of columns. */
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

/** A name that refers to one thing. */
export function foundOne(target: Target): Found {
  return { target, merged: [], coalesced: false, ambiguous: false };
}

/** The form of a name under which a world's dialect compares it. */
export function foldIn({ dialect }: World, name: string): string {
  return dialect.fold(name);
}

/** Names of a relation's columns from those that its parts give. */
export function namesFrom({ table }: Relation, raw: readonly string[], dialect: SqlDialect): readonly string[] {
  if (dialect.scoping.duplicates !== 'numbered') return raw;
  // SQLite calls a subquery's column `column1` where it would be TRUE or FALSE (sqlite3ColumnsFromExprList).
  const usable = raw.map((name, i) => (table === null && /^(?:true|false)$/i.test(name) ? `column${i + 1}` : name));
  return uniqueNames(usable, dialect);
}

/** Names made unique as SQLite does for the columns of a subquery: `id`, `id:1`, … */
function uniqueNames(raw: readonly string[], dialect: SqlDialect): string[] {
  const seen = new Set<string>();
  return raw.map((name) => {
    let unique = name;
    for (let count = 1; seen.has(dialect.fold(unique)); count++) unique = `${name.replace(/:[0-9]*$/, '')}:${count}`;
    seen.add(dialect.fold(unique));
    return unique;
  });
}

const positions = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** The first place of each name of a relation, by its folded form. */
function positionsOf(names: readonly string[], dialect: SqlDialect): ReadonlyMap<string, number> {
  return getOrMake(positions, names, () => new Map(names.map((name, i) => [dialect.fold(name), i] as const).reverse()));
}

/** The column of a relation with a folded name; `added` when only the changed schema has it. */
export function columnNamed(
  world: World,
  source: ScopeSource,
  name: string,
): ColumnTarget | { kind: 'added'; source: ScopeSource } | null {
  const index = positionsOf(world.namesOf(source.relation), world.dialect).get(name);
  const column = index === undefined ? undefined : source.relation.columns[index];
  if (column !== undefined) return { kind: 'column', source, column };
  return world.addedTo(source.relation).has(name) ? { kind: 'added', source } : null;
}

function mergeOf(world: World, target: Target, name: string): Merge | undefined {
  if (target.kind !== 'column') return undefined;
  return world.mergesOf(target.source).find((merge) => foldIn(world, nameIn(world, merge.right.column)) === name);
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
    return qualifier === null || (label !== null && foldIn(world, label) === qualifier);
  });
  for (const source of labelled) {
    const target = columnNamed(world, source, name);
    if (target !== null) found = join(world, name, qualifier !== null, found, target);
    if (found !== null && isTwice(world, source, name)) found = { ...found, ambiguous: true };
  }
  if (found !== null) return found;
  const [hiding, ...further] = labelled.filter(({ relation }) => relation.hidden.has(name));
  if (hiding !== undefined) {
    return { ...foundOne({ kind: 'rowid', source: hiding, hidden: name }), ambiguous: further.length > 0 };
  }
  if (!world.rowids.includes(name)) return null;
  const [only, ...others] = labelled.filter(({ relation }) => relation.table !== null);
  if (only === undefined || others.length > 0) return null;
  return foundOne({ kind: 'rowid', source: only });
}

/** Checks whether two columns of a source have the name: two of a subquery's, or one and an added one. */
function isTwice(world: World, { relation }: ScopeSource, name: string): boolean {
  if (world.dialect.scoping.duplicates === 'numbered') return false;
  const own = world.namesOf(relation).filter((candidate) => foldIn(world, candidate) === name).length;
  return own + (world.addedTo(relation).has(name) ? 1 : 0) > 1;
}

function lookupAlias(world: World, scope: Scope, name: string): Found | null {
  if (scope.aliasRule === 'none') return null;
  const named = scope.aliases.filter(({ alias }) => alias !== null && foldIn(world, alias.name) === name);
  const [node, ...others] = named;
  if (node === undefined) return null;
  const ambiguous = others.length > 0 && world.dialect.scoping.terms === 'outputs';
  return { ...foundOne({ kind: 'alias', node }), ambiguous };
}

/** Looks up a name in one scope, without those around it. */
function lookupHere(world: World, scope: Scope, table: string | null, column: string): Found | null {
  const found = lookupSources(world, scope, table, column);
  const { aliasRule = 'after-columns' } = scope;
  if (table !== null || (found !== null && aliasRule === 'after-columns')) return found;
  const alias = lookupAlias(world, scope, column);
  if (found?.ambiguous === true && aliasRule === 'before-unused')
    return lookupUsed(world, scope, alias, column) ?? found;
  if (found === null) return aliasRule === 'unlike-columns' ? null : alias;
  if (alias !== null && aliasRule === 'before-unused' && !isUsed(world, scope, column)) return alias;
  return alias === null || isAliasOf(world, scope, alias, found) ? found : { ...found, ambiguous: true };
}

/** Looks up a name of several tables that the result or GROUP BY also names; null if they name several things. */
function lookupUsed(world: World, { used = [], ...scope }: Scope, alias: Found | null, name: string): Found | null {
  const [first, ...others] = used.filter(
    (target) => target.kind === 'column' && foldIn(world, nameIn(world, target.column)) === name,
  );
  if (first === undefined) return alias;
  const [column, source] = first.kind === 'column' ? [first.column, first.source] : [null, null];
  const isSame = (other: Target): boolean =>
    other.kind === 'column' && other.column === column && other.source === source;
  if (!others.every(isSame)) return null;
  return alias === null || isAliasOf(world, scope, alias, foundOne(first)) ? foundOne(first) : null;
}

function isUsed(world: World, { used = [] }: Scope, name: string): boolean {
  return used.some((target) => target.kind === 'column' && foldIn(world, nameIn(world, target.column)) === name);
}

/**
 * Checks whether an alias refers to the very column that has its name, so that it makes no difference which is meant.
 */
function isAliasOf(world: World, scope: Scope, { target }: Found, { target: column }: Found): boolean {
  if (target.kind !== 'alias' || target.node.expression.kind !== 'column') return false;
  const { table, column: token } = target.node.expression;
  const meant = lookupSources(
    world,
    scope,
    table === null ? null : foldIn(world, table.name),
    foldIn(world, token.name),
  );
  if (meant?.target.kind !== 'column' || column.kind !== 'column') return false;
  return meant.target.column === column.column && meant.target.source === column.source;
}

/**
 * Looks up a name in a scope: the tables of the innermost query, its row id, its result aliases (if the scope lets them
 * be seen), then the query around it. Null when nothing has the name.
 */
export function lookup(world: World, scope: Scope | null, qualifier: string | null, name: string): Found | null {
  const [table, column] = [qualifier === null ? null : foldIn(world, qualifier), foldIn(world, name)];
  for (let at = scope; at !== null; at = at.parent) {
    const found = lookupHere(world, at, table, column);
    if (found !== null) return found;
  }
  return null;
}

/** The column of the schema that a column passes on unchanged, or null. */
export function baseOf(column: RelationColumn): ColumnRef | null {
  const { origin } = column;
  if (origin.kind === 'base') return origin.ref;
  if (origin.kind === 'text' || origin.kind === 'after' || origin.inner === null) return null;
  return baseOf(origin.inner);
}

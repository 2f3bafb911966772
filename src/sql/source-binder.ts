import type { DerivedSource, Identifier, Join, JoinType, Source, TableSource } from './ast.js';
import type { Binder, Environment } from './binder.js';
import { foldName } from './dialect.js';
import {
  columnNamed,
  nameIn,
  type ColumnTarget,
  type Merge,
  type Scope,
  type ScopeSource,
  type World,
} from './scope.js';

/** The first source with a folded column name, from left to right, as USING and NATURAL choose it; null when none has it. */
export function firstNamed(
  world: World,
  sources: readonly ScopeSource[],
  name: string,
): ReturnType<typeof columnNamed> {
  for (const source of sources) {
    const target = columnNamed(world, source, name);
    if (target !== null) return target;
  }
  return null;
}

/** Opens the tables of one FROM clause and binds its ON and USING. */
export class SourceBinder {
  readonly #binder: Binder;
  readonly #environment: Environment | null;
  readonly #parent: Scope | null;
  readonly #grouped = new Set<ScopeSource>();
  readonly #conditions: { join: Join; sources: readonly ScopeSource[] }[] = [];

  constructor(binder: Binder, environment: Environment | null, parent: Scope | null) {
    this.#binder = binder;
    this.#environment = environment;
    this.#parent = parent;
  }

  /** Sources of a FROM clause from left to right; none without FROM. */
  bind(from: Source | null): ScopeSource[] {
    if (from === null) return [];
    const sources = this.#open(from);
    // SQLite resolves ON like WHERE: against every table of the clause.
    this.#bindConditions(sources);
    return sources;
  }

  #bindConditions(sources: readonly ScopeSource[]): void {
    for (const { join } of this.#conditions.splice(0)) {
      if (join.constraint?.kind !== 'on') continue;
      const scope: Scope = { sources, aliases: [], parent: this.#parent };
      this.#binder.bindExpression(join.constraint.condition, scope, this.#environment);
    }
  }

  #open(source: Source): ScopeSource[] {
    switch (source.kind) {
      case 'table':
        return [this.#source(source, source.alias?.name ?? source.name.name)];
      case 'derived':
        return [this.#source(source, source.alias?.name ?? null)];
      case 'group':
        return this.#openGroup(source.source, source.alias);
      case 'join':
        return this.#openJoin(source);
    }
  }

  #openGroup(source: Source, alias: Identifier | null): ScopeSource[] {
    const single = source.kind === 'table' || source.kind === 'derived';
    if (alias !== null && !single) {
      throw this.#binder.fault(alias, 'an alias of a parenthesized join', 'Write the join as a subquery.');
    }
    if (single) return this.#open(alias === null ? source : { ...source, alias });
    const sources = new SourceBinder(this.#binder, this.#environment, this.#parent).bind(source);
    if (sources.some(({ merges }) => merges.length > 0)) {
      throw this.#binder.fault(source, 'USING or NATURAL in a parenthesized join', 'Write the join with ON.');
    }
    for (const inner of sources) this.#grouped.add(inner);
    return sources;
  }

  #source(node: TableSource | DerivedSource, label: string | null): ScopeSource {
    const place = { environment: this.#environment, parent: this.#parent };
    const relation =
      node.kind === 'table'
        ? this.#binder.openTable(node, this.#environment)
        : this.#binder.bindSelect(node.select, place, 'relation');
    return { label, relation, node, beforeOuter: false, merges: [] };
  }

  #openJoin(join: Join): ScopeSource[] {
    const left = this.#open(join.left);
    const right = this.#open(join.right);
    if (join.type === 'right' || join.type === 'full') for (const source of left) source.beforeOuter = true;
    const sources = [...left, ...right];
    this.#conditions.push({ join, sources });
    const tokens = join.constraint?.kind === 'using' ? join.constraint.columns : null;
    if (join.natural !== null && join.constraint !== null) {
      throw this.#binder.fault(join.constraint, 'a NATURAL join with ON or USING', 'Leave one of them out.');
    }
    if (join.natural !== null)
      this.#merge(join, left, right, naturalMerges(this.#binder.world, join.type, left, right));
    else if (tokens !== null)
      this.#merge(
        join,
        left,
        right,
        tokens.map((token) => this.#usingMerge(join, token, left, right)),
      );
    return sources;
  }

  #merge(node: Join, left: ScopeSource[], right: ScopeSource[], merges: readonly Merge[]): void {
    if ([...left, ...right].some((source) => this.#grouped.has(source))) {
      throw this.#binder.fault(node, 'USING or NATURAL beside a parenthesized join', 'Write the join with ON.');
    }
    for (const merge of merges) merge.right.source.merges.push(merge);
    this.#binder.joins.push({
      node,
      left,
      right,
      merges: merges.map((merge) => ({ source: merge.right.source, merge })),
    });
  }

  #usingMerge({ type }: Join, token: Identifier, left: readonly ScopeSource[], right: readonly ScopeSource[]): Merge {
    const name = foldName(token.name);
    const pair = [left, right].map((sources) => firstNamed(this.#binder.world, sources, name));
    const [a, b] = pair;
    if (a?.kind !== 'column' || b?.kind !== 'column') {
      const reason = `cannot join using column ${token.name}: not in both tables`;
      throw this.#binder.fault(token, reason, 'Name a column of both tables.');
    }
    return { left: a, right: b, token, type };
  }
}

/** The columns that NATURAL matches: those of the right side whose name a table to the left has, too. */
export function naturalMerges(
  world: World,
  type: JoinType,
  left: readonly ScopeSource[],
  right: readonly ScopeSource[],
): Merge[] {
  const merges: Merge[] = [];
  for (const source of right) {
    for (const column of source.relation.columns) {
      const name = foldName(nameIn(world, column));
      const a = firstNamed(world, left, name);
      const b = firstNamed(world, right, name);
      if (a?.kind !== 'column' || b?.kind !== 'column' || b.column !== column || b.source !== source) continue;
      const target: ColumnTarget = { kind: 'column', source, column };
      merges.push({ left: a, right: target, token: null, type });
    }
  }
  return merges;
}

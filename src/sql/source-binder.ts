import type { DerivedSource, Expression, Identifier, Join, JoinType, Source, TableSource } from './ast.js';
import type { Environment, NameBinder } from './bound-query.js';
import {
  columnNamed,
  foldIn,
  lookup,
  nameIn,
  type ColumnTarget,
  type Merge,
  type Scope,
  type ScopeSource,
  type World,
} from './scope.js';

/**
 * The first source with a folded column name, from left to right, as USING and NATURAL choose it; null when none has
 * it.
 */
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
  readonly #binder: NameBinder;
  readonly #environment: Environment | null;
  readonly #parent: Scope | null;
  readonly #grouped = new Set<ScopeSource>();
  readonly #opened: ScopeSource[] = [];
  readonly #sourceOf = new Map<Source, ScopeSource>();
  readonly #merges = new Map<Join, readonly Merge[]>();
  readonly #calls: (readonly Expression[])[] = [];
  readonly #conditions: { join: Join; sources: readonly ScopeSource[] }[] = [];

  constructor(binder: NameBinder, environment: Environment | null, parent: Scope | null) {
    this.#binder = binder;
    this.#environment = environment;
    this.#parent = parent;
  }

  /** Sources of a FROM clause from left to right; none without FROM. */
  bind(from: Source | null): ScopeSource[] {
    if (from === null) return [];
    const sources = this.#open(from, true);
    this.#bindConditions(sources);
    return sources;
  }

  /** The columns that `*` selects from a bound FROM clause, in order. */
  star(from: Source | null): ColumnTarget[] {
    if (from === null) return [];
    if (from.kind === 'group') return this.star(from.source);
    if (from.kind === 'join') return this.#joinStar(from);
    const source = this.#sourceOf.get(from);
    return (source?.relation.columns ?? []).map((column) => ({
      kind: 'column',
      source: source as ScopeSource,
      column,
    }));
  }

  #joinStar(join: Join): ColumnTarget[] {
    const [left, right] = [this.star(join.left), this.star(join.right)];
    const merges = this.#merges.get(join) ?? [];
    const { star } = this.#binder.world.dialect.scoping;
    if (star === 'left-order' && join.type === 'right' && merges.length > 0) {
      throw this.#binder.fault(join, 'a star over a RIGHT JOIN with USING or NATURAL', 'List the columns.');
    }
    const isOneOf = (targets: readonly ColumnTarget[], { column, source }: ColumnTarget): boolean =>
      targets.some((target) => target.column === column && target.source === source);
    const rights = merges.map((merge) => merge.right);
    const rest = right.filter((target) => !isOneOf(rights, target));
    if (star === 'in-place') return [...left, ...rest];
    const lefts = merges.map((merge) => merge.left);
    const merged = star === 'left-order' ? left.filter((target) => isOneOf(lefts, target)) : lefts;
    return [...merged, ...left.filter((target) => !isOneOf(lefts, target)), ...rest];
  }

  /** Checks whether ON and the arguments of functions are resolved like WHERE: against every table of the clause. */
  #isWhole(): boolean {
    return this.#binder.world.dialect.scoping.on === 'clause';
  }

  #bindConditions(sources: readonly ScopeSource[]): void {
    const whole = this.#isWhole();
    const clause: Scope = { sources, aliases: [], parent: this.#parent };
    for (const args of this.#calls.splice(0)) this.#bindArguments(args, clause);
    for (const { join, sources: joined } of this.#conditions.splice(0)) {
      if (join.constraint?.kind !== 'on') continue;
      const scope: Scope = { sources: whole ? sources : joined, aliases: [], parent: this.#parent };
      this.#binder.bindExpression(join.constraint.condition, scope, this.#environment);
    }
  }

  /** `isFirst`: nothing is to its left in the clause. */
  #open(source: Source, isFirst: boolean): ScopeSource[] {
    switch (source.kind) {
      case 'table':
        return [this.#source(source, source.alias?.name ?? source.name.name)];
      case 'derived':
        return [this.#source(source, source.alias?.name ?? null)];
      case 'group':
        return this.#openGroup(source.source, source.alias, isFirst);
      case 'join':
        return this.#openJoin(source, isFirst);
    }
  }

  #openGroup(source: Source, alias: Identifier | null, isFirst: boolean): ScopeSource[] {
    const single = source.kind === 'table' || source.kind === 'derived';
    if (alias !== null && !single) {
      throw this.#binder.fault(alias, 'an alias of a parenthesized join', 'Write the join as a subquery.');
    }
    if (single) {
      const named = alias === null ? source : { ...source, alias };
      const opened = this.#open(named, isFirst);
      const [only] = opened;
      if (only !== undefined) this.#sourceOf.set(source, only);
      return opened;
    }
    // SQLite takes the parentheses around the first join away, and reads others as a subquery.
    if (isFirst || !this.#isWhole()) return this.#open(source, isFirst);
    const inner = new SourceBinder(this.#binder, this.#environment, this.#parent);
    const sources = inner.bind(source);
    for (const [node, opened] of inner.#sourceOf) this.#sourceOf.set(node, opened);
    if (sources.some(({ merges }) => merges.length > 0)) {
      throw this.#binder.fault(source, 'USING or NATURAL in a parenthesized join', 'Write the join with ON.');
    }
    for (const grouped of sources) this.#grouped.add(grouped);
    return sources;
  }

  #source(node: TableSource | DerivedSource, label: string | null): ScopeSource {
    const relation = node.kind === 'table' ? this.#openTable(node) : this.#openDerived(node);
    const source: ScopeSource = { label, relation, node, beforeOuter: false, merges: [] };
    this.#sourceOf.set(node, source);
    this.#opened.push(source);
    return source;
  }

  #lateralScope(): Scope {
    return { sources: [...this.#opened], aliases: [], parent: this.#parent };
  }

  #openTable(node: TableSource): ScopeSource['relation'] {
    if (node.args === null) return this.#binder.openTable(node, this.#environment);
    const relation = this.#binder.openTableFunction(node);
    if (this.#isWhole()) this.#calls.push(node.args);
    else this.#bindArguments(node.args, this.#lateralScope());
    return relation;
  }

  #bindArguments(args: readonly Expression[], scope: Scope): void {
    for (const argument of args) this.#binder.bindExpression(argument, scope, this.#environment);
  }

  #openDerived(node: DerivedSource): ScopeSource['relation'] {
    const parent = node.lateral ? this.#lateralScope() : this.#parent;
    const relation = this.#binder.bindSelect(node.select, { environment: this.#environment, parent }, 'relation');
    return this.#binder.withColumnNames(relation, node);
  }

  #openJoin(join: Join, isFirst: boolean): ScopeSource[] {
    const left = this.#open(join.left, isFirst);
    const right = this.#open(join.right, false);
    if (join.type === 'right' || join.type === 'full') for (const source of left) source.beforeOuter = true;
    const sources = [...left, ...right];
    this.#conditions.push({ join, sources });
    const tokens = join.constraint?.kind === 'using' ? join.constraint.columns : null;
    if (join.natural !== null && join.constraint !== null) {
      throw this.#binder.fault(join.constraint, 'a NATURAL join with ON or USING', 'Leave one of them out.');
    }
    if (join.natural !== null) this.#merge(join, left, right, this.#naturalMerges(join, left, right));
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
      throw this.#binder.fault(node, 'USING or NATURAL next to a parenthesized join', 'Write the join with ON.');
    }
    this.#merges.set(node, merges);
    for (const merge of merges) merge.right.source.merges.push(merge);
    this.#binder.joins.push({
      node,
      left,
      right,
      merges: merges.map((merge) => ({ source: merge.right.source, merge })),
    });
  }

  #naturalMerges(join: Join, left: readonly ScopeSource[], right: readonly ScopeSource[]): readonly Merge[] {
    const { world } = this.#binder;
    const merges = naturalMerges(world, join.type, left, right);
    if (world.dialect.scoping.using === 'first') return merges;
    for (const merge of merges) this.#checkOnly(join, nameIn(world, merge.right.column), left, right);
    const order = this.star(join.left);
    const place = ({ left: a }: Merge): number =>
      order.findIndex(({ column, source }) => column === a.column && source === a.source);
    return [...merges].sort((a, b) => place(a) - place(b));
  }

  /** Refuses a column of USING or NATURAL that one side has twice, where the dialect does. */
  #checkOnly(
    node: { readonly span: { readonly start: number } },
    name: string,
    ...sides: readonly (readonly ScopeSource[])[]
  ): void {
    const { world } = this.#binder;
    for (const sources of sides) {
      if (lookup(world, { sources, aliases: [], parent: null }, null, name)?.ambiguous === true) {
        throw this.#binder.fault(
          node,
          `common column ${name} is in a side of the join twice`,
          'Write the join with ON.',
        );
      }
    }
  }

  #usingMerge({ type }: Join, token: Identifier, left: readonly ScopeSource[], right: readonly ScopeSource[]): Merge {
    const name = foldIn(this.#binder.world, token.name);
    if (this.#binder.world.dialect.scoping.using === 'only') this.#checkOnly(token, token.name, left, right);
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
function naturalMerges(
  world: World,
  type: JoinType,
  left: readonly ScopeSource[],
  right: readonly ScopeSource[],
): Merge[] {
  const merges: Merge[] = [];
  for (const source of right) {
    for (const column of source.relation.columns) {
      const name = foldIn(world, nameIn(world, column));
      const a = firstNamed(world, left, name);
      const b = firstNamed(world, right, name);
      if (a?.kind !== 'column' || b?.kind !== 'column' || b.column !== column || b.source !== source) continue;
      const target: ColumnTarget = { kind: 'column', source, column };
      merges.push({ left: a, right: target, token: null, type });
    }
  }
  return merges;
}

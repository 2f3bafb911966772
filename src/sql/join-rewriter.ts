import type { Identifier } from './ast.js';
import type { BoundJoin, BoundQuery, NameContext } from './bound-query.js';
import type { RewrittenNames } from './rewritten-names.js';
import { insertion, spacedEdit, type SqlEdit } from './edits.js';
import {
  columnNamed,
  foldIn,
  type Found,
  foundOne,
  nameIn,
  type Merge,
  type Scope,
  type ScopeSource,
  type Target,
  type World,
} from './scope.js';
import { firstNamed } from './source-binder.js';
import { sameTarget } from './name-context.js';

/** The plan for a NATURAL join or a USING. */
type JoinPlan = 'keep' | 'using' | 'on';

/**
 * Checks whether a RIGHT or FULL JOIN is in the clause: then USING reads the left side as a COALESCE of all its
 * matches.
 */
function isOuter({ node, left, right }: BoundJoin): boolean {
  return node.type === 'right' || node.type === 'full' || [...left, ...right].some((source) => source.beforeOuter);
}

function matchesIn(world: World, sources: readonly ScopeSource[], name: string): Target[] {
  return sources.flatMap((source) => columnNamed(world, source, foldIn(world, name)) ?? []);
}

function holds(present: World, world: World, join: BoundJoin, merge: Merge): boolean {
  const { left, right } = join;
  const name = foldIn(world, nameIn(world, merge.right.column));
  const keepsMatches = (sources: readonly ScopeSource[]): boolean => {
    const before = matchesIn(present, sources, nameIn(present, merge.right.column));
    const after = matchesIn(world, sources, name);
    return before.length === after.length && before.every((target, i) => sameTarget(target, after[i] ?? target));
  };
  const only = world.dialect.scoping.using === 'only';
  if ((isOuter(join) || only) && !keepsMatches(left)) return false;
  if (only && !keepsMatches(right)) return false;
  const a = firstNamed(world, left, name);
  const b = firstNamed(world, right, name);
  return a !== null && b !== null && sameTarget(a, merge.left) && sameTarget(b, merge.right);
}

function commonNames(world: World, { left, right }: BoundJoin): Set<string> {
  const names = right.flatMap(({ relation }) => [
    ...world.namesOf(relation).map((name) => foldIn(world, name)),
    ...world.addedTo(relation),
  ]);
  return new Set(names.filter((name) => firstNamed(world, left, name) !== null));
}

/** The context for the rewrite of the whole query. */
interface QueryRewrite {
  readonly query: BoundQuery;
  readonly original: World;
  readonly world: RewrittenNames;
  readonly edits: SqlEdit[];
  spell(context: NameContext, found: Found, qualify: boolean): string | null;
  render(name: string): string;
  renameToken(token: Identifier, name: string): void;
  fault(node: { readonly span: { readonly start: number } }, reason: string): Error;
}

/** Keeps NATURAL joins and USING equal in meaning: as they are, else as USING, else as ON. */
export class JoinRewriter {
  readonly #rewriter: QueryRewrite;
  readonly #plans = new Map<BoundJoin, JoinPlan>();
  readonly #split = new Set<ScopeSource>();

  constructor(rewriter: QueryRewrite) {
    this.#rewriter = rewriter;
  }

  /** Decides about the joins of one FROM clause, from left to right. */
  plan(sources: readonly ScopeSource[]): void {
    for (const join of this.#rewriter.query.joins) {
      if (this.#plans.has(join) || !join.right.every((source) => sources.includes(source))) continue;
      const plan = this.#planOf(join);
      this.#plans.set(join, plan);
      if (plan === 'on') this.#splitAll(join);
    }
  }

  /** Checks whether a source's columns were made one with others by a join that is now an ON. */
  wasSplit(source: ScopeSource): boolean {
    return this.#split.has(source);
  }

  #planOf(join: BoundJoin): JoinPlan {
    const { world, original: present } = this.#rewriter;
    const all = join.merges.every(({ merge }) => holds(present, world, join, merge));
    if (this.#readsSplit(join)) this.#checkOuter(join);
    if (all && (join.node.natural === null || commonNames(world, join).size === join.merges.length)) return 'keep';
    this.#checkOuter(join);
    if (join.node.natural === null) return 'on';
    return all && join.merges.length > 0 ? 'using' : 'on';
  }

  /** Checks whether an outer chain's USING reads several columns to its left as one that no longer are. */
  #readsSplit(join: BoundJoin): boolean {
    const { world } = this.#rewriter;
    if (!isOuter(join) || !join.left.some((source) => this.#split.has(source))) return false;
    return join.merges.some(({ merge }) => matchesIn(world, join.left, nameIn(world, merge.right.column)).length > 1);
  }

  #splitAll(join: BoundJoin): void {
    for (const { source } of join.merges) {
      this.#rewriter.world.dropMerges(source);
      this.#split.add(source);
    }
  }

  /** With more than one join, the COALESCE of an outer join's left side can't be written with ON. */
  #checkOuter(join: BoundJoin): void {
    const single =
      join.left.length === 1 && join.right.length === 1 && !join.right.some((source) => source.beforeOuter);
    if (!single && isOuter(join)) {
      throw this.#rewriter.fault(join.node, 'USING or NATURAL in a chain with outer joins can not be written with ON');
    }
  }

  /** Records the edits of all joins; to be called when every FROM clause is planned. */
  rewrite(): void {
    for (const [join, plan] of this.#plans) {
      if (plan === 'keep') this.#renameTokens(join);
      else this.#replace(join, plan);
    }
  }

  #renameTokens({ merges }: BoundJoin): void {
    const { world, original: present } = this.#rewriter;
    for (const { merge } of merges) {
      const name = nameIn(world, merge.right.column);
      const changed =
        name !== nameIn(present, merge.right.column) ||
        nameIn(world, merge.left.column) !== nameIn(present, merge.left.column);
      if (merge.token !== null && changed) this.#rewriter.renameToken(merge.token, name);
    }
  }

  #replace(join: BoundJoin, plan: 'using' | 'on'): void {
    const { query, edits, world } = this.#rewriter;
    const { natural, constraint, right } = join.node;
    if (natural !== null) edits.push(this.#dropNatural(natural.start, natural.end));
    const names = join.merges.map(({ merge }) => this.#rewriter.render(nameIn(world, merge.right.column)));
    const text = plan === 'using' ? `USING (${names.join(', ')})` : this.#conditionsOf(join);
    if (text === '') return;
    if (constraint === null) edits.push(insertion(query.sql, right.span.end, text));
    else edits.push(spacedEdit(query.sql, constraint.span.start, constraint.span.end, text));
  }

  #dropNatural(start: number, end: number): SqlEdit {
    const { sql } = this.#rewriter.query;
    const spaces = /^\s*/.exec(sql.slice(end))?.[0].length ?? 0;
    return { start, end: end + spaces, before: sql.slice(start, end + spaces), after: '' };
  }

  #conditionsOf(join: BoundJoin): string {
    const scope: Scope = { sources: [...join.left, ...join.right], aliases: [], parent: null };
    const sides = join.merges.map(({ merge }) => {
      const pair = [merge.left, merge.right].map((target) => {
        return this.#rewriter.spell({ kind: 'general', scope }, foundOne(target), true);
      });
      if (pair.includes(null)) throw this.#rewriter.fault(join.node, 'the join needs an ON whose columns have no name');
      return pair.join(' = ');
    });
    return sides.length === 0 ? '' : `ON ${sides.join(' AND ')}`;
  }
}

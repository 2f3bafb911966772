import type { BoundJoin } from './bound-query.js';
import { foldName, renderIdentifier } from './dialect.js';
import { insertion, spacedEdit, type SqlEdit } from './edits.js';
import type { QueryRewriter } from './query-rewriter.js';
import { nameIn, type Found, type Merge, type Scope, type ScopeSource, type World } from './scope.js';
import { firstNamed } from './source-binder.js';
import { sameTarget } from './name-context.js';

/** What becomes of a NATURAL join or a USING. */
type JoinPlan = 'keep' | 'using' | 'on';

function holds(world: World, { left, right }: BoundJoin, merge: Merge): boolean {
  const name = foldName(nameIn(world, merge.right.column));
  const a = firstNamed(world, left, name);
  const b = firstNamed(world, right, name);
  return a !== null && b !== null && sameTarget(a, merge.left) && sameTarget(b, merge.right);
}

function commonNames(world: World, { left, right }: BoundJoin): Set<string> {
  const names = right.flatMap(({ relation }) => [...world.namesOf(relation).map(foldName), ...world.addedTo(relation)]);
  return new Set(names.filter((name) => firstNamed(world, left, name) !== null));
}

/** Keeps NATURAL joins and USING equal in meaning: as they are, else as USING, else as ON. */
export class JoinRewriter {
  readonly #rewriter: QueryRewriter;
  readonly #plans = new Map<BoundJoin, JoinPlan>();
  readonly #split = new Set<ScopeSource>();

  constructor(rewriter: QueryRewriter) {
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

  /** Whether a source's columns were made one with others by a join that is now an ON. */
  wasSplit(source: ScopeSource): boolean {
    return this.#split.has(source);
  }

  #planOf(join: BoundJoin): JoinPlan {
    const { world } = this.#rewriter;
    const all = join.merges.every(({ merge }) => holds(world, join, merge));
    if (join.node.natural === null) return all ? 'keep' : 'on';
    if (all && commonNames(world, join).size === join.merges.length) return 'keep';
    return all && join.merges.length > 0 ? 'using' : 'on';
  }

  #splitAll(join: BoundJoin): void {
    for (const { source, merge } of join.merges) {
      this.#checkOuter(join, merge);
      this.#rewriter.world.dropMerges(source);
      this.#split.add(source);
    }
  }

  /** Under RIGHT and FULL JOIN the left side of a further USING is a COALESCE, which ON can't name. */
  #checkOuter(join: BoundJoin, merge: Merge): void {
    const earlier = join.left.flatMap((source) => source.merges);
    const chained = earlier.filter(
      (other) => sameTarget(other.left, merge.left) || sameTarget(other.right, merge.left),
    );
    if (chained.some(({ type }) => type === 'right' || type === 'full')) {
      throw this.#rewriter.fault(join.node, 'a chain of outer joins by USING or NATURAL can not be written with ON');
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
    const { world, present } = this.#rewriter;
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
    const names = join.merges.map(({ merge }) => renderIdentifier(nameIn(world, merge.right.column)));
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
        const found: Found = { target, merged: [], coalesced: false, ambiguous: false };
        return this.#rewriter.spell({ kind: 'general', scope }, found, true);
      });
      if (pair.includes(null)) throw this.#rewriter.fault(join.node, 'the join needs an ON whose columns have no name');
      return pair.join(' = ');
    });
    return sides.length === 0 ? '' : `ON ${sides.join(' AND ')}`;
  }
}

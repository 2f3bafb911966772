import { columnKey } from '../../schema/schema.js';
import type { Clause, ClauseQuery } from '../clauses/clause.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { type JoinEdge, planOf, usesOf } from '../clauses/join-plan.js';
import type { Composition } from './composition.js';

/** The rule of joins by its id, for people. */
export const JOIN_RULE = {
  id: 'joined-as-parents',
  says: 'tables are joined as in the parents; by another key only where it joins two that the query mentions and neither parent had both',
} as const;

/** Compares the joins of composed queries with their parents'; those of a parent are planned once. */
export class JoinCheck {
  readonly #keys: readonly JoinKey[];
  readonly #known = new WeakMap<ClauseQuery, readonly QueryPlan[]>();

  constructor(keys: readonly JoinKey[]) {
    this.#keys = keys;
  }

  holds({ aligned, base, element }: Composition): boolean {
    const parents = [base, element].flatMap(({ source }) => this.#plansOf(source.query));
    return plansOf(aligned.query, this.#keys).every(({ edges, mentioned }) =>
      edges.every((edge) => {
        if (parents.some((plan) => plan.joins.has(joinKey(edge)))) return true;
        const ends = [edge.from.table, edge.to.table];
        const isNew = !parents.some(({ tables }) => ends.every((table) => tables.has(table)));
        return isNew && ends.every((table) => mentioned.has(table));
      }),
    );
  }

  #plansOf(query: ClauseQuery): readonly QueryPlan[] {
    const known = this.#known.get(query) ?? plansOf(query, this.#keys);
    this.#known.set(query, known);
    return known;
  }
}

/** How a query, or a term of its compound, joins its tables. */
interface QueryPlan {
  readonly edges: readonly JoinEdge[];
  readonly joins: ReadonlySet<string>;
  /** Indexes of all tables, and of those that its clauses mention. */
  readonly tables: ReadonlySet<number>;
  readonly mentioned: ReadonlySet<number>;
}

const joinKey = ({ from, to }: JoinEdge): string => [from, to].map(columnKey).sort().join('=');

function plansOf({ clauses }: ClauseQuery, keys: readonly JoinKey[]): readonly QueryPlan[] {
  const selects = clauses.filter(({ kind }) => kind === 'select');
  const terms = clauses.flatMap((clause) =>
    clause.kind === 'set' ? [withSelects(clause.query.clauses, selects)] : [],
  );
  return [clauses, ...terms].flatMap((list) => {
    const plan = planOf(list, keys);
    if (plan === null) return [];
    const { edges, uses } = plan;
    const mentioned = new Set(usesOf(list).map(({ table }) => table));
    return [{ edges, joins: new Set(edges.map(joinKey)), tables: new Set(uses.map(({ table }) => table)), mentioned }];
  });
}

/** The clauses of a term, which selects the same as its query where it doesn't say. */
function withSelects(term: readonly Clause[], selects: readonly Clause[]): readonly Clause[] {
  return term.some(({ kind }) => kind === 'select') ? term : [...selects, ...term];
}

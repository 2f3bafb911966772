import { memoize, memoizeObject } from '../../schema/memoize.js';
import { columnKey, type Database } from '../../schema/schema.js';
import type { Clause, ClauseQuery } from '../clauses/clause.js';
import { bareQuery, composedClauses, type Composition } from './composition.js';
import type { GoldResult, GoldResults } from './gold-results.js';
import type { FluencyModel } from '../../fluency/fluency-model.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { usesOf } from '../clauses/clause-parts.js';
import { type JoinEdge, planOf } from '../clauses/join-plan.js';

/** The rule of joins by its id, for people. */
export const JOIN_RULE = {
  id: 'joined-as-parents',
  says: 'tables are joined as in the parents; by another key only where it joins two that the query mentions and neither parent had both',
} as const;

/** Compares the joins of composed queries with their parents'; those of a parent are planned once. */
export class JoinCheck {
  readonly #keys: readonly JoinKey[];
  readonly #plansOf = memoizeObject((query: ClauseQuery) => plansOf(query, this.#keys));

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
}

const joinKey = ({ from, to }: JoinEdge): string => [from, to].map(columnKey).sort().join('=');

/** How a query and the terms of its compound join their tables, with the indexes of all and of those that are mentioned. */
function plansOf({ clauses }: ClauseQuery, keys: readonly JoinKey[]) {
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

/** The rule of fluency by its id, for people. */
export const FLUENCY_RULE = {
  id: 'fluent',
  says: 'the question is not much less fluent than the less fluent of its parents',
} as const;

/** The rule that a language model decides where one is asked, for people. */
export const ASKED_FLUENCY_RULE = {
  id: 'asked-fluent',
  says: 'a language model that is asked finds that a person could ask so',
} as const;

/**
 * How much less fluent than its parents a composed question may be. Of two questions of Spider train that people wrote for
 * the same gold, 9 in 10 are less than this apart; of compositions of 45 of its databases, 1 in 80 is beyond.
 */
const MARGIN = 0.07;

/** Compares composed questions with their parents by a language model; each parent is scored once. */
export class FluencyCheck {
  readonly #model: Pick<FluencyModel, 'score'>;
  readonly #scoreOf = memoize((question) => this.#model.score(question));

  constructor(model: Pick<FluencyModel, 'score'>) {
    this.#model = model;
  }

  holds({ aligned, base, element }: Composition): boolean {
    const parents = [base, element].map(({ source }) => this.#scoreOf(source.question));
    return this.#model.score(aligned.question) >= Math.min(...parents) - MARGIN;
  }
}

/** The rules for a composed gold query on its database: by id, for people; the first that fails refuses it. */
export const EXECUTION_RULES = {
  runs: 'the gold query runs on its database',
  'not-empty': 'its result is not empty where those of both parents are not',
  'differs-from-parents':
    'it is the gold query of neither parent, and its result is not that of the base, on some rows',
  'every-condition-counts':
    'without any condition that was added, and without those before it, the result is another, on some rows',
  'order-counts': 'an order that was added has two rows at least to put in order',
} as const;
export type ExecutionRule = keyof typeof EXECUTION_RULES;

/** The means to execute a composition: its database and how clauses are written as SQL (null if they have no query). */
export interface ExecutionContext {
  readonly database: Database;
  readonly goldResults: GoldResults;
  readonly sqlOf: (query: ClauseQuery) => string | null;
  /** A query of the same clauses or less, without the tables that the composed one does without. */
  readonly alike: (query: ClauseQuery) => ClauseQuery;
  /** Keeps gold queries without rows. */
  readonly allowEmpty: boolean;
}

const restricts = ({ kind }: Clause): boolean => kind === 'condition' || kind === 'set' || kind === 'limit';

/** A query with DISTINCT or without; the same object where it is so already, as its SQL is remembered. */
function asDistinct(query: ClauseQuery, distinct: boolean): ClauseQuery {
  return query.distinct === distinct ? query : { ...query, distinct };
}

/** Returns the query with the element in the place of the base's: if that finds as much, "or" says nothing. */
function elementAlone(composition: Composition): ClauseQuery {
  const { clauses } = composedClauses({ ...composition, kind: 'SUB', connective: null });
  return { distinct: composition.aligned.query.distinct, clauses };
}

/**
 * The composed query without what was added, without what it was added to, and without each of several conditions under
 * AND.
 */
function weakerQueries(composition: Composition): readonly ClauseQuery[] {
  const { kind, connective, base, element } = composition;
  const added = element.clauses.filter(restricts);
  if (added.length === 0) return [];
  const { distinct } = composition.aligned.query;
  const bare = asDistinct(bareQuery(base), distinct);
  const whole = kind === 'SUB' ? bare : asDistinct(base.source.query, distinct);
  if (connective === 'or') return [whole, elementAlone(composition), bare];
  const isAbout = base.clauses.some((clause) => restricts(clause) || clause.kind === 'related');
  const alone = isAbout && connective === 'and' ? [elementAlone(composition)] : [];
  const isOr = added.some((clause) => clause.kind === 'condition' && clause.connective === 'or');
  if (added.length === 1 || isOr) return [whole, ...alone];
  const single = added.map((left) => {
    const clauses = element.clauses.filter((clause) => clause !== left);
    return { distinct, clauses: composedClauses({ ...composition, element: { ...element, clauses } }).clauses };
  });
  return [whole, ...alone, ...single];
}

/** The first rule of execution that a composed gold breaks; null where it keeps them all. */
export async function executionFault(
  composition: Composition,
  sql: string,
  { database, goldResults, sqlOf, alike, allowEmpty }: ExecutionContext,
): Promise<ExecutionRule | null> {
  const { base, element } = composition;
  const originals = [base.source.query, element.source.query].map(sqlOf);
  if (originals.includes(sql)) return 'differs-from-parents';
  const resultOf = (text: string | null): Promise<GoldResult | null> =>
    text === null ? Promise.resolve(null) : goldResults.of(text, database);
  const isAlike = (text: string | null): Promise<boolean> =>
    text === null ? Promise.resolve(false) : goldResults.areAlike(sql, text, database);
  const [own, ...parents] = await Promise.all([goldResults.of(sql, database), ...originals.map(resultOf)]);
  if (own.kind === 'failed') return 'runs';
  const haveRows = parents.every((parent) => parent?.kind === 'rows' && !parent.isEmpty);
  if (own.isEmpty && haveRows && !allowEmpty) return 'not-empty';
  if (isOrderAlone(element.clauses)) return own.rows < 2 ? 'order-counts' : null;
  if (await isAlike(sqlOf(asDistinct(base.source.query, composition.aligned.query.distinct))))
    return 'differs-from-parents';
  for (const weaker of weakerQueries(composition)) {
    if (await isAlike(sqlOf(alike(weaker)))) return 'every-condition-counts';
  }
  return null;
}

/** Checks whether clauses put rows in order and leave none out. */
function isOrderAlone(clauses: readonly Clause[]): boolean {
  return clauses.some(({ kind }) => kind === 'order') && !clauses.some(restricts);
}

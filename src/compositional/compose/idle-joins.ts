import type { Clause, ClauseQuery } from '../clauses/clause.js';
import { type IdleTable, idleTablesOf, withoutTable } from '../clauses/idle-tables.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { planOf, useKey } from '../clauses/join-plan.js';
import { mapValues } from '../clauses/map-values.js';

/** An idle table of a query, of a term of its compound or of a query nested in it. */
export interface IdleJoin {
  /** The SELECT and the use of the table, as a key. */
  readonly place: string;
  readonly idle: IdleTable;
  /** Indexes of the tables that the same SELECT joins besides. */
  readonly others: readonly number[];
  readonly isNested: boolean;
  /** The whole query without the table; its clauses each in its place, null where one went. */
  readonly clauses: readonly (Clause | null)[];
}

const isSelect = ({ kind }: Clause): boolean => kind === 'select';

/** The clauses that are there, in their order. */
export function presentClauses(clauses: readonly (Clause | null)[]): readonly Clause[] {
  return clauses.filter((clause) => clause !== null);
}

/** Terms that select what their query does, with that as their own: it may get another form in one of them. */
function explicit(clauses: readonly Clause[]): readonly Clause[] {
  const selects = clauses.filter(isSelect);
  return clauses.map((clause) =>
    clause.kind !== 'set' || clause.query.clauses.some(isSelect)
      ? clause
      : { ...clause, query: { ...clause.query, clauses: [...selects, ...clause.query.clauses] } },
  );
}

/** Terms without a selection of their own where it is their query's. */
function inheriting(clauses: readonly (Clause | null)[]): readonly (Clause | null)[] {
  const selected = JSON.stringify(presentClauses(clauses).filter(isSelect));
  return clauses.map((clause) => {
    if (clause?.kind !== 'set' || JSON.stringify(clause.query.clauses.filter(isSelect)) !== selected) return clause;
    return { ...clause, query: { ...clause.query, clauses: clause.query.clauses.filter((one) => !isSelect(one)) } };
  });
}

class IdleJoinFinder {
  readonly #keys: readonly JoinKey[];
  readonly #isOpen: (place: string) => boolean;

  constructor(keys: readonly JoinKey[], isOpen: (place: string) => boolean) {
    this.#keys = keys;
    this.#isOpen = isOpen;
  }

  find(written: readonly Clause[], path: string): IdleJoin | null {
    const clauses = explicit(written);
    return this.#here(clauses, path) ?? this.#inTerms(clauses, path) ?? this.#inValues(clauses, path);
  }

  #here(clauses: readonly Clause[], path: string): IdleJoin | null {
    for (const idle of idleTablesOf(clauses, this.#keys)) {
      const place = `${path}${useKey(idle)}`;
      const left = this.#isOpen(place) ? withoutTable(clauses, idle, this.#keys) : null;
      if (left === null) continue;
      const uses = planOf(clauses, this.#keys)?.uses ?? [];
      const others = uses.filter((use) => useKey(use) !== useKey(idle)).map(({ table }) => table);
      return { place, idle, others, isNested: false, clauses: left };
    }
    return null;
  }

  #inTerms(clauses: readonly Clause[], path: string): IdleJoin | null {
    let number = 0;
    for (const [at, clause] of clauses.entries()) {
      if (clause.kind !== 'set') continue;
      const found = this.find(clause.query.clauses, `${path}term ${number++}/`);
      if (found === null) continue;
      const term: Clause = { ...clause, query: { ...clause.query, clauses: presentClauses(found.clauses) } };
      return { ...found, clauses: clauses.with(at, term) };
    }
    return null;
  }

  #inValues(clauses: readonly Clause[], path: string): IdleJoin | null {
    let number = 0;
    for (const [at, clause] of clauses.entries()) {
      const found: IdleJoin[] = [];
      const changed = mapValues(clause, (value) => {
        if (value.kind !== 'query' || found.length > 0) return value;
        const inner = this.find(value.query.clauses, `${path}query ${number++}/`);
        if (inner === null) return value;
        found.push(inner);
        return { ...value, query: { ...value.query, clauses: presentClauses(inner.clauses) } };
      });
      const [inner] = found;
      if (inner !== undefined) return { ...inner, isNested: true, clauses: clauses.with(at, changed) };
    }
    return null;
  }
}

/** The first table of a query that is joined and that its clauses could do without, at a place that is open. */
export function findIdleJoin(
  { clauses }: ClauseQuery,
  keys: readonly JoinKey[],
  isOpen: (place: string) => boolean,
): IdleJoin | null {
  const found = new IdleJoinFinder(keys, isOpen).find(clauses, '');
  return found === null ? null : { ...found, clauses: inheriting(found.clauses) };
}

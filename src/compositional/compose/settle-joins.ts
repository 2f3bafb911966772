import type { Clause, ClauseQuery } from '../clauses/clause.js';
import { type IdleTable, idleTablesOf, withoutTable } from '../clauses/idle-tables.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { planOf } from '../clauses/join-plan.js';
import { mapValues, tablesOf, useKey } from '../clauses/clause-parts.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { Composition } from './composition.js';
import type { GoldResults } from './gold-results.js';
import { wordsOf } from '../../schema/name-identity.js';
import { likeness, questionWords, stemOf } from '../align/schema-mentions.js';

/** An idle table of a query, of a term of its compound or of a query nested in it. */
interface IdleJoin {
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
function presentClauses(clauses: readonly (Clause | null)[]): readonly Clause[] {
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
function findIdleJoin(
  { clauses }: ClauseQuery,
  keys: readonly JoinKey[],
  isOpen: (place: string) => boolean,
): IdleJoin | null {
  const found = new IdleJoinFinder(keys, isOpen).find(clauses, '');
  return found === null ? null : { ...found, clauses: inheriting(found.clauses) };
}

/** Words of tables' names that say nothing of their rows. */
const EMPTY = new Set(
  'has have in of the and to with by for at on tbl table list data info information record detail lookup lu ref'.split(
    ' ',
  ),
);
/** Letters that a word shares with one of its family at least: "hire" of "hiring". */
const SHARED = 3;
/** Shortest word that is looked for within a name that is written as one: "language" in "countrylanguage". */
const WITHIN = 5;

function isOfFamily(stem: string, word: string): boolean {
  if (likeness(stem, word) > 0) return true;
  const shorter = Math.min(stem.length, word.length);
  let shared = 0;
  while (shared < shorter && stem[shared] === word[shared]) shared++;
  return shared >= SHARED && shared === shorter;
}

const tableName = (table: number, { tables }: Database): string => (tables[table]?.name ?? '').toLowerCase();
const stemsOf = (name: string): readonly string[] => wordsOf(name).map(stemOf);

/** The word that says what a table's rows are, its last, as a stem: none that another name has, where there is one. */
function headStem(name: string, foreign: readonly string[]): string {
  const stems = stemsOf(name).filter((stem) => !EMPTY.has(stem));
  const alone = stems.filter((stem) => !foreign.some((other) => other.includes(stem)));
  return alone.at(-1) ?? stems.at(-1) ?? '';
}

/** A name as stems, and its ends of two words at least: "template types" of "reference template types". */
function endsOf(name: string): readonly (readonly string[])[] {
  const stems = stemsOf(name);
  return stems.flatMap((_, i) => (i === 0 || stems.length - i > 1 ? [stems.slice(i)] : []));
}

/** The stems of a text without those that name another table: "template" of "template types". */
function stemsOutside(text: string, foreign: readonly string[]): readonly string[] {
  const stems = questionWords(text).map(({ stem }) => stem);
  const named = new Set<number>();
  for (const end of foreign.flatMap(endsOf)) {
    for (const at of stems.keys()) {
      if (end.every((stem, i) => stems[at + i] === stem)) for (const i of end.keys()) named.add(at + i);
    }
  }
  return stems.filter((_, i) => !named.has(i));
}

/**
 * Checks whether a text names a table by the word for its rows, which none of the other tables of its query is called
 * by: "students who have a pet" of `has_pet` next to `student`.
 */
function isTableSaid(text: string, table: number, others: readonly number[], database: Database): boolean {
  const foreign = others.map((other) => tableName(other, database));
  const head = headStem(tableName(table, database), foreign);
  const isWithin = (stem: string): boolean =>
    stem.length >= WITHIN && head.includes(stem) && !foreign.some((name) => name.includes(stem));
  return head !== '' && stemsOutside(text, foreign).some((stem) => isOfFamily(head, stem) || isWithin(stem));
}

/** The rule of joins that could go by its id, for people. */
export const IDLE_JOIN_RULE = {
  id: 'every-join-counts',
  says: 'a table that no clause needs goes where the question does not name it, or keys or rows prove that it changes nothing; nothing is made where that is open, or where a table that it names changes no row at hand but some of others',
} as const;

type Decision = 'goes' | 'stays' | 'open';

/** The context that joins are settled in. */
export interface JoinContext {
  readonly database: Database;
  readonly keys: readonly JoinKey[];
  readonly sqlOf: (query: ClauseQuery) => string | null;
  /** Null where nothing is executed. */
  readonly goldResults: GoldResults | null;
}

const isAt = (a: ColumnRef, b: ColumnRef): boolean => columnKey(a) === columnKey(b);

/** Checks whether every row has one of the table by its key: the join neither repeats rows nor leaves any out. */
function isByKey({ idle: { own, other } }: IdleJoin, { foreignKeys, primaryKeys }: Database): boolean {
  const ofTable = primaryKeys.filter(({ table }) => table === own.table);
  const isOnlyKey = ofTable.length === 1 && ofTable.some((key) => isAt(key, own));
  return isOnlyKey && foreignKeys.some(({ from, to }) => isAt(from, other) && isAt(to, own));
}

/** Checks whether the table served clauses in each parent that joins it: what is left of these is not about it. */
function servedWhatIsGone({ base, element }: Composition, { idle }: IdleJoin, keys: readonly JoinKey[]): boolean {
  const parents = [base, element].map(({ source }) => source.query.clauses);
  const joining = parents.filter((clauses) => planOf(clauses, keys)?.uses.some(({ table }) => table === idle.table));
  const isIdle = (clauses: readonly Clause[]): boolean =>
    idleTablesOf(clauses, keys).some(({ table }) => table === idle.table);
  return joining.length > 0 && !joining.some(isIdle);
}

/** Checks whether two queries have the same rows; null where that can't be seen. */
export async function haveSameRows(
  queries: readonly ClauseQuery[],
  { database, goldResults, sqlOf }: JoinContext,
): Promise<boolean | null> {
  const hashes = new Set<string>();
  for (const sql of queries.map(sqlOf)) {
    const result = sql === null ? undefined : await goldResults?.of(sql, database);
    if (result?.kind !== 'rows') return null;
    hashes.add(result.hash);
  }
  return hashes.size === 1;
}

/** Decides about a table that the question names: it stays if it changes rows, and goes if it changes none. */
async function decideNamed(queries: readonly ClauseQuery[], context: JoinContext): Promise<Decision> {
  if ((await haveSameRows(queries, context)) !== true) return 'stays';
  const [whole, shorter] = queries.map(context.sqlOf);
  if (whole == null || shorter == null) return 'open';
  return (await context.goldResults?.areAlike(whole, shorter, context.database)) === true ? 'goes' : 'open';
}

/** The texts of the composed question that say the clauses which bring a table to one SELECT of its query. */
function textsAbout({ kind, base, element, aligned }: Composition, { idle, isNested, place }: IdleJoin): string {
  if (isNested) return aligned.question;
  const { question } = base.source;
  const parts = [
    { clauses: base.rest, text: `${question.slice(0, base.start)} ${question.slice(base.end)}` },
    ...(kind === 'SUB' || place.startsWith('term ') ? [] : [base]),
    element,
  ];
  const about = parts.filter(({ clauses }) => clauses.some((clause) => tablesOf(clause).includes(idle.table)));
  return about.length === 0 ? aligned.question : about.map(({ text }) => text).join(' ');
}

async function decide(
  composition: Composition,
  join: IdleJoin,
  queries: readonly ClauseQuery[],
  context: JoinContext,
): Promise<Decision> {
  const { idle, others, isNested } = join;
  const isSaid = isTableSaid(textsAbout(composition, join), idle.table, others, context.database);
  if (isByKey(join, context.database)) {
    return isSaid && (await haveSameRows(queries, context)) === false ? 'stays' : 'goes';
  }
  if (isSaid) return decideNamed(queries, context);
  if (!isNested && servedWhatIsGone(composition, join, context.keys)) return 'goes';
  return (await haveSameRows(queries, context)) === true ? 'goes' : 'open';
}

/** A composition with the clauses that are left, its segments linked to these. */
function withClauses(composition: Composition, clauses: readonly (Clause | null)[]): Composition {
  const { aligned } = composition;
  const places: number[] = [];
  let next = 0;
  for (const clause of clauses) places.push(clause === null ? -1 : next++);
  const segments = aligned.segments.map((segment) => ({
    ...segment,
    links: segment.links.flatMap((link) => {
      const clause = places[link.clause] ?? -1;
      return clause < 0 ? [] : [{ ...link, clause }];
    }),
  }));
  const query = { ...aligned.query, clauses: presentClauses(clauses) };
  return { ...composition, aligned: { ...aligned, query, segments } };
}

/** A composition whose joins are settled, and queries of less conditions with the same tables left out. */
export interface SettledComposition {
  readonly composition: Composition;
  readonly alike: (query: ClauseQuery) => ClauseQuery;
}

/**
 * Computes FROM anew from what is left of the parents' clauses: tables that only served what went, and that the
 * question does not name, are not joined any longer. Null where such a table stays and nothing proves that it changes
 * no row, and where one that the question names changes none at hand.
 */
export async function settleJoins(composition: Composition, context: JoinContext): Promise<SettledComposition | null> {
  const { keys } = context;
  const [stays, gone] = [new Set<string>(), new Set<string>()];
  let settled = composition;
  for (;;) {
    const { query } = settled.aligned;
    const join = findIdleJoin(query, keys, (place) => !stays.has(place));
    if (join === null) break;
    const shorter: ClauseQuery = { ...query, clauses: presentClauses(join.clauses) };
    const decision = await decide(composition, join, [query, shorter], context);
    if (decision === 'open') return null;
    if (decision === 'stays') stays.add(join.place);
    else {
      gone.add(join.place);
      settled = withClauses(settled, join.clauses);
    }
  }
  return { composition: settled, alike: (query) => without(query, keys, gone) };
}

function without(query: ClauseQuery, keys: readonly JoinKey[], gone: ReadonlySet<string>): ClauseQuery {
  for (let left = query; ;) {
    const join = findIdleJoin(left, keys, (place) => gone.has(place));
    if (join === null) return left;
    left = { ...left, clauses: presentClauses(join.clauses) };
  }
}

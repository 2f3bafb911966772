import { itemAt } from '../../present.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { AlignedQuestion, AlignedSegment, ClauseLink } from '../align/aligned-question.js';
import {
  clauseKey,
  columnsOf,
  comparisonsOf,
  isAggregated,
  tablesOf,
  useKey,
  usesIn,
  usesOf,
  valuesWithin,
} from '../clauses/clause-parts.js';
import { type Clause, type ClauseColumn, hasKind, type RelatedClause } from '../clauses/clause.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { planOf } from '../clauses/join-plan.js';
import { asksHalf, asksNamesake, asksWithin, isBroken, leavesColumnBehind } from './broken-element.js';
import { areAtOdds, comparesWithExtreme, requiredTests } from './comparison-facts.js';
import { isFixedPlural } from './verb-forms.js';
import { elementFrame, type ElementFrame } from './element-frame.js';
import { type Concord, concordOf } from './said-clauses.js';
import { modifiedNoun, type ModifiedNoun, nounKey, wordKeys } from './modified-noun.js';

/**
 * Clauses that an element may bring: conditions, order, set operations, and what these need to be joined and grouped.
 */
const ELEMENT_CLAUSES: ReadonlySet<Clause['kind']> = new Set([
  'condition',
  'order',
  'limit',
  'set',
  'related',
  'via',
  'group',
] as const);

/**
 * Subordinate clauses and modifiers of a question with their clauses: what questions are composed of (Spider-SS §3.2).
 */
export interface CompositionalElement {
  /** "dev:17#1-2": the question and its segments. */
  readonly id: string;
  readonly source: AlignedQuestion;
  /** Positions of its first and last segment. */
  readonly first: number;
  readonly last: number;
  /** Its place in the question in UTF-16 units, without marks and words around it that join it to the rest. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly frame: ElementFrame;
  /** The noun it modifies; null if that can't be told. */
  readonly noun: ModifiedNoun | null;
  /** Indexes of the tables that the noun names: conditions on them are of the same row. */
  readonly nounTables: readonly number[];
  /** Indexes of the noun's tables and of those that each row of them has one of, by foreign keys. */
  readonly nounRows: readonly number[];
  /** Indexes of the tables of which its groups have one row each. */
  readonly groupTables: readonly number[];
  /** Indexes of the tables of which its groups have one row each, also by a name that is a key to people alone. */
  readonly countedTables: readonly number[];
  /**
   * True if what its question asks for are groups that it forms by a key to another table: documents, of paragraphs.
   */
  readonly asksGroups: boolean;
  /**
   * Keys of what its question selects, those that distinguish rows (a primary key, a name) alone where there are such.
   */
  readonly selectedKeys: ReadonlySet<string>;
  /** True if a column that its question selects is named by the element alone. */
  readonly asksWithin: boolean;
  /** True if a column that its question selects is told by the element from others. */
  readonly asksHalf: boolean;
  /** True if a column that its question selects is of another table than it says. */
  readonly asksNamesake: boolean;
  /**
   * Indexes of the tables of which it picks one row: by the value of a key, or, of those that the noun's refer to, of a
   * name.
   */
  readonly pickedTables: readonly number[];
  /** True if it gives the name of what the noun names. */
  readonly namesNoun: boolean;
  /** True if it is of one row, by the value of a key or of a name, or as the first or last of all. */
  readonly picksOne: boolean;
  /** Keys of the columns of which it gives a date, a year or a period. */
  readonly times: readonly string[];
  /** True if words and clauses of it, and of the rest of its question, say the same. */
  readonly concord: Concord;
  /** Its clauses, implied ones (joins, grouping) behind those that its segments say. */
  readonly clauses: readonly Clause[];
  /** The clauses of the rest of its question. */
  readonly rest: readonly Clause[];
}

const isWhole = ({ links, extra }: AlignedSegment): boolean =>
  links.length > 0 && extra.length === 0 && links.every(({ unmentioned }) => !unmentioned);

/**
 * Segments at the end of a question that say nothing but restrictions: the position of the first; null where none does.
 */
function firstOfTail({ segments, query }: AlignedQuestion): number | null {
  const kindOf = ({ clause }: ClauseLink): Clause['kind'] => itemAt(query.clauses, clause).kind;
  const restricts = (segment: AlignedSegment): boolean =>
    isWhole(segment) && segment.links.every((link) => ELEMENT_CLAUSES.has(kindOf(link)));
  const first = segments.findLastIndex((segment) => !restricts(segment)) + 1;
  return first === 0 || first === segments.length ? null : first;
}

function linkedClauses(segments: readonly AlignedSegment[]): ReadonlySet<number> {
  return new Set(segments.flatMap(({ links }) => links.map(({ clause }) => clause)));
}

/**
 * Clauses that no segment says go with the element where only it brings their tables, or its aggregates the grouping.
 */
function impliedBy(clause: Clause, own: readonly Clause[], rest: readonly Clause[]): boolean {
  if (clause.kind === 'group') return own.some(isAggregated) && !rest.some(isAggregated);
  if (clause.kind === 'related' || clause.kind === 'via') {
    const uses = usesOf([clause]).map(useKey);
    return uses.some((use) => usesIn(own).has(use) && !usesIn(rest).has(use));
  }
  return false;
}

interface DividedClauses {
  readonly own: readonly Clause[];
  readonly rest: readonly Clause[];
}

/**
 * The clauses of an element and of the rest of its question; null where a clause is of both, or one of no segment could
 * be.
 */
function divideClauses({ segments, query }: AlignedQuestion, first: number): DividedClauses | null {
  const inside = linkedClauses(segments.slice(first));
  const outside = linkedClauses(segments.slice(0, first));
  const at = (indexes: (i: number) => boolean): readonly Clause[] => query.clauses.filter((_, i) => indexes(i));
  if ([...inside].some((i) => outside.has(i))) return null;
  const [own, rest] = [at((i) => inside.has(i)), at((i) => outside.has(i))];
  const free = at((i) => !inside.has(i) && !outside.has(i));
  if (free.some(({ kind }) => kind === 'condition' || kind === 'set' || kind === 'order' || kind === 'limit'))
    return null;
  const mine = free.filter((clause) => impliedBy(clause, own, rest));
  return { own: [...own, ...mine], rest: [...rest, ...free.filter((clause) => !mine.includes(clause))] };
}

/** Marks at the end of a question: what stays with the question when an element leaves it. */
const FINAL_MARKS = /[\s.?!;,]*$/u;
const JOINT = /^(?:[\s,;]+|and\s+(?=(?:ordered|sorted|listed|arranged|ranked|in)(?!\p{L})))*/iu;

/** An order and its limit, or a connective and its condition, are not taken apart. */
function isTorn(own: readonly Clause[], rest: readonly Clause[]): boolean {
  const ors = (clauses: readonly Clause[]): boolean =>
    clauses.some((clause) => clause.kind === 'condition' && clause.connective === 'or');
  if (hasKind(own, 'limit') && !hasKind(own, 'order')) return true;
  if (hasKind(rest, 'condition') && hasKind(own, 'condition') && (ors(own) || ors(rest))) return true;
  return hasKind(own, 'order') && (hasKind(rest, 'limit') || hasKind(rest, 'order'));
}

/** "before 1945 and after 1955", which a data set has of two rows. */
function contradictsItself(own: readonly Clause[]): boolean {
  const tests = requiredTests(own).filter(({ literal }) => literal !== null);
  return tests.some((a, i) => tests.slice(i + 1).some((b) => areAtOdds(a, b)));
}

/** The tables that the noun names, which only the element joins: the rest is about their rows without it, too. */
function relatedOf(
  { own, rest }: DividedClauses,
  nounTables: readonly number[],
  keys: readonly JoinKey[],
): readonly RelatedClause[] {
  const joined = (clauses: readonly Clause[]): ReadonlySet<string> =>
    new Set([...usesIn(clauses), ...(planOf(clauses, keys)?.uses ?? []).map(useKey)]);
  const [known, all] = [joined(rest), joined([...rest, ...own])];
  return nounTables
    .map((table) => ({ kind: 'related' as const, table, copy: 0 }))
    .filter((use) => all.has(useKey(use)) && !known.has(useKey(use)));
}

/** The tables whose rows a column names: where it is their primary key, or a foreign key to it. */
function tablesNamedBy(ref: ColumnRef, { primaryKeys, foreignKeys }: Database): readonly number[] {
  const key = columnKey(ref);
  const referred = foreignKeys.flatMap(({ from, to }) => (columnKey(from) === key ? [columnKey(to)] : []));
  return primaryKeys.flatMap((primary) => {
    const isAlone = primaryKeys.every((other) => other === primary || other.table !== primary.table);
    return isAlone && [key, ...referred].includes(columnKey(primary)) ? [primary.table] : [];
  });
}

const groupColumns = (own: readonly Clause[]): readonly ColumnRef[] =>
  own.flatMap((clause) => (clause.kind === 'group' && clause.value.kind === 'column' ? [clause.value] : []));

/** Checks whether the rest asks for a key by which the element groups, and which is a key to another table. */
function asksGroups({ own, rest }: DividedClauses, { foreignKeys }: Database): boolean {
  const asked = new Set(rest.flatMap((clause) => (clause.kind === 'select' ? columnsOf(clause).map(columnKey) : [])));
  const foreign = new Set(foreignKeys.map(({ from }) => columnKey(from)));
  return groupColumns(own).some((ref) => asked.has(columnKey(ref)) && foreign.has(columnKey(ref)));
}

const NAMES = /(?<!\p{L})(?:name|title)s?$/iu;
const isName = ({ table, column }: ColumnRef, { tables }: Database): boolean =>
  NAMES.test(tables[table]?.columns[column]?.name ?? '');

function selectedKeys(rest: readonly Clause[], database: Database): ReadonlySet<string> {
  const selected = rest.filter(({ kind }) => kind === 'select');
  const primary = new Set(database.primaryKeys.map(columnKey));
  const telling = selected.filter((clause) =>
    columnsOf(clause).some((ref) => primary.has(columnKey(ref)) || isName(ref, database)),
  );
  return new Set((telling.length > 0 ? telling : selected).map(clauseKey));
}

/** The columns that must equal a constant. */
export function equatedColumns(own: readonly Clause[]): readonly ClauseColumn[] {
  return own.flatMap((clause) => {
    if (clause.kind !== 'condition' || clause.test.kind !== 'comparison') return [];
    const { left, operator, negated, right } = clause.test;
    const isEquated = operator === '=' && !negated && right[0]?.kind === 'literal';
    return isEquated && left?.kind === 'column' ? [left] : [];
  });
}

const TIMES = /(?<!\p{L})(?:dates?|datetime|years?|months?|days?|times?|birthday|born|dob|season|since|until)$/iu;

/** The columns of times that are compared with constants. */
function timesOf(own: readonly Clause[], { tables }: Database): readonly string[] {
  const comparisons = own.flatMap((clause) => (clause.kind === 'condition' ? comparisonsOf(clause) : []));
  const refs = comparisons.flatMap(({ left, right }) =>
    left !== null && right.some((value) => value.kind === 'literal' && value.type !== 'null')
      ? valuesWithin(left).filter((value) => value.kind === 'column')
      : [],
  );
  const isTime = ({ table, column }: ColumnRef): boolean => {
    const at = tables[table]?.columns[column];
    return at !== undefined && (at.type === 'time' || TIMES.test(at.name));
  };
  return [...new Set(refs.filter(isTime).map(columnKey))];
}

/** By a name, a row of a table that each row of the noun has one of is picked, too: the circuit of a race. */
function pickedTables(own: readonly Clause[], nounTables: readonly number[], database: Database): readonly number[] {
  const referred = withReferred(nounTables, database).filter((table) => !nounTables.includes(table));
  return equatedColumns(own).flatMap((ref) => [
    ...tablesNamedBy(ref, database),
    ...(isName(ref, database) && referred.includes(ref.table) ? [ref.table] : []),
  ]);
}

function picksOne(own: readonly Clause[], nounTables: readonly number[], database: Database): boolean {
  const primary = new Set(database.primaryKeys.map(columnKey));
  if (comparesWithExtreme(own) || own.some((clause) => clause.kind === 'limit' && clause.count === 1)) return true;
  return equatedColumns(own).some(
    (ref) => nounTables.includes(ref.table) && (primary.has(columnKey(ref)) || isName(ref, database)),
  );
}

/** The tables that a noun names: those called by it alone, else those whose name ends with it ("has pet" of pets). */
function tablesOfNoun(noun: ModifiedNoun | null, { tables }: Database): readonly number[] {
  const named = tables.flatMap(({ name }, table) => (noun?.key === nounKey(name) ? [table] : []));
  const alone = named.filter((table) => wordKeys(tables[table]?.name ?? '').length === 1);
  return alone.length > 0 ? alone : named;
}

/** Tables, and those that each of their rows has one row of: its own, that one's, … */
function withReferred(tables: readonly number[], { foreignKeys }: Database): readonly number[] {
  const found = new Set(tables);
  for (const table of found) {
    for (const { from, to } of foreignKeys) if (from.table === table) found.add(to.table);
  }
  return [...found];
}

/** The place and the words of the element that begins with a segment, and the noun before it. */
function wordsFrom(source: AlignedQuestion, first: number, { own, rest }: DividedClauses, database: Database) {
  const begin = itemAt(source.segments, first).start;
  const before = source.question.slice(0, begin);
  const tail = source.question.slice(begin);
  const start = begin + (JOINT.exec(tail)?.[0].length ?? 0);
  const end = source.question.length - (FINAL_MARKS.exec(tail)?.[0].length ?? 0);
  const text = source.question.slice(start, end);
  const frame = elementFrame(text);
  const named = (clauses: readonly Clause[]): readonly string[] =>
    [...new Set(clauses.flatMap(tablesOf))].flatMap((table) => database.tables[table]?.name ?? []);
  const noun = modifiedNoun(before, {
    own: named(own),
    asked: named(rest.filter(({ kind }) => kind === 'select')),
    all: database.tables.map(({ name }) => name),
    columns: database.tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
    element: text,
    isOrder: frame === 'order',
  });
  return { before, start, end, text, frame, noun };
}

/**
 * The element at the end of a question (Spider-SS §3.2: segments from the end up to the first that says something
 * else); null where there is none. What begins a question has no noun before it that it could modify, and is no
 * element.
 */
export function elementOf(
  source: AlignedQuestion,
  database: Database,
  joinKeys: readonly JoinKey[],
): CompositionalElement | null {
  const first = firstOfTail(source);
  const divided = first === null ? null : divideClauses(source, first);
  if (first === null || divided === null || isTorn(divided.own, divided.rest) || contradictsItself(divided.own))
    return null;
  const { own } = divided;
  const last = source.segments.length - 1;
  const { before, ...words } = wordsFrom(source, first, divided, database);
  const { start, end, text, frame, noun } = words;
  if (frame === 'predicate' && noun?.isPlural === false && isFixedPlural(text, frame)) return null;
  if (isBroken({ before, text, frame }) || leavesColumnBehind(before, text, own, database)) return null;
  const nounTables = tablesOfNoun(noun, database);
  return {
    id: `${source.id}#${first}-${last}`,
    source,
    first,
    last,
    ...words,
    nounTables,
    nounRows: withReferred(nounTables, database),
    groupTables: groupColumns(own).flatMap((ref) => tablesNamedBy(ref, database)),
    countedTables: groupColumns(own).flatMap((ref) => [
      ...tablesNamedBy(ref, database),
      ...(nounTables.includes(ref.table) && isName(ref, database) ? [ref.table] : []),
    ]),
    asksGroups: asksGroups(divided, database),
    selectedKeys: selectedKeys(divided.rest, database),
    asksWithin: asksWithin(before, text, divided.rest, database),
    asksHalf: asksHalf(before, text, divided.rest, database),
    asksNamesake: asksNamesake(before, nounTables, divided.rest, database),
    pickedTables: pickedTables(own, nounTables, database),
    namesNoun: equatedColumns(own).some((ref) => nounTables.includes(ref.table) && isName(ref, database)),
    picksOne: picksOne(own, nounTables, database),
    times: timesOf(own, database),
    concord: concordOf({ question: source.question, hint: source.hint ?? '', start, end, ...divided }, database),
    clauses: own,
    rest: [...divided.rest, ...relatedOf(divided, nounTables, joinKeys)],
  };
}

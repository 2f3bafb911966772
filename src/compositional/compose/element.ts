import { elementAt } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import type { AlignedQuestion, AlignedSegment } from '../align/aligned-question.js';
import { type Clause, hasKind } from '../clauses/clause.js';
import { clauseKey, isAggregate, tablesOf, tableUsesOf } from './clause-facts.js';
import { areAtOdds, requiredTests } from './comparison-facts.js';
import { elementFrame, type ElementFrame } from './element-frame.js';
import { modifiedNoun, type ModifiedNoun, nounKey } from './modified-noun.js';

/** Clauses that an element may bring: conditions, order, set operations, and what these need to be joined and grouped. */
const ELEMENT_CLAUSES: ReadonlySet<Clause['kind']> = new Set([
  'condition',
  'order',
  'limit',
  'set',
  'related',
  'via',
  'group',
] as const);

/** Subordinate clauses and modifiers of a question with their clauses: what questions are composed of (Spider-SS §3.2). */
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
  /** What it modifies; null where that can't be said. */
  readonly noun: ModifiedNoun | null;
  /** Indexes of the tables that the noun names: conditions on them are of the same row. */
  readonly nounTables: readonly number[];
  /** Its clauses, implied ones (joins, grouping) behind those that its segments say. */
  readonly clauses: readonly Clause[];
  /** The clauses of the rest of its question. */
  readonly rest: readonly Clause[];
  /** Keys of its clauses, for comparison. */
  readonly keys: readonly string[];
}

const isWhole = ({ links, extra }: AlignedSegment): boolean =>
  links.length > 0 && extra.length === 0 && links.every(({ unmentioned }) => !unmentioned);

/** Segments at the end of a question that say nothing but restrictions: the position of the first; null where none does. */
function firstOfTail({ segments, query }: AlignedQuestion): number | null {
  let first = segments.length;
  while (first > 0) {
    const segment = elementAt(segments, first - 1);
    const kinds = segment.links.map(({ clause }) => elementAt(query.clauses, clause).kind);
    if (!isWhole(segment) || !kinds.every((kind) => ELEMENT_CLAUSES.has(kind))) break;
    first--;
  }
  return first === 0 || first === segments.length ? null : first;
}

function linkedClauses(segments: readonly AlignedSegment[]): ReadonlySet<number> {
  return new Set(segments.flatMap(({ links }) => links.map(({ clause }) => clause)));
}

/** Clauses that no segment says go with the element where only it brings their tables, or its aggregates the grouping. */
function impliedBy(clause: Clause, own: readonly Clause[], rest: readonly Clause[]): boolean {
  if (clause.kind === 'group') return own.some(isAggregate) && !rest.some(isAggregate);
  if (clause.kind === 'related' || clause.kind === 'via') {
    const [mine, theirs] = [own, rest].map((clauses) => new Set(clauses.flatMap(tableUsesOf)));
    return tableUsesOf(clause).some((use) => mine?.has(use) === true && theirs?.has(use) !== true);
  }
  return false;
}

interface DividedClauses {
  readonly own: readonly Clause[];
  readonly rest: readonly Clause[];
}

/** The clauses of an element and of the rest of its question; null where a clause is of both, or one of no segment could be. */
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

/** Words that an element ends with where they are the sentence's own verb: "visitors below age 30 are there". */
const OWN_VERB = /\s(?:(?:is|are|was|were)(?:\s+there)?|have|has|had|do|does|did|own|play|cost|produce|use)$/iu;
/** A question whose verb follows its subject: "how many cylinders does the car … have". */
const INVERTED = /(?<!\p{L})(?:do|does|did)\s+(?:(?:the|an?|all|each|every|any|different)\s+)*\p{L}+\s*$/iu;

/** Words that something more has to follow: an element in its place would not. */
const OPEN_END =
  /(?<!\p{L})(?:each|every|of|to|for|by|with|and|or|the|an?)[\s,]*$|(?<!\p{L})(?:both|either|neither|between)(?!\p{L})(?![^]*\s(?:and|or|nor)\s)/iu;

/** Whether an element would leave behind, or take along, the verb of its question, or begins within a name. */
function isBroken(before: string, text: string, frame: ElementFrame): boolean {
  if (!/^(?!(?:and|or|but|nor)\s)\p{Ll}/u.test(text) || INVERTED.test(before) || OPEN_END.test(before)) return true;
  return frame === 'modifier' && OWN_VERB.test(text);
}

/**
 * The element at the end of a question (Spider-SS §3.2: segments from the end up to the first that says something else);
 * null where there is none. What begins a question has no noun before it that it could modify, and is no element.
 */
export function elementOf(source: AlignedQuestion, database: Database): CompositionalElement | null {
  const first = firstOfTail(source);
  const divided = first === null ? null : divideClauses(source, first);
  if (first === null || divided === null || isTorn(divided.own, divided.rest) || contradictsItself(divided.own))
    return null;
  const { own, rest } = divided;
  const last = source.segments.length - 1;
  const begin = elementAt(source.segments, first).start;
  const tail = source.question.slice(begin);
  const start = begin + (JOINT.exec(tail)?.[0].length ?? 0);
  const end = source.question.length - (FINAL_MARKS.exec(tail)?.[0].length ?? 0);
  const text = source.question.slice(start, end);
  const named = (clauses: readonly Clause[]): readonly string[] =>
    [...new Set(clauses.flatMap(tablesOf))].flatMap((table) => database.tables[table]?.name ?? []);
  const noun = modifiedNoun(source.question.slice(0, begin), {
    own: named(own),
    asked: named(rest.filter(({ kind }) => kind === 'select')),
    all: database.tables.map(({ name }) => name),
  });
  const frame = elementFrame(text);
  if (isBroken(source.question.slice(0, begin), text, frame)) return null;
  const nounTables = database.tables.flatMap(({ name }, table) => (noun?.key === nounKey(name) ? [table] : []));
  const keys = own.map(clauseKey);
  return {
    id: `${source.id}#${first}-${last}`,
    source,
    first,
    last,
    start,
    end,
    text,
    frame,
    noun,
    nounTables,
    clauses: own,
    rest,
    keys,
  };
}

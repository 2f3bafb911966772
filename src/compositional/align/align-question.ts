import { SchemaPhrases } from '../split/schema-phrases.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { Clause, ClauseComparison, ClauseQuery, ClauseValue } from '../clauses/clause.js';
import {
  columnsOf,
  comparisonsOf,
  isAggregate,
  isAggregated,
  valuesOf,
  valuesWithin,
} from '../clauses/clause-parts.js';
import type { Segment } from '../split/segment.js';
import type { AlignedQuestion, AlignedSegment, ClauseLink } from './aligned-question.js';
import { type QuestionWord, questionWords, SchemaMentions, valueMention } from './schema-mentions.js';
import { type Cue, hasCue } from './cues.js';

/** The traits of a clause that words of a question can express. */
interface ClauseTraits {
  readonly columns: readonly ColumnRef[];
  /** Tables whose rows are meant: of `count(*)`, of what is related. */
  readonly tables: readonly number[];
  /** Constants that it compares with. */
  readonly values: readonly string[];
  readonly cues: readonly Cue[];
}

const AGGREGATE_CUES: Readonly<Record<string, readonly Cue[]>> = {
  count: ['count'],
  avg: ['average'],
  sum: ['sum'],
  total: ['sum'],
  max: ['most'],
  min: ['least'],
};

const OPERATOR_CUES: Readonly<Record<ClauseComparison['operator'], readonly Cue[]>> = {
  '=': [],
  '!=': ['not'],
  '<': ['less'],
  '>': ['more'],
  '<=': ['at-most', 'less'],
  '>=': ['at-least', 'more'],
  like: ['like'],
  in: [],
  between: ['between'],
  is: [],
  exists: [],
};

const SET_CUES: Readonly<Record<string, readonly Cue[]>> = {
  union: ['or'],
  'union all': ['or'],
  intersect: ['both'],
  except: ['except'],
};

interface Gathered {
  readonly columns: ColumnRef[];
  readonly tables: number[];
  readonly values: string[];
  readonly cues: Cue[];
}

function gatherQuery({ clauses }: ClauseQuery, into: Gathered): void {
  const isSaid = clauses.some(({ kind }) => kind === 'condition' || kind === 'order');
  for (const clause of clauses) {
    const aggregated = valuesOf(clause).some(isAggregate);
    if (clause.kind !== 'select' || aggregated || !isSaid) gatherClause(clause, into);
  }
}

function gatherValue(value: ClauseValue, into: Gathered): void {
  for (const part of valuesWithin(value)) {
    if (part.kind === 'column') into.columns.push(part);
    if (part.kind === 'star' && part.table !== null) into.tables.push(part.table);
    if (part.kind === 'literal' && part.type !== 'null') into.values.push(part.value);
    if (part.kind === 'query') gatherQuery(part.query, into);
    if (part.kind === 'call') into.cues.push(...(AGGREGATE_CUES[part.name] ?? []));
  }
}

function gatherClause(clause: Clause, into: Gathered): void {
  for (const value of valuesOf(clause)) gatherValue(value, into);
  switch (clause.kind) {
    case 'related':
      into.tables.push(clause.table);
      break;
    case 'condition':
      for (const { operator, negated } of comparisonsOf(clause)) {
        into.cues.push(...OPERATOR_CUES[operator], ...(negated ? (['not'] as const) : []));
      }
      break;
    case 'order':
      into.cues.push('order', ...(clause.direction === 'asc' ? (['ascending'] as const) : (['descending'] as const)));
      break;
    case 'group':
      into.cues.push('each');
      break;
    case 'set':
      gatherQuery(clause.query, into);
      into.cues.push(...(SET_CUES[clause.operator] ?? []));
      break;
    default:
  }
}

/** The traits of a clause of a query. */
function traitsOf(clause: Clause, query: ClauseQuery): ClauseTraits {
  const into: Gathered = { columns: [], tables: [], values: [], cues: [] };
  gatherClause(clause, into);
  const isLimited = query.clauses.some(({ kind }) => kind === 'limit');
  if (clause.kind === 'order' && isLimited) into.cues.push(clause.direction === 'desc' ? 'most' : 'least');
  return { ...into, cues: [...new Set(into.cues)] };
}

/** The weight of each way to say a clause; from reading Spider's train questions. */
const WEIGHTS = {
  value: 5,
  column: 3,
  table: 1.5,
  cue: 1.6,
  /** Of `select` for the segment that asks, and against other clauses there. */
  ask: 2.2,
  restricts: 1,
  /** Against a segment far from where the clause's place in the query would be. */
  distance: 0.6,
} as const;

/** A segment as it is scored. */
interface ScoredSegment {
  readonly text: string;
  readonly words: readonly QuestionWord[];
  readonly asks: boolean;
  /** Where it is in the question, 0 to 1. */
  readonly place: number;
}

const QUESTION =
  /^\W*(?:what|which|who|whose|when|where|how|show|list|find|give|return|tell|count|display|name|get|select|are|is|do|does|report|compute|calculate|provide|please|can|in which|for which|on which)\b/iu;

/** Segments with their words; the first that begins like a question or an order asks, else the first. */
function scoredSegments(segments: readonly Segment[]): readonly ScoredSegment[] {
  const asking = Math.max(
    0,
    segments.findIndex(({ text }) => QUESTION.test(text)),
  );
  return segments.map(({ text }, i) => ({
    text,
    words: questionWords(text),
    asks: i === asking,
    place: segments.length < 2 ? 0 : i / (segments.length - 1),
  }));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How well a segment says a clause; higher is better, no scale of its own. */
function segmentScore(
  clause: Clause,
  traits: ClauseTraits,
  { text, words, asks, place }: ScoredSegment,
  mentions: SchemaMentions,
): number {
  const column = mean(traits.columns.map((ref) => mentions.column(ref, words, text)));
  const tables = traits.tables.length > 0 ? traits.tables : traits.columns.map(({ table }) => table);
  const table = mean(tables.map((index) => mentions.table(index, words)));
  const value = mean(traits.values.map((constant) => valueMention(constant, words)));
  const cues = traits.cues.filter((cue) => hasCue(text, cue)).length;
  const isSelect = clause.kind === 'select';
  const ask = asks === isSelect ? (isSelect ? WEIGHTS.ask : WEIGHTS.restricts) : 0;
  const away = isSelect ? place : 1 - place;
  return (
    WEIGHTS.value * value +
    WEIGHTS.column * column +
    WEIGHTS.table * table * (traits.tables.length > 0 ? 1 : 0.3) +
    WEIGHTS.cue * (traits.cues.length === 0 ? 0 : Math.min(1, cues / Math.min(2, traits.cues.length))) +
    ask -
    WEIGHTS.distance * away
  );
}

/** Words that say how to order, and nothing of what by. */
const ORDERING =
  /^(?:in|the|of|by|from|to|and|a|an|is|are|with|order|ordered|sorted|sort|ascending|descending|increasing|decreasing|reverse|alphabetical|alphabetically|lexicographical|highest|lowest|largest|smallest|most|least|top|first|last|high|low|please|them|it|results?)$/u;
/** A column is mentioned from this share of its name on. */
const MENTIONED = 0.5;

/** Checks whether a segment orders without a word of the column that it orders by: NO MENTIONED (Spider-SS §2.3). */
function isUnmentioned(clause: Clause, { words }: ScoredSegment, mentions: SchemaMentions): boolean {
  if (clause.kind !== 'order' || columnsOf(clause).length === 0) return false;
  // "in" implies a city elsewhere; of "in alphabetical order" that says nothing.
  const isMentioned = columnsOf(clause).some((ref) => mentions.column(ref, words, '') >= MENTIONED);
  return !isMentioned && words.every((word) => ORDERING.test(word.text));
}

/** The columns that a segment names in full and the query has in a clause of another segment, or not at all. */
function extraColumns(
  { words }: ScoredSegment,
  query: ClauseQuery,
  database: Database,
  mentions: SchemaMentions,
): readonly ColumnRef[] {
  const tables = new Set(query.clauses.flatMap((clause) => columnsOf(clause).map(({ table }) => table)));
  const refs = database.tables.flatMap(({ columns }, table) =>
    tables.has(table) ? columns.map((_, column): ColumnRef => ({ table, column })) : [],
  );
  const said = refs.filter((ref) => mentions.column(ref, words, '') === 1);
  const used = new Set(query.clauses.flatMap((clause) => columnsOf(clause).map(columnKey)));
  const ordered = said.filter((ref) => used.has(columnKey(ref)));
  return (ordered.length > 0 ? ordered : said).slice(0, 1);
}

/** The input of an alignment: a question in segments and its query in clauses. */
export interface AlignmentTask extends Pick<AlignedQuestion, 'id' | 'question' | 'query'> {
  readonly segments: readonly Segment[];
}

/** A segment that is left without a clause takes one that says it nearly as well as another segment. */
const EMPTY_PENALTY = 2.5;
/** Of the scores' difference into confidence: e-fold. */
const TEMPERATURE = 1.2;

/** Assigns clauses to segments, for the questions of one database. */
export class QuestionAligner {
  readonly phrases: SchemaPhrases;
  readonly #database: Database;
  readonly #mentions: SchemaMentions;

  constructor(database: Database) {
    this.#database = database;
    this.phrases = new SchemaPhrases(database);
    this.#mentions = new SchemaMentions(database);
  }

  /** Each clause goes to the segment that says it best; a group key also to where it is selected. */
  align({ id, question, segments, query }: AlignmentTask): AlignedQuestion {
    const scored = scoredSegments(segments);
    const scores = query.clauses.map((clause) => this.#scores(clause, query, scored));
    const places = filled(scores, scored.length);
    followed(query.clauses, places, scored, scores);
    const links = scored.map((_, s) => linksOf(s, places, scores));
    const aligned = segments.map((segment, s): AlignedSegment => {
      const marked = (links[s] ?? []).map((link) => this.#marked(link, query, scored, s));
      const extra = marked.length > 0 || segments.length < 2 ? [] : this.#extra(scored[s], query);
      return { ...segment, links: marked, extra, confidence: segmentConfidence(marked, segments.length) };
    });
    const confidence = Math.min(1, ...aligned.map((segment) => segment.confidence));
    return { id, dbId: this.#database.id, question, query, segments: aligned, confidence };
  }

  #scores(clause: Clause, query: ClauseQuery, segments: readonly ScoredSegment[]): readonly number[] {
    const order = query.clauses.find(({ kind }) => kind === 'order');
    const said = clause.kind === 'limit' && order !== undefined ? order : clause;
    const traits = traitsOf(said, query);
    const count = clause.kind === 'limit' && clause.count > 1 ? [String(clause.count)] : [];
    const own = { ...traits, values: [...traits.values, ...count] };
    return segments.map((segment) => segmentScore(said, own, segment, this.#mentions));
  }

  #marked(link: ClauseLink, query: ClauseQuery, scored: readonly ScoredSegment[], at: number): ClauseLink {
    const [clause, segment] = [query.clauses[link.clause], scored[at]];
    if (clause === undefined || segment === undefined) return link;
    return { ...link, unmentioned: isUnmentioned(clause, segment, this.#mentions) };
  }

  #extra(segment: ScoredSegment | undefined, query: ClauseQuery): readonly ColumnRef[] {
    return segment === undefined ? [] : extraColumns(segment, query, this.#database, this.#mentions);
  }
}

function best(scores: readonly number[]): number {
  return scores.reduce((top, score, i) => (score > (scores[top] ?? score) ? i : top), 0);
}

/** The segments of each clause: the best, and no segment empty where another's clause would do nearly as well. */
function filled(scores: readonly (readonly number[])[], count: number): number[][] {
  const places = scores.map((own) => [best(own)]);
  for (let segment = 0; segment < count; segment++) {
    if (places.some((own) => own.includes(segment))) continue;
    const losses = scores.map((own, clause) => {
      const from = places[clause]?.[0] ?? segment;
      const others = places.filter((place) => place.includes(from)).length;
      return others < 2 ? Infinity : (own[from] ?? 0) - (own[segment] ?? 0);
    });
    const least = losses.reduce((top, loss, i) => (loss < (losses[top] ?? Infinity) ? i : top), 0);
    if ((losses[least] ?? Infinity) < EMPTY_PENALTY) places[least] = [segment];
  }
  return places;
}

/** Clauses that go where another goes: a limit with its order, a group key with what is counted or asked by group. */
function followed(
  clauses: readonly Clause[],
  places: number[][],
  segments: readonly ScoredSegment[],
  scores: readonly (readonly number[])[],
): void {
  const order = clauses.findIndex(({ kind }) => kind === 'order');
  const grouped = clauses.findIndex((clause) => clause.kind !== 'select' && isAggregated(clause));
  for (const [i, clause] of clauses.entries()) {
    if (clause.kind === 'limit' && order >= 0) places[i] = [...(places[order] ?? [])];
    if (clause.kind !== 'group') continue;
    const each = segments.flatMap(({ text }, s) =>
      /\b(?:each|every|per|grouped|for all|by)\b/iu.test(text) ? [s] : [],
    );
    const said = each.reduce((top, s) => ((scores[i]?.[s] ?? 0) > (scores[i]?.[top] ?? 0) ? s : top), each[0] ?? -1);
    if (said >= 0 && grouped < 0) places[i] = [said];
    else if (grouped >= 0) places[i] = [...(places[grouped] ?? [])];
    groupedSelect(clauses, i, places);
  }
}

/** Places a selected value that is also grouped by at the group's place, too. */
function groupedSelect(clauses: readonly Clause[], group: number, places: number[][]): void {
  const key = (clause: Clause | undefined): string =>
    clause?.kind === 'group' || clause?.kind === 'select' ? JSON.stringify(clause.value) : '';
  const at = places[group]?.[0];
  const isGrouped = clauses.some((clause) => clause.kind !== 'select' && isAggregated(clause));
  if (at === undefined || isGrouped) return;
  for (const [i, clause] of clauses.entries()) {
    const same = clause.kind === 'select' && key(clause) === key(clauses[group]);
    if (same && clauses.length > 2) places[i] = [at];
  }
}

function linksOf(
  segment: number,
  places: readonly (readonly number[])[],
  scores: readonly (readonly number[])[],
): readonly ClauseLink[] {
  return places.flatMap((own, clause) => {
    if (!own.includes(segment)) return [];
    return [{ clause, confidence: confidenceOf(scores[clause] ?? [], segment), unmentioned: false }];
  });
}

/** The share of a segment among a clause's, by the differences of their scores. */
function confidenceOf(scores: readonly number[], segment: number): number {
  const at = scores[segment] ?? 0;
  return 1 / scores.reduce((sum, score) => sum + Math.exp((score - at) / TEMPERATURE), 0);
}

function segmentConfidence(links: readonly ClauseLink[], segments: number): number {
  if (links.length === 0) return segments < 2 ? 1 : 0.3;
  return Math.min(...links.map(({ confidence }) => confidence));
}

import type { Clause } from '../clauses/clause.js';
import type { Segment } from '../split/segment.js';
import type { ClauseTraits } from './clause-traits.js';
import { hasCue } from './cues.js';
import { type QuestionWord, questionWords } from './question-words.js';
import { type SchemaMentions, valueMention } from './schema-mentions.js';

/** What each way to say a clause counts for; from reading Spider's train questions. */
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
export interface ScoredSegment {
  readonly text: string;
  readonly words: readonly QuestionWord[];
  readonly asks: boolean;
  /** Where it is in the question, 0 to 1. */
  readonly place: number;
}

const QUESTION =
  /^\W*(?:what|which|who|whose|when|where|how|show|list|find|give|return|tell|count|display|name|get|select|are|is|do|does|report|compute|calculate|provide|please|can|in which|for which|on which)\b/iu;

/** Segments with their words; the first that begins like a question or an order asks, else the first. */
export function scoredSegments(segments: readonly Segment[]): readonly ScoredSegment[] {
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
export function segmentScore(
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

import type { Answer, SplitTask } from '../../annotation.js';
import { type MarkedSegment, marksOf, mergedClauses, segmentsOfMarks, segmentTexts } from '../../kinds/split-marks.js';

/** The sub-sentences of an answer. */
export function segmentsOf({ accepted }: Answer): readonly MarkedSegment[] {
  return segmentsOfMarks(accepted);
}

/** The answer with other sub-sentences; a handed-in one is a draft again. */
export function withSegments(answer: Answer, segments: readonly MarkedSegment[]): Answer {
  return { ...answer, state: 'draft', accepted: marksOf(segments) };
}

/** Position of the sub-sentence that a token is in. */
export function segmentAt(segments: readonly MarkedSegment[], token: number): number {
  return Math.max(
    0,
    segments.findLastIndex(({ first }) => first <= token),
  );
}

function merged(a: MarkedSegment, b: MarkedSegment): MarkedSegment {
  const extra = [...new Set([...a.extra, ...b.extra])].sort();
  return { first: a.first, clauses: mergedClauses(a.clauses, b.clauses), extra };
}

/** Lets a sub-sentence begin at a token, or end none before it: what both said is then said by one. */
export function toggleBreak(segments: readonly MarkedSegment[], token: number): readonly MarkedSegment[] {
  if (token <= 0) return segments;
  const at = segments.findIndex(({ first }) => first === token);
  const [before, own] = [segments[at - 1], segments[at]];
  if (before !== undefined && own !== undefined) return segments.toSpliced(at - 1, 2, merged(before, own));
  return segments.toSpliced(segmentAt(segments, token) + 1, 0, { first: token, clauses: [], extra: [] });
}

/** Moves the begin of a sub-sentence by a token, as far as its neighbors allow; what it says stays with it. */
export function moveBreak(
  segments: readonly MarkedSegment[],
  token: number,
  by: -1 | 1,
  tokens: number,
): readonly MarkedSegment[] {
  const at = segments.findIndex(({ first }) => first === token);
  const [own, low, high] = [segments[at], segments[at - 1]?.first, segments[at + 1]?.first ?? tokens];
  const to = token + by;
  if (own === undefined || low === undefined || to <= low || to >= high) return segments;
  return segments.with(at, { ...own, first: to });
}

/** How a sub-sentence stands to a clause: it says it, says it without a word of its column, or does not. */
export type Saying = 'said' | 'unmentioned' | 'unsaid';

export function sayingOf({ clauses }: MarkedSegment, clause: number): Saying {
  const said = clauses.find((one) => one.clause === clause);
  return said === undefined ? 'unsaid' : said.unmentioned ? 'unmentioned' : 'said';
}

function changed(
  segments: readonly MarkedSegment[],
  at: number,
  change: (segment: MarkedSegment) => MarkedSegment,
): readonly MarkedSegment[] {
  return segments.map((segment, i) => (i === at ? change(segment) : segment));
}

/** The next way that a sub-sentence can stand to a clause: unsaid, said, unmentioned, and again. */
export function stepClause(segments: readonly MarkedSegment[], at: number, clause: number): readonly MarkedSegment[] {
  return changed(segments, at, (segment) => {
    const saying = sayingOf(segment, clause);
    const others = segment.clauses.filter((one) => one.clause !== clause);
    if (saying === 'unmentioned') return { ...segment, clauses: others };
    return { ...segment, clauses: mergedClauses(others, [{ clause, unmentioned: saying === 'said' }]) };
  });
}

/** Adds a column that a sub-sentence mentions and that fits no clause of its own, or takes it back. */
export function toggleExtra(segments: readonly MarkedSegment[], at: number, column: string): readonly MarkedSegment[] {
  return changed(segments, at, (segment) => {
    const extra = new Set(segment.extra);
    if (!extra.delete(column)) extra.add(column);
    return { ...segment, extra: [...extra].sort() };
  });
}

/** How many of the clauses are said by some sub-sentence. */
export function saidCount(segments: readonly MarkedSegment[], clauses: number): number {
  return Array.from({ length: clauses }, (_, clause) => clause).filter((clause) =>
    segments.some((segment) => sayingOf(segment, clause) !== 'unsaid'),
  ).length;
}

/** Returns the letter of a sub-sentence: A, B, … */
export function letterOf(segment: number): string {
  return segment < 26 ? String.fromCharCode(65 + segment) : String(segment + 1);
}

/** A sub-sentence with what it says, as texts. */
export interface SaidSegment {
  readonly text: string;
  readonly says: readonly string[];
}

/** The sub-sentences of an answer with the clauses and extra columns that they say. */
export function saidSegments(task: SplitTask, answer: Answer): readonly SaidSegment[] {
  const segments = segmentsOf(answer);
  const texts = segmentTexts(task, segments);
  return segments.map(({ clauses, extra }, i) => ({
    text: (texts[i] ?? '').trim(),
    says: [
      ...clauses.map(({ clause, unmentioned }) => `${task.clauses[clause] ?? ''}${unmentioned ? ' (no mention)' : ''}`),
      ...extra.map((column) => `extra ${column}`),
    ],
  }));
}

/** An answer in one line: "A “Show the names”: select name; B …". */
export function splitInWords(task: SplitTask, answer: Answer): string {
  const parts = saidSegments(task, answer).map(
    ({ text, says }, i) => `${letterOf(i)} “${text}”: ${says.length === 0 ? 'nothing' : says.join(', ')}`,
  );
  return parts.join('; ');
}

import type { AnnotatedSegment, SaidClause } from '../../formats/annotated-split.js';
import type { SplitTask } from '../annotation.js';

// How an answer to a split question is written as marks, which are stored and compared as the names of other kinds are:
// "5:break" a sub-sentence begins at token 5, "5:clause 2" it says clause 2, "5:clause 2 unmentioned" without a word of
// its column, "5:extra singer.Name" it mentions a column of no clause of its own. Tokens and clauses count from 0.

/** A sub-sentence as it is annotated: it begins at the token `first`. */
export interface MarkedSegment extends Omit<AnnotatedSegment, 'start'> {
  readonly first: number;
}

const MARK = /^(\d{1,5}):(?:(break)|clause (\d{1,5})( unmentioned)?|extra (\S.*))$/su;

/** A mark read. */
export interface Mark {
  readonly token: number;
  readonly said: 'break' | SaidClause | { readonly extra: string };
}

/** A mark as it says; null for a text that is none. */
export function readMark(text: string): Mark | null {
  const [, token, isBreak, clause, unmentioned, extra] = MARK.exec(text) ?? [];
  if (token === undefined) return null;
  const at = Number(token);
  if (isBreak !== undefined) return { token: at, said: 'break' };
  if (extra !== undefined) return { token: at, said: { extra } };
  return { token: at, said: { clause: Number(clause), unmentioned: unmentioned !== undefined } };
}

/** Clauses of both, in order, each once; what one of them says in full is not unmentioned. */
export function mergedClauses(a: readonly SaidClause[], b: readonly SaidClause[]): readonly SaidClause[] {
  const merged = new Map<number, SaidClause>();
  for (const said of [...a, ...b]) {
    const unmentioned = said.unmentioned && (merged.get(said.clause)?.unmentioned ?? true);
    merged.set(said.clause, { clause: said.clause, unmentioned });
  }
  return [...merged.values()].sort((x, y) => x.clause - y.clause);
}

function segmentOf(first: number, end: number, marks: readonly Mark[]): MarkedSegment {
  const own = marks.filter(({ token }) => token >= first && token < end).map(({ said }) => said);
  const clauses = own.filter((said) => typeof said === 'object' && 'clause' in said);
  const extra = own.flatMap((said) => (typeof said === 'object' && 'extra' in said ? [said.extra] : []));
  return { first, clauses: mergedClauses(clauses, []), extra: [...new Set(extra)].sort() };
}

/** The sub-sentences that marks say, in order; the first begins at token 0. Texts that are no marks say nothing. */
export function segmentsOfMarks(texts: readonly string[]): readonly MarkedSegment[] {
  const marks = texts.map(readMark).filter((mark) => mark !== null);
  const breaks = marks.filter(({ said }) => said === 'break').map(({ token }) => token);
  const firsts = [...new Set([0, ...breaks])].sort((a, b) => a - b);
  return firsts.map((first, i) => segmentOf(first, firsts[i + 1] ?? Infinity, marks));
}

/** The marks of sub-sentences, in one order: of each its break, its clauses, its extra columns. */
export function marksOf(segments: readonly MarkedSegment[]): readonly string[] {
  return segments.flatMap(({ first, clauses, extra }) => [
    ...(first === 0 ? [] : [`${first}:break`]),
    ...clauses.map(({ clause, unmentioned }) => `${first}:clause ${clause}${unmentioned ? ' unmentioned' : ''}`),
    ...extra.map((column) => `${first}:extra ${column}`),
  ]);
}

/** The tokens of a question: words, with what joins their parts, and single marks. They begin where Spider-SS's do. */
export function tokensOfQuestion(question: string): SplitTask['tokens'] {
  const tokens = question.matchAll(/[\p{L}\p{M}\p{N}_]+(?:[-.'’][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_]/gu);
  return [...tokens].map(({ index, 0: text }) => ({ start: index, end: index + text.length }));
}

/** The text of each sub-sentence, up to where the next begins. */
export function segmentTexts({ question, tokens }: SplitTask, segments: readonly MarkedSegment[]): readonly string[] {
  const startOf = (first: number): number => (first === 0 ? 0 : (tokens[first]?.start ?? question.length));
  return segments.map(({ first }, i) => {
    const next = segments[i + 1];
    return question.slice(startOf(first), next === undefined ? question.length : startOf(next.first));
  });
}

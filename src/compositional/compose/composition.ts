import { itemAt } from '../../present.js';
import type { AlignedQuestion, AlignedSegment } from '../align/aligned-question.js';
import type { Clause, ClauseCondition, ClauseQuery } from '../clauses/clause.js';
import { clauseKey } from '../clauses/clause-parts.js';
import { needsCompound } from './compound-need.js';
import type { QuestionPiece } from '../../formats/artifacts/compositions.js';
import { type CompositionDraft, keptClauses } from './composition-rule.js';
import type { CompositionalElement } from './element.js';
import { fittedText, goesBefore, precedesPredicate } from './element-text.js';

/** A composed question with its clauses; `aligned.segments` cover it. */
export interface Composition extends CompositionDraft {
  readonly pieces: readonly QuestionPiece[];
  readonly aligned: AlignedQuestion;
}

const isCondition = (clause: Clause): clause is ClauseCondition => clause.kind === 'condition';

/** A clause of a composed query, with those that it was made of. */
interface JoinedClause {
  readonly clause: Clause;
  readonly olds: readonly Clause[];
}

/** Clauses in their order, with the place of each clause that they were made of, by object. */
interface JoinedClauses {
  readonly clauses: readonly Clause[];
  readonly placeOf: ReadonlyMap<Clause, number>;
}

/** A condition behind a connective; the same object where it is there already, as facts of it are remembered. */
function linkedBy(condition: ClauseCondition, connective: ClauseCondition['connective']): ClauseCondition {
  return condition.connective === connective ? condition : { ...condition, connective };
}

/** Conditions behind others: the first gets `connective`; in parentheses where an OR in them would bind less than an AND. */
function joinConditions(
  conditions: readonly ClauseCondition[],
  connective: ClauseCondition['connective'],
  isBesideAnd: boolean,
): readonly JoinedClause[] {
  const [first, ...others] = conditions;
  const relinked = first === undefined ? [] : [linkedBy(first, null), ...others];
  if (isBesideAnd && relinked.some((condition) => condition.connective === 'or')) {
    const test = { kind: 'any', negated: false, conditions: relinked } as const;
    return [{ clause: { kind: 'condition', connective, test }, olds: conditions }];
  }
  return conditions.map((old) => ({ clause: old === first ? linkedBy(old, connective) : old, olds: [old] }));
}

const without = (clauses: readonly Clause[]): readonly Clause[] => clauses.filter((clause) => !isCondition(clause));
const one = (clause: Clause): JoinedClause => ({ clause, olds: [clause] });

/** Conditions of two lists under one connective, and everything else of both; what is needed for joins and grouping once. */
function joinClauses(kept: readonly Clause[], added: readonly Clause[], connective: 'and' | 'or'): JoinedClauses {
  const [before, own] = [kept.filter(isCondition), added.filter(isCondition)];
  const isJoined = before.length > 0 && own.length > 0;
  const isBesideAnd = isJoined && connective === 'and';
  const joined = [
    ...without(kept).map(one),
    ...joinConditions(before, null, isBesideAnd),
    ...joinConditions(own, isJoined ? connective : null, isBesideAnd),
    ...without(added).map(one),
  ];
  const placeOf = new Map<Clause, number>();
  const clauses: Clause[] = [];
  const known = new Map<string, number>();
  for (const { clause, olds } of joined) {
    const key = isCondition(clause) || clause.kind === 'select' ? null : clauseKey(clause);
    const place = key === null ? undefined : known.get(key);
    for (const old of olds) placeOf.set(old, place ?? clauses.length);
    if (place !== undefined) continue;
    if (key !== null) known.set(key, clauses.length);
    clauses.push(clause);
  }
  return { clauses, placeOf };
}

/** The element's conditions as a term of a compound, with those of the base's other clauses. */
function compoundClauses({ connective, base, element }: CompositionDraft): JoinedClauses {
  const kept = joinClauses(base.rest, base.clauses, 'and');
  const isGiven = ({ kind }: Clause): boolean => kind !== 'select';
  const term = joinClauses(base.rest.filter(isGiven), element.clauses, 'and').clauses;
  const query: ClauseQuery = { distinct: false, clauses: term };
  const set: Clause = { kind: 'set', operator: connective === 'or' ? 'union' : 'intersect', query };
  const place = kept.clauses.length;
  const placeOf = new Map([...kept.placeOf, ...element.clauses.map((clause) => [clause, place] as const)]);
  return { clauses: [...kept.clauses, set], placeOf };
}

/** The clauses that a draft comes to. */
export function composedClauses(draft: CompositionDraft): JoinedClauses {
  if (needsCompound(draft)) return compoundClauses(draft);
  return joinClauses(keptClauses(draft), draft.element.clauses, draft.connective ?? 'and');
}

/** The base's query without its element: what a substitution starts from. */
export function bareQuery({ source, rest }: CompositionalElement): ClauseQuery {
  return { distinct: source.query.distinct, clauses: joinClauses(rest, [], 'and').clauses };
}

/** A question up to its element; a comma or "and" before that goes where the new one joins in another way. */
function beforeElement(base: CompositionalElement, element: CompositionalElement): string {
  const before = base.source.question.slice(0, base.start);
  return base.frame === element.frame ? before : `${before.replace(/[\s,;]+(?:and\s+)?$/iu, '')} `;
}

/** The words between two elements. */
function linkOf(draft: CompositionDraft): string {
  return precedesPredicate(draft) ? ' ' : ` ${draft.connective ?? 'and'} `;
}

/** The pieces of the question, and behind which of its segments the element's begin. */
function composedPieces(draft: CompositionDraft): readonly QuestionPiece[] {
  const { kind, base, element } = draft;
  const { question } = base.source;
  const { before, text } = fittedText(draft) ?? { before: '', text: element.text };
  const own: readonly QuestionPiece[] = [
    { of: 'link', text: before },
    { of: 'element', text },
  ];
  const end: QuestionPiece = { of: 'base', text: question.slice(base.end) };
  const link: QuestionPiece = { of: 'link', text: linkOf(draft) };
  const pieces: readonly QuestionPiece[] =
    kind === 'SUB'
      ? [{ of: 'base', text: beforeElement(base, element) }, ...own, end]
      : goesBefore(draft)
        ? [{ of: 'base', text: beforeElement(base, element) }, ...own, link, { of: 'base', text: base.text }, end]
        : [{ of: 'base', text: question.slice(0, base.end) }, link, ...own, end];
  return pieces.filter((piece) => piece.text !== '');
}

const relinked = (
  { links, ...segment }: AlignedSegment,
  { query }: AlignedQuestion,
  placeOf: ReadonlyMap<Clause, number>,
  place: { readonly start: number; readonly end: number },
  question: string,
): AlignedSegment => ({
  ...segment,
  ...place,
  text: question.slice(place.start, place.end),
  links: links.flatMap((link) => {
    const clause = placeOf.get(itemAt(query.clauses, link.clause));
    return clause === undefined ? [] : [{ ...link, clause }];
  }),
});

/**
 * Segments of each source, where in the composed question they end, and the shift from places in the source's question to
 * places in the composed one.
 */
function placedSegments(draft: CompositionDraft, pieces: readonly QuestionPiece[]) {
  const { kind, base, element } = draft;
  const { segments } = base.source;
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const tail = base.source.question.length - base.end;
  const own = element.source.segments.slice(element.first, element.last + 1);
  const cut = pieces[0]?.text.length ?? 0;
  if (!goesBefore(draft)) {
    const kept = kind === 'SUB' ? segments.slice(0, base.first) : segments;
    return [
      { source: base.source, segments: kept, shift: 0, end: cut },
      { source: element.source, segments: own, shift: length - tail - element.end, end: length },
    ];
  }
  const begin = length - tail - base.text.length;
  return [
    { source: base.source, segments: segments.slice(0, base.first), shift: 0, end: cut },
    {
      source: element.source,
      segments: own,
      shift: begin - linkOf(draft).length - element.end,
      end: begin,
    },
    { source: base.source, segments: segments.slice(base.first), shift: length - tail - base.end, end: length },
  ];
}

/** The segments of a composed question, which cover it. */
function composedSegments(
  draft: CompositionDraft,
  pieces: readonly QuestionPiece[],
  placeOf: ReadonlyMap<Clause, number>,
): readonly AlignedSegment[] {
  const question = pieces.map(({ text }) => text).join('');
  let start = 0;
  return placedSegments(draft, pieces).flatMap(({ source, segments, shift, end: last }) =>
    segments.map((segment, i) => {
      const end = i === segments.length - 1 ? last : segment.end + shift;
      const place = { start, end };
      start = end;
      return relinked(segment, source, placeOf, place, question);
    }),
  );
}

/** Makes the question and the clauses of a draft; `id` is the composed question's. Whether it is any good, rules say. */
export function compose(draft: CompositionDraft, id: string): Composition {
  const { base, element } = draft;
  const { clauses, placeOf } = composedClauses(draft);
  const pieces = composedPieces(draft);
  const segments = composedSegments(draft, pieces, placeOf);
  const query: ClauseQuery = { distinct: base.source.query.distinct, clauses };
  const confidence = Math.min(base.source.confidence, element.source.confidence);
  const question = pieces.map(({ text }) => text).join('');
  const hint = [base, element].flatMap(({ source }) => source.hint ?? []).join('; ');
  return { ...draft, pieces, aligned: { id, dbId: base.source.dbId, question, hint, query, segments, confidence } };
}

import { elementAt } from '../../present.js';
import type { AlignedQuestion, AlignedSegment } from '../align/aligned-question.js';
import type { Clause, ClauseCondition, ClauseQuery } from '../clauses/clause.js';
import { agreeing } from './agreement.js';
import { clauseKey } from './clause-facts.js';
import type { CompositionalElement } from './element.js';

/** CG-SUB and CG-APP (Spider-SS §3.1). */
export const COMPOSITION_KINDS = ['SUB', 'APP'] as const;
export type CompositionKind = (typeof COMPOSITION_KINDS)[number];

/** What is to be composed: `base`'s question with `element` in the place of `base` or appended to it. */
export interface CompositionDraft {
  readonly kind: CompositionKind;
  /** What an appended element is joined with; null of a substitution. */
  readonly connective: 'and' | 'or' | null;
  readonly base: CompositionalElement;
  readonly element: CompositionalElement;
}

/** A stretch of a composed question: of its first parent, of its second, or the word that joins them. */
export interface QuestionPiece {
  readonly of: 'base' | 'element' | 'link';
  readonly text: string;
}

/** A composed question with its clauses; `aligned.segments` cover it. */
export interface Composition extends CompositionDraft {
  readonly pieces: readonly QuestionPiece[];
  readonly aligned: AlignedQuestion;
}

const isCondition = (clause: Clause): clause is ClauseCondition => clause.kind === 'condition';

/** A clause of a composed query, with those that it stands for. */
interface JoinedClause {
  readonly clause: Clause;
  readonly olds: readonly Clause[];
}

/** Clauses in their order, with the place of each clause that they were made of, by object. */
interface JoinedClauses {
  readonly clauses: readonly Clause[];
  readonly placeOf: ReadonlyMap<Clause, number>;
}

/** Conditions behind others: the first gets `connective`; in parentheses where an OR in them would bind less than an AND. */
function joinConditions(
  conditions: readonly ClauseCondition[],
  connective: ClauseCondition['connective'],
  isBesideAnd: boolean,
): readonly JoinedClause[] {
  const relinked = conditions.map((old, i) => ({ ...old, connective: i === 0 ? null : old.connective }));
  if (isBesideAnd && relinked.some((condition) => condition.connective === 'or')) {
    const test = { kind: 'any', negated: false, conditions: relinked } as const;
    return [{ clause: { kind: 'condition', connective, test }, olds: conditions }];
  }
  return relinked.map((clause, i) => ({
    clause: i === 0 ? { ...clause, connective } : clause,
    olds: [elementAt(conditions, i)],
  }));
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
    const key = clauseKey(clause);
    const place = isCondition(clause) || clause.kind === 'select' ? undefined : known.get(key);
    for (const old of olds) placeOf.set(old, place ?? clauses.length);
    if (place !== undefined) continue;
    known.set(key, clauses.length);
    clauses.push(clause);
  }
  return { clauses, placeOf };
}

/** The clauses that a draft comes to. */
export function composedClauses({ kind, connective, base, element }: CompositionDraft): JoinedClauses {
  const kept = kind === 'SUB' ? base.rest : [...base.rest, ...base.clauses];
  return joinClauses(kept, element.clauses, connective ?? 'and');
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

function composedPieces({ kind, connective, base, element }: CompositionDraft): readonly QuestionPiece[] {
  const { question } = base.source;
  const text = agreeing(element.text, element.frame, base.noun?.isPlural ?? true);
  const before = kind === 'SUB' ? beforeElement(base, element) : question.slice(0, base.end);
  const link: readonly QuestionPiece[] = kind === 'SUB' ? [] : [{ of: 'link', text: ` ${connective ?? 'and'} ` }];
  const pieces: readonly QuestionPiece[] = [
    { of: 'base', text: before },
    ...link,
    { of: 'element', text },
    { of: 'base', text: question.slice(base.end) },
  ];
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
    const clause = placeOf.get(elementAt(query.clauses, link.clause));
    return clause === undefined ? [] : [{ ...link, clause }];
  }),
});

/** The segments of a composed question: those kept of the base, then the element's; together they cover it. */
function composedSegments(
  { kind, base, element }: CompositionDraft,
  pieces: readonly QuestionPiece[],
  placeOf: ReadonlyMap<Clause, number>,
): readonly AlignedSegment[] {
  const question = pieces.map(({ text }) => text).join('');
  const kept = base.source.segments.slice(0, kind === 'SUB' ? base.first : base.last + 1);
  const own = element.source.segments.slice(element.first, element.last + 1);
  const cut = elementAt(pieces, 0).text.length;
  const shift = question.length - (base.source.question.length - base.end) - element.end;
  const ends = [
    ...kept.map(({ end }, i) => (i === kept.length - 1 ? cut : end)),
    ...own.map(({ end }, i) => (i === own.length - 1 ? question.length : end + shift)),
  ];
  return [...kept, ...own].map((segment, i) => {
    const source = i < kept.length ? base.source : element.source;
    const place = { start: i === 0 ? 0 : elementAt(ends, i - 1), end: elementAt(ends, i) };
    return relinked(segment, source, placeOf, place, question);
  });
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
  return { ...draft, pieces, aligned: { id, dbId: base.source.dbId, question, query, segments, confidence } };
}

import type { DependencyToken } from '../parser/parse.js';
import { hasOwnWord, saysCondition } from '../split/phrase-content.js';
import { isFreePreposition } from '../split/part-starts.js';
import type { Segment } from '../split/segment.js';
import { refinedStarts, segmentsAtTokens, splitTokens, viewForSplit } from '../split/split-question.js';
import type { SplitRule, SplitView } from '../split/split-rule.js';
import { valuesOf, valuesWithin } from '../clauses/clause-parts.js';
import type { ClauseQuery } from '../clauses/clause.js';
import type { AlignedQuestion, AlignedSegment } from './aligned-question.js';
import { questionWords, stemOf } from './schema-mentions.js';
import type { QuestionAligner } from './align-question.js';

/** From this confidence on, a clause counts as one that a segment says. */
const CERTAIN = 0.8;
/** Each is tried by an alignment of its own: of questions with more, the rest are not. */
const MOST_CANDIDATES = 20;
/** Clauses that say which rows are meant, or their order. */
const RESTRICTING: ReadonlySet<string> = new Set(['condition', 'order', 'set']);

/** A question to split whose query is known. */
interface GoldTask extends Pick<AlignedQuestion, 'id' | 'question' | 'query'> {
  readonly tokens: readonly DependencyToken[];
}

/** Aligns a split with the query. */
type Judge = (starts: readonly number[]) => readonly AlignedSegment[];

/** A rule of splitting that asks the query, as it is listed. */
interface GoldRule extends SplitRule {
  /** The starts after the rule, in order; 0 is not among them. */
  readonly apply: (starts: readonly number[], view: SplitView, judge: Judge, query: ClauseQuery) => readonly number[];
}

/** Checks whether a segment says conditions or an order of its own, without doubt. */
function restricts({ links }: AlignedSegment, { clauses }: ClauseQuery): boolean {
  const own = links.filter(({ clause }) => RESTRICTING.has(clauses[clause]?.kind ?? ''));
  return own.length > 0 && own.every(({ confidence }) => confidence >= CERTAIN);
}

/** Tokens at which a phrase or clause could start a sub-sentence, though no rule found one there. */
function candidates(view: SplitView, starts: readonly number[]): readonly number[] {
  const { tree } = view;
  const places = [...tree.tokens.keys()].filter(
    (at) => (isFreePreposition(view, at) && hasOwnWord(view, at)) || /^(?:relcl|acl|advcl)$/u.test(tree.at(at).label),
  );
  const edges = places.map((at) => tree.leftEdge(at));
  const free = [...new Set(edges)].filter((at) => at > 1 && !starts.includes(at));
  return free.sort((a, b) => a - b).slice(0, MOST_CANDIDATES);
}

/** Checks whether a start separates clauses: what begins there says some, and so does what is before it. */
function separatesClauses(segments: readonly AlignedSegment[], at: number, query: ClauseQuery): boolean {
  const [before, after] = [segments[at - 1], segments[at]];
  if (before === undefined || after === undefined || !restricts(after, query)) return false;
  return at === 1 ? before.links.length > 0 : restricts(before, query);
}

function withSeparated(
  starts: readonly number[],
  view: SplitView,
  judge: Judge,
  query: ClauseQuery,
): readonly number[] {
  let kept = starts;
  for (const candidate of candidates(view, starts)) {
    const tried = [...kept, candidate].sort((a, b) => a - b);
    if (refinedStarts(tried, view).length !== tried.length) continue;
    if (separatesClauses(judge(tried), tried.indexOf(candidate) + 1, query)) kept = tried;
  }
  return kept;
}

/** A prepositional phrase that says no clause before the clause or phrase that modifies its noun. */
function isOpening(view: SplitView, start: number, next: number): boolean {
  const { tree } = view;
  if (
    tree.at(start).label !== 'prep' ||
    saysCondition(view, start, next) ||
    /^(?:and|or|,)$/u.test(tree.word(next - 1))
  )
    return false;
  const noun = next - 1;
  return [...tree.tokens.keys()].some(
    (at) => at >= next && tree.at(at).head === noun && tree.leftEdge(at) === next && tree.at(at).label !== 'conj',
  );
}

function withoutOpenings(starts: readonly number[], view: SplitView, judge: Judge): readonly number[] {
  const segments = judge(starts);
  return starts.filter((start, i) => {
    const before = starts[i - 1];
    return before === undefined || segments[i]?.links.length !== 0 || !isOpening(view, before, start);
  });
}

/** Rules that ask the query, in the order in which they are applied. */
const GOLD_RULES: readonly GoldRule[] = [
  {
    id: 'gold-separates-clauses',
    source: 'Spider-SS §2.2 and appendix C: a sub-sentence corresponds to clauses; its annotators saw the query',
    description:
      'With a query at hand, a phrase or clause that says a condition or an order of its own starts a sub-sentence, regardless of its words: "courses | in room 5 | under review".',
    apply: withSeparated,
  },
  {
    id: 'gold-joins-opening',
    source: 'Spider-SS §2.2 and appendix C',
    description:
      'With a query at hand, a prepositional phrase that says none of its clauses joins what modifies its noun: "in buildings | managed by Kyle".',
    apply: withoutOpenings,
  },
];

/** The rules that ask the query, by id: what each does, and where it is from. */
export function listGoldRules(): Readonly<Record<string, string>> {
  return Object.fromEntries(GOLD_RULES.map(({ id, source, description }) => [id, `${description} (${source})`]));
}

/** The constants of a query, those of nested ones included. */
function constantsOf({ clauses }: ClauseQuery): readonly string[] {
  return clauses.flatMap((clause) => [
    ...valuesOf(clause)
      .flatMap((value) => valuesWithin(value))
      .flatMap((part) =>
        part.kind === 'literal' ? [part.value] : part.kind === 'query' ? constantsOf(part.query) : [],
      ),
    ...(clause.kind === 'set' ? constantsOf(clause.query) : []),
  ]);
}

/** Which tokens are words of a query's constants. */
function constantTokens(tokens: readonly DependencyToken[], query: ClauseQuery): readonly boolean[] {
  const stems = new Set(
    constantsOf(query).flatMap((constant) => questionWords(constant.replaceAll('%', ' ')).map(({ stem }) => stem)),
  );
  return tokens.map(({ text, tag }) => !/^(?:IN|DT|CC|TO)$/u.test(tag) && stems.has(stemOf(text.toLowerCase())));
}

/**
 * Splits a question into sub-sentences as `splitQuestion` does, and then by what its query says.
 * @param aligner of the question's database
 */
export function splitWithGold({ id, question, tokens, query }: GoldTask, aligner: QuestionAligner): readonly Segment[] {
  const view = viewForSplit(tokens, aligner.phrases.find(tokens), constantTokens(tokens, query));
  const judge: Judge = (starts) =>
    aligner.align({ id, question, query, segments: segmentsAtTokens(question, tokens, [0, ...starts]) }).segments;
  let starts = splitTokens(view).slice(1);
  for (const { apply } of GOLD_RULES) starts = [...apply(starts, view, judge, query)];
  return segmentsAtTokens(question, tokens, [0, ...starts]);
}

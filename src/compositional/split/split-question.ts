import { itemAt } from '../../present.js';
import type { DependencyToken } from '../parser/parse.js';
import { BREAK_RULES } from './break-rules.js';
import { DependencyTree } from './dependency-tree.js';
import { REFINEMENT_RULES } from './refinement-rules.js';
import { type SchemaMention, type Segment, segmentsAt } from './segment.js';
import type { BreakRule, SplitView } from './split-rule.js';

/** Every rule of splitting by its id: what it does, and where it is from. */
export function listSplitRules(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...BREAK_RULES, ...REFINEMENT_RULES].map(({ id, source, description }) => [id, `${description} (${source})`]),
  );
}

/** A token that depends on something else than the parser found. */
type Repair = readonly [index: number, changes: Partial<DependencyToken>];

const SUBJECT = /^nsubj/u;
const FINITE = /^(?:VBP|VBZ|VBD)$/u;

/** "from city code BAL own": a verb has one subject, so a name behind another noun is that noun's. */
function namesOfNouns(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head } = tree.at(at);
    const noun = tree.leftEdge(at) - 1;
    if (!SUBJECT.test(label) || !/^(?:NNPS?|CD)$/u.test(tag) || noun < 1 || !/^NN/u.test(tree.at(noun).tag)) return [];
    const hasOther = tree.children(head).some((other) => other < noun && SUBJECT.test(tree.at(other).label));
    return hasOther && tree.at(noun).head !== head ? [[at, { head: noun, label: 'appos' }]] : [];
  });
}

/** "depart from Aberdeen or land in Ashley": what follows belongs to a verb, so the conjunct of the name is one. */
function verbsJoinedToNames(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head, text } = tree.at(at);
    const [conjunction, preposition] = [at - 1, at + 1];
    const isBare = label === 'conj' && tag === 'NN' && text === text.toLowerCase() && tree.leftEdge(at) === at;
    if (!isBare || !/^NNPS?$/u.test(tree.at(head).tag) || !/^(?:and|or)$/u.test(tree.word(conjunction))) return [];
    const follows = tree.tokens[preposition];
    if (follows?.label !== 'prep' || !tree.isVerb(follows.head) || follows.head > head) return [];
    const verb = follows.head;
    return [
      [at, { tag: 'VB', head: verb }],
      [conjunction, { head: verb }],
      [preposition, { head: at }],
    ];
  });
}

/** "flights depart": nouns in the plural before a verb are its subject, not the beginning of a compound. */
function subjectsInCompounds(tree: DependencyTree): readonly Repair[] {
  return [...tree.tokens.keys()].flatMap((at): Repair[] => {
    const { label, tag, head } = tree.at(at);
    if (label !== 'compound' || tag !== 'NNS' || head !== at + 1 || !tree.isRoot(head)) return [];
    const isJoinedToVerb = tree.children(head).some((child) => tree.at(child).label === 'conj' && tree.isVerb(child));
    if (FINITE.test(tree.at(head).tag)) return [[at, { label: 'nsubj' }]];
    if (tree.at(head).tag !== 'NN' || !isJoinedToVerb) return [];
    const determiners = tree.children(head).filter((child) => child < at);
    return [
      [at, { label: 'nsubj' }],
      [head, { tag: 'VBP' }],
      ...determiners.map((child): Repair => [child, { head: at }]),
    ];
  });
}

/** A question's tokens with what the parser can't have meant corrected: each verb has one subject, each name its noun. */
function repairedParse(tokens: readonly DependencyToken[]): readonly DependencyToken[] {
  return [namesOfNouns, verbsJoinedToNames, subjectsInCompounds].reduce((kept, repair) => {
    const repairs = new Map(repair(new DependencyTree(kept)));
    return repairs.size === 0 ? kept : kept.map((token, at) => ({ ...token, ...repairs.get(at) }));
  }, tokens);
}

const MODIFYING: ReadonlySet<string> = new Set(['relcl', 'acl', 'advcl']);
const OPENING = /^["'“‘`]+$|^``$|^''$/u;
/** Longer quotations are no values: a mark was forgotten. */
const LONGEST_QUOTED = 12;

function phrasesOf(tokens: readonly DependencyToken[], mentions: readonly SchemaMention[]): readonly number[] {
  return tokens.map(({ start, end }) => mentions.findIndex((mention) => mention.start <= start && end <= mention.end));
}

/** "'Hl.m. Praha' district": the parser takes the mark behind a quoted name for a possessive. */
function closesQuote(tokens: readonly DependencyToken[], open: number, at: number): boolean {
  return tokens[open]?.text === "'" && tokens[at]?.text === "'";
}

/** Tokens within quotation marks; an apostrophe that a word ends with is none. */
function quotedTokens(tokens: readonly DependencyToken[]): readonly boolean[] {
  const quoted = tokens.map(() => false);
  const isMark = (at: number): boolean =>
    (OPENING.test(tokens[at]?.text ?? '') && tokens[at]?.tag !== 'POS') || /^[”’]$/u.test(tokens[at]?.text ?? '');
  for (let open = 0; open < tokens.length; open++) {
    if (!isMark(open)) continue;
    let close = open + 1;
    while (close < tokens.length && !isMark(close) && !closesQuote(tokens, open, close)) close++;
    if (close >= tokens.length || close - open > LONGEST_QUOTED) continue;
    quoted.fill(true, open + 1, close + 1);
    open = close;
  }
  return quoted;
}

/**
 * A question as the rules of splitting see it.
 * @param constants for each token, whether it is part of a constant of the question's query; null = no query is known
 */
export function viewForSplit(
  tokens: readonly DependencyToken[],
  mentions: readonly SchemaMention[],
  constants: readonly boolean[] | null = null,
): SplitView {
  const tree = new DependencyTree(repairedParse(tokens));
  const isModifying = (index: number): boolean =>
    [...tree.ancestors(index)].some((at) => MODIFYING.has(tree.at(at).label));
  const phrases = phrasesOf(tokens, mentions);
  const tables = phrases.map((phrase) => mentions[phrase]?.isTable === true);
  return { tree, phrases, tables, quoted: quotedTokens(tokens), constants, isModifying };
}

/** Starts of sub-sentences as the refinements leave them, in order; 0 is not among them. */
export function refinedStarts(starts: readonly number[], view: SplitView): readonly number[] {
  const inOrder = (some: readonly number[]): readonly number[] =>
    [...new Set(some)].filter((start) => start > 0).sort((a, b) => a - b);
  return inOrder(REFINEMENT_RULES.reduce((kept, { refine }) => refine(inOrder(kept), view), starts));
}

/** Indices of the tokens that sub-sentences start with, by rules; 0 is among them. */
export function splitTokens(view: SplitView, breaks: readonly BreakRule[] = BREAK_RULES): readonly number[] {
  const starts = breaks.flatMap(({ find }) => find(view));
  return [0, ...refinedStarts(starts, view)];
}

/** The segments of a question that begin at tokens of it, the first at 0. */
export function segmentsAtTokens(
  question: string,
  tokens: readonly DependencyToken[],
  starts: readonly number[],
): readonly Segment[] {
  return segmentsAt(
    question,
    starts.map((at) => (at === 0 ? 0 : itemAt(tokens, at).start)),
  );
}

/**
 * Splits a question into sub-sentences, of which each says whole clauses of a query (Spider-SS §2.2); their texts,
 * one after another, are the question.
 * @param tokens all of the question's, as the parser gives them
 * @param mentions words that name a table or a column; they stay whole
 */
export function splitQuestion(
  question: string,
  tokens: readonly DependencyToken[],
  mentions: readonly SchemaMention[],
): readonly Segment[] {
  if (tokens.length === 0) return question === '' ? [] : [{ text: question, start: 0, end: question.length }];
  return segmentsAtTokens(question, tokens, splitTokens(viewForSplit(tokens, mentions)));
}

import { itemAt } from '../../present.js';
import type { DependencyToken } from '../parser/parse.js';
import { BREAK_RULES } from './break-rules.js';
import { DependencyTree } from './dependency-tree.js';
import { repairedParse } from './parse-repairs.js';
import { REFINEMENT_RULES } from './refinement-rules.js';
import { type SchemaMention, type Segment, segmentsAt } from './segment.js';
import type { BreakRule, RefinementRule, SplitView } from './split-rule.js';

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
export function refinedStarts(
  starts: readonly number[],
  view: SplitView,
  refinements: readonly RefinementRule[] = REFINEMENT_RULES,
): readonly number[] {
  const inOrder = (some: readonly number[]): readonly number[] =>
    [...new Set(some)].filter((start) => start > 0).sort((a, b) => a - b);
  return inOrder(refinements.reduce((kept, { refine }) => refine(inOrder(kept), view), starts));
}

/** Indices of the tokens that sub-sentences start with, by rules; 0 is among them. */
export function splitTokens(view: SplitView, breaks: readonly BreakRule[] = BREAK_RULES): readonly number[] {
  return [
    0,
    ...refinedStarts(
      breaks.flatMap(({ find }) => find(view)),
      view,
    ),
  ];
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

import { columnAt, type Database } from '../../schema/schema.js';
import { spelledNumbers, writtenNumbers } from '../../schema/question-numbers.js';
import { hasCue } from '../align/cues.js';
import type { ClauseComparison, ComparisonOperator } from '../clauses/clause.js';
import type { ClauseContent } from './clause-constants.js';

/** "at least three", "most of": no superlative. */
const NO_SUPERLATIVE = /(?<!\p{L})(?:at\s+(?:the\s+)?(?:least|most)|most\s+of)(?!\p{L})/giu;
const SUPERLATIVE =
  /(?<!\p{L})(?:most|least|mostly|mainly|predominant(?:ly)?|primarily|top|maximum|minimum|best|worst|(?!(?:inter|requ|t|w|north|south|gu|for|r|cont|harv|latit|t|conqu|prot|inv|sugg|arr|m|n|p|v|b|mod|hon)est)\p{L}+est)(?!\p{L})/iu;
const RANGE =
  /(?<!\p{L})(?:more|less|fewer|greater|higher|lower|older|younger|larger|smaller|bigger|longer|shorter|taller|heavier|lighter|earlier|later)\s+than(?!\p{L})|(?<!\p{L})at\s+(?:least|most)(?!\p{L})|(?<!\p{L})between(?!\p{L})[^]*\d/iu;
const NEGATION =
  /(?<!\p{L})(?:not|never|without|except|excluding|neither|nor|none|cannot|other than|no)(?!\p{L})|n['’]t(?!\p{L})/iu;
/** "no more than 3", "not later than": a range; "No. 5": a number. */
const NO_NEGATION =
  /(?<!\p{L})(?:no|not)\s+(?:more|less|fewer|greater|later|earlier|older|younger|higher|lower)\s+than|(?<!\p{L})no\.?\s*(?:\d|of(?!\p{L}))|not\s+only/giu;

const RANGES = new Set(['<', '>', '<=', '>=', 'between']);
const RANGE_CUES = ['more', 'less', 'at-least', 'at-most', 'between', 'most', 'least'] as const;
const FALSE = /^(?:0|f|n|no|false|none|)$/iu;

/** Checks whether a column of the clauses is called by a word like a text's: "highest" of `highest_rank`. */
function isInName(text: string, pattern: RegExp, { columns }: ClauseContent, database: Database): boolean {
  const word = pattern.exec(text)?.[0].toLowerCase() ?? '';
  return word !== '' && columns.some((ref) => columnAt(database, ref).name.toLowerCase().includes(word));
}

/** Checks whether superlatives of a text are in its clauses, and limits in its words. */
export function areSuperlativesMeant(text: string, content: ClauseContent, database: Database): boolean {
  const bare = text.replace(NO_SUPERLATIVE, ' ');
  if (SUPERLATIVE.test(bare)) {
    return content.hasExtreme || content.hasOrder || isInName(bare, SUPERLATIVE, content, database);
  }
  return content.limits.length === 0 || hasCue(text, 'most') || hasCue(text, 'least') || hasCue(text, 'order');
}

/** Bounds as words say them, with the operator that would say another. */
const BOUNDS: readonly (readonly [RegExp, ComparisonOperator])[] = [
  [/(?:at\s+least|no\s+(?:less|fewer)\s+than|minimum\s+of)\s+(\w+)/giu, '>'],
  [/(\w+)(?:\s+\w+)?\s+or\s+(?:more|greater|higher|above|older|over)(?!\p{L})/giu, '>'],
  [/(?:at\s+most|no\s+more\s+than|maximum\s+of)\s+(\w+)/giu, '<'],
  [/(\w+)(?:\s+\w+)?\s+or\s+(?:less|fewer|lower|below|younger|under)(?!\p{L})/giu, '<'],
  [
    /(?<!no\s)(?:(?:more|greater|higher|larger|older|bigger|longer)\s+than|over|above|exceed(?:s|ed|ing)?)\s+(\w+)(?!\w*\s+or\s)/giu,
    '>=',
  ],
  [/(?<!no\s)(?:(?:less|fewer|lower|smaller|younger|shorter)\s+than|under|below)\s+(\w+)(?!\w*\s+or\s)/giu, '<='],
];

/** Checks whether a comparison has the bound that a text says with it, or without: "at least 3" is not `> 3`. */
function areBoundsMeant(text: string, comparisons: readonly ClauseComparison[]): boolean {
  const boundsOf = (operator: ComparisonOperator): readonly number[] =>
    comparisons.flatMap(({ operator: own, negated, right: [value] }) =>
      own === operator && !negated && value?.kind === 'literal' ? [Number(value.value)] : [],
    );
  return BOUNDS.every(([pattern, wrong]) => {
    const said = [...text.matchAll(pattern)].flatMap(([, word = '']) => [
      ...writtenNumbers(word),
      ...spelledNumbers(word),
    ]);
    const found = boundsOf(wrong);
    return !said.some((number) => found.includes(number));
  });
}

/** Checks whether comparisons of a text are in its clauses, and ranges of these in its words. */
export function areRangesMeant(text: string, { comparisons, constants }: ClauseContent): boolean {
  if (!areBoundsMeant(text, comparisons)) return false;
  const hasRange = comparisons.some(({ operator }) => RANGES.has(operator));
  const isCompared = hasRange || comparisons.some(({ operator, negated }) => operator === '!=' || negated);
  if (RANGE.test(text)) return isCompared || constants.some(({ value }) => RANGE.test(value));
  return !hasRange || RANGE_CUES.some((cue) => hasCue(text, cue));
}

/** Checks whether denials of a text are in its clauses, and those of the clauses in its words. */
export function areDenialsMeant(text: string, { denies, constants }: ClauseContent): boolean {
  const bare = text.replace(NO_NEGATION, ' ');
  if (denies)
    return (
      hasCue(text, 'not') || hasCue(text, 'except') || /missing|unknown|empty|blank|without|have|has|exist/iu.test(text)
    );
  if (!NEGATION.test(bare)) return true;
  return constants.some(({ value }) => FALSE.test(value) || NEGATION.test(value));
}

import { columnAt, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { spelledNumbers, writtenNumbers } from '../../schema/question-numbers.js';
import { hasCue } from '../align/cues.js';
import type { Clause, ClauseComparison, ComparisonOperator } from '../clauses/clause.js';
import {
  areNamesMeant,
  areNumbersMeant,
  arePresentSaid,
  type ClauseContent,
  type Constant,
  contentOf,
  isConstantSaid,
  isFlag,
  type SaidText,
  saidText,
} from './said-values.js';
import { wordsOf } from '../../schema/name-identity.js';
import { likeness, questionWords, SchemaMentions, stemOf } from '../align/schema-mentions.js';
import { comparisonsOf } from '../clauses/clause-parts.js';
import { memoizeObject } from '../../schema/memoize.js';

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

/** Checks whether a column of the clauses is called by a superlative like a text's: "highest" of `highest_rank`. */
function isInName(text: string, { columns }: ClauseContent, database: Database): boolean {
  const word = SUPERLATIVE.exec(text)?.[0].toLowerCase() ?? '';
  return word !== '' && columns.some((ref) => columnAt(database, ref).name.toLowerCase().includes(word));
}

/** Checks whether superlatives of a text are in its clauses, and limits in its words. */
function areSuperlativesMeant(text: string, content: ClauseContent, database: Database): boolean {
  const bare = text.replace(NO_SUPERLATIVE, ' ');
  if (SUPERLATIVE.test(bare)) {
    return content.hasExtreme || content.hasOrder || isInName(bare, content, database);
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
function areRangesMeant(text: string, { comparisons, constants }: ClauseContent): boolean {
  if (!areBoundsMeant(text, comparisons)) return false;
  const hasRange = comparisons.some(({ operator }) => RANGES.has(operator));
  const isCompared = hasRange || comparisons.some(({ operator, negated }) => operator === '!=' || negated);
  if (RANGE.test(text)) return isCompared || constants.some(({ value }) => RANGE.test(value));
  return !hasRange || RANGE_CUES.some((cue) => hasCue(text, cue));
}

/** Checks whether denials of a text are in its clauses, and those of the clauses in its words. */
function areDenialsMeant(text: string, { denies, constants }: ClauseContent): boolean {
  const bare = text.replace(NO_NEGATION, ' ');
  if (denies)
    return (
      hasCue(text, 'not') || hasCue(text, 'except') || /missing|unknown|empty|blank|without|have|has|exist/iu.test(text)
    );
  if (!NEGATION.test(bare)) return true;
  return constants.some(({ value }) => FALSE.test(value) || NEGATION.test(value));
}

/** Joins a phrase and what it is in SQL, in either order: "charter schools refers to Charter = 1". */
const REFERS = /\s+(?:refers?\s+to|means?(?:\s+that)?|stands?\s+for|represents?)\s+/iu;
const HINT_END = /;|\.\s|\n/u;
const COMPARES = /[=<>]|(?<!\p{L})(?:like|between|is|in)(?!\p{L})/iu;

/** Words of phrases and column names that say little of what is meant. */
const EMPTY = new Set(
  (
    'a an the of in on at by to for from with and or as is are was were be been it its that which who whose have has had ' +
    'do does did all each any flag code id name type status no number y n'
  )
    .split(' ')
    .map(stemOf),
);

/** A phrase as the stems of its words that say something. */
type Phrase = readonly string[];

const phraseOf = (words: readonly string[]): Phrase => [
  ...new Set(words.map((word) => stemOf(word.toLowerCase())).filter((stem) => !EMPTY.has(stem))),
];

const shareOf = (phrase: Phrase, { words }: SaidText): number =>
  phrase.filter((stem) => words.some((word) => likeness(stem, word.stem) > 0)).length / phrase.length;

/** A text that letters or digits around don't make another: `Magnet`, not `MagnetSchool`. */
function hasWhole(text: string, part: string): boolean {
  const [all, own] = [text.toLowerCase(), part.toLowerCase()];
  const isJoined = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  for (let at = all.indexOf(own); at >= 0; at = all.indexOf(own, at + 1)) {
    if (!isJoined(all[at - 1]) && !isJoined(all[at + own.length])) return true;
  }
  return false;
}

/** The phrases that a hint explains by a column's comparison with a value. */
function explainedBy(hint: string, column: ColumnRef, value: string, database: Database): readonly Phrase[] {
  const { originalName } = columnAt(database, column);
  const compares = (side: string): boolean =>
    hasWhole(side, originalName) && COMPARES.test(side) && (value === '' || hasWhole(side, value));
  return hint.split(HINT_END).flatMap((part) => {
    const [left, right, more] = part.split(REFERS);
    if (left === undefined || right === undefined || more !== undefined || compares(left) === compares(right))
      return [];
    const phrase = phraseOf(
      questionWords((compares(left) ? right : left).replace(/[-–_/]/gu, ' ')).map(({ text }) => text),
    );
    return phrase.length === 0 ? [] : [phrase];
  });
}

/** The two sides of a question, and what explains its words. */
interface ExplainedQuestion {
  readonly question: string;
  /** The data set's hint; empty if there is none. */
  readonly hint: string;
  readonly database: Database;
  readonly mentions: SchemaMentions;
}

/** Checks whether what says a comparison is in another text, and not in the text that the comparison is of. */
function isSaidIn(
  { value, column }: Constant,
  own: SaidText,
  other: SaidText,
  { question, hint, database, mentions }: ExplainedQuestion,
): boolean {
  if (column === null) return false;
  const constant = { value, column };
  const isCode = isFlag(value) || !isConstantSaid(constant, saidText(question), mentions);
  const isOwn = isConstantSaid(constant, own, mentions);
  // A digit says no flag: "opened after 2000/1/1" has a 1.
  if (isOwn && !isFlag(value)) return false;
  const explained = explainedBy(hint, column, value, database);
  const named = isCode && !isOwn ? [phraseOf(wordsOf(columnAt(database, column).name))] : [];
  const phrases = [...explained, ...named].filter(({ length }) => length > 0);
  // Half of "charter schools" is in "schools that are open", which says nothing of charters.
  return (
    phrases.every((phrase) => shareOf(phrase, own) <= 0.5) && phrases.some((phrase) => shareOf(phrase, other) === 1)
  );
}

/**
 * Checks whether conditions are said by another text than theirs, in words that a hint explains or that name a flag's
 * column: "state special schools", outside of the element that has `DOC = 31`.
 */
function areSaidElsewhere(
  clauses: readonly Clause[],
  own: string,
  other: string,
  explained: ExplainedQuestion,
): boolean {
  const conditions = clauses.filter((clause) => clause.kind === 'condition');
  if (conditions.flatMap(comparisonsOf).length === 0) return false;
  const [mine, theirs] = [saidText(own), saidText(other)];
  return contentOf(conditions).constants.some((constant) => isSaidIn(constant, mine, theirs, explained));
}

const mentionsIn = memoizeObject((database: Database) => new SchemaMentions(database));

/** In what words and clauses can differ. */
type Discord = 'counted' | 'selected' | 'constant' | 'number' | 'name' | 'superlative' | 'range' | 'denial';

/** Checks whether a text names each of several columns that are selected. */
function areSelectedSaid({ words, text }: SaidText, clauses: readonly Clause[], database: Database): boolean {
  const selected = clauses.flatMap((clause) =>
    clause.kind === 'select' && clause.value.kind === 'column' ? [clause.value] : [],
  );
  return selected.length < 2 || selected.every((ref) => mentionsIn(database).column(ref, words, text) > 0);
}

const COUNTED = /(?<!\p{L})(?:how\s+many|(?:total\s+)?number\s+of)(?!\p{L})/iu;

/** Checks whether a number that a text asks for is counted, or is a column that the text names. */
function isNumberCounted({ words, text }: SaidText, clauses: readonly Clause[], database: Database): boolean {
  const selected = clauses.filter((clause) => clause.kind === 'select');
  if (selected.length === 0 || !COUNTED.test(text)) return true;
  const primary = new Set(database.primaryKeys.map(columnKey));
  return selected.some(
    ({ value }) =>
      value.kind !== 'column' ||
      (!primary.has(columnKey(value)) && mentionsIn(database).column(value, words, text) > 0),
  );
}

/**
 * Finds something that a text and its clauses don't both say: a number that nothing counts, a constant that no word
 * says, a number or name that no clause has, a superlative, a comparison or a denial of one alone. Null if nothing is
 * found.
 */
export function discordOf(text: string, clauses: readonly Clause[], database: Database): Discord | null {
  const [said, content] = [saidText(text), contentOf(clauses)];
  const mentions = mentionsIn(database);
  const areConstantsSaid = content.constants.every((constant) => isConstantSaid(constant, said, mentions));
  if (!areConstantsSaid || !arePresentSaid(said, content, mentions)) return 'constant';
  if (!isNumberCounted(said, clauses, database)) return 'counted';
  if (!areSelectedSaid(said, clauses, database)) return 'selected';
  if (!areNumbersMeant(said, content, database)) return 'number';
  if (!areNamesMeant(said, content, database)) return 'name';
  if (!areSuperlativesMeant(text, content, database)) return 'superlative';
  if (!areRangesMeant(text, content)) return 'range';
  return areDenialsMeant(text, content) ? null : 'denial';
}

/** Whether what an element and what stays of its question say is what their clauses say. */
export interface Concord {
  readonly element: boolean;
  /** The question without its element. */
  readonly rest: boolean;
  readonly whole: boolean;
}

/** The two sides compared: a question with the place of its element, and the clauses of both. */
interface DividedQuestion {
  readonly question: string;
  /** The data set's explanation of its words; empty if there is none. */
  readonly hint: string;
  readonly start: number;
  readonly end: number;
  readonly own: readonly Clause[];
  readonly rest: readonly Clause[];
}

/** Compares words and clauses of an element and its question. */
export function concordOf({ question, hint, start, end, own, rest }: DividedQuestion, database: Database): Concord {
  const left = `${question.slice(0, start)} ${question.slice(end)}`;
  const agrees = (text: string, clauses: readonly Clause[]): boolean => discordOf(text, clauses, database) === null;
  const text = question.slice(start, end);
  const explained = { question, hint, database, mentions: mentionsIn(database) };
  const isDivided = !areSaidElsewhere(own, text, left, explained) && !areSaidElsewhere(rest, left, text, explained);
  return {
    element: isDivided && agrees(text, own),
    rest: isDivided && agrees(left, rest),
    whole: agrees(question, [...rest, ...own]),
  };
}

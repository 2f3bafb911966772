import { wordsOf } from '../../schema/name-identity.js';
import { columnAt, type ColumnRef, type Database } from '../../schema/schema.js';
import { likeness, questionWords, stemOf } from '../align/question-words.js';
import type { SchemaMentions } from '../align/schema-mentions.js';
import type { Clause } from '../clauses/clause.js';
import { comparisonsOf } from '../clauses/clause-parts.js';
import { type Constant, contentOf } from './clause-constants.js';
import { isConstantSaid, isFlag, type SaidText, saidText } from './said-values.js';

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
export function areSaidElsewhere(
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

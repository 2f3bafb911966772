import { zip } from '../present.js';
import { ABBREVIATIONS } from '../schema/abbreviations.js';
import { wordsOf } from '../schema/name-identity.js';
import { BY_MODEL, type Column, GIVEN } from '../schema/schema.js';
import type { NaturalnessContext, NaturalnessRule } from './naturalness-rule.js';

/** Words that stand for a column without saying what it holds: "col3", "field_7". */
const PLACEHOLDERS = new Set('col column fld field attr attribute var variable val value item num'.split(' '));
/** Identifiers say what they are, if not of what. */
const IDENTIFIERS = new Set('id uid uuid guid pk key code no nr'.split(' '));

const lettersOf = (name: string): string => wordsOf(name).join('');

/** How many characters of a text, from its start, occur in a word in that order, the first at the word's start. */
function sharedCharacters(text: string, word: string): number {
  if (!word.startsWith(text.charAt(0))) return 0;
  let at = 0;
  let shared = 0;
  for (; shared < text.length; shared++) {
    at = word.indexOf(text.charAt(shared), at) + 1;
    if (at === 0) break;
  }
  return shared;
}

/**
 * Checks whether a run of letters abbreviates words in their order: "dob" of date of birth, "displ" of displacement.
 */
function abbreviates(run: string, words: readonly string[]): boolean {
  if (run === '') return true;
  return words.some((word, i) => {
    for (let length = sharedCharacters(run, word); length > 0; length--) {
      if (abbreviates(run.slice(length), words.slice(i + 1))) return true;
    }
    return false;
  });
}

function isWord(run: string, context: NaturalnessContext): boolean {
  if (PLACEHOLDERS.has(run)) return false;
  if (IDENTIFIERS.has(run) || Object.hasOwn(ABBREVIATIONS, run)) return true;
  return run.length >= 3 && (context.isWord(run) || (context.isFamiliar?.(run) ?? false));
}

/**
 * Checks whether one letter with numbers abbreviates a name: "q1" for qualifying 1, not "a12" for a name without a 12.
 */
function isNumberedInitial(run: string, numbers: readonly string[], words: readonly string[]): boolean {
  return words.some((word) => word.startsWith(run)) && numbers.every((number) => words.includes(number));
}

/**
 * Checks whether an identifier tells nothing of what the natural name of its column tells: "A12" for an unemployment
 * rate.
 */
export function isOpaqueColumn({ name, originalName }: Column, context: NaturalnessContext): boolean {
  if (lettersOf(name) === lettersOf(originalName)) return false;
  const words = wordsOf(name);
  const parts = wordsOf(originalName).flatMap((part) => part.match(/\p{L}+|\p{N}+/gu) ?? []);
  const numbers = parts.filter((part) => /^\p{N}/u.test(part));
  const runs = parts.filter((part) => !/^\p{N}/u.test(part));
  return !runs.some((run) => {
    if (isWord(run, context)) return true;
    return run.length > 1 ? abbreviates(run, words) : isNumberedInitial(run, numbers, words);
  });
}

/** The reason to reject a name that says anew what nobody could read in the identifier; null where there is none. */
function unreadReason(name: string, { originalName, reading }: Column): string | null {
  const words = wordsOf(name);
  const unread = reading?.unread ?? [];
  const lost = unread.find((part) => !words.includes(part));
  if (lost !== undefined) return `"${lost}" of "${originalName}" could not be read, so no name can stand for it`;
  const isNothingElse = unread.length > 0 && words.every((word) => unread.includes(word));
  return isNothingElse ? `has nothing of "${originalName}" but what could not be read` : null;
}

/** Checks whether a name is what a column may say whose identifier was not read in full: "final count date" of "fin count date". */
function isPossibleReading(name: string, { name: ownName, reading }: Column): boolean {
  const [words, own] = [wordsOf(name), wordsOf(ownName)];
  const unread = reading?.unread ?? [];
  if (unread.length === 0 || words.length !== own.length) return false;
  return zip(words, own).every(([word, part]) => (unread.includes(part) ? abbreviates(part, [word]) : word === part));
}

/**
 * Checks whether our own reader took an identifier apart; what people or a model read in it may come from elsewhere.
 */
function isReadByParts({ reading }: Column): boolean {
  return reading !== undefined && reading.evidence !== GIVEN && reading.evidence !== BY_MODEL;
}

/** A column of an opaque name keeps it: a new one could only come from its description, and make questions easier. */
export function opaqueColumn(context: NaturalnessContext): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'RPL',
    check(name, { target, column }) {
      const own = target.table.columns[column];
      if (own === undefined) return null;
      if (isReadByParts(own)) return unreadReason(name, own);
      return isOpaqueColumn(own, context) ? `"${own.originalName}" does not say what it holds` : null;
    },
  };
}

/**
 * Nothing goes with a column of whose identifier no part could be read, and what a column may be that was not read in full
 * is added to none.
 */
export function unreadColumn(): Omit<NaturalnessRule, 'id'> {
  return {
    appliesTo: 'both',
    check(name, { target, column }) {
      const possible = target.table.columns.find((other) => isPossibleReading(name, other));
      if (possible !== undefined) return `"${possible.originalName}" could not be read in full and may be the same`;
      const own = target.table.columns[column];
      const unread = own?.reading?.unread ?? [];
      if (own === undefined || unread.length === 0) return null;
      const isRead = wordsOf(own.name).some((word) => !unread.includes(word) && /\p{L}/u.test(word));
      return isRead ? null : `"${own.originalName}" could not be read; --readings takes what it says`;
    },
  };
}

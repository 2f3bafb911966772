import type { JudgedColumn } from '../../nli/bucket-judge.js';
import type { NaturalnessContext } from '../../naturalness/naturalness-rule.js';
import { expandAbbreviations } from '../../schema/abbreviations.js';

/** The word look-ups that the spelling hint needs. */
export type SpellingWords = Pick<NaturalnessContext, 'frequencyRank' | 'isWord' | 'isFamiliar'>;

/** Spellings offered for one name; more would have to be read. */
const MOST_SUGGESTIONS = 5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Parts of words that were written together: shorter ones would split anything. */
const SHORTEST_PART = 3;

/** Words that no list has to know: numbers, codes, capitals of an acronym, other scripts. */
function isExempt(word: string): boolean {
  return word.length < 2 || !/^[a-z'’]+$/i.test(word) || word === word.toUpperCase();
}

function isKnown(word: string, words: SpellingWords): boolean {
  return (
    words.isWord(word) ||
    words.frequencyRank(word) !== null ||
    (words.isFamiliar?.(word) ?? false) ||
    expandAbbreviations(word) !== word
  );
}

/** Every string one slip away: a letter left out, swapped with its neighbor, mistaken, or typed besides. */
function* oneSlipAway(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') yield before + after.slice(1);
    if (after.length > 1) yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
    for (const letter of LETTERS) {
      if (after !== '') yield before + letter + after.slice(1);
      yield before + letter + after;
    }
  }
}

function* writtenApart(word: string): Generator<string> {
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) yield `${word.slice(0, at)} ${word.slice(at)}`;
}

/** Known spellings near an unknown word, the most frequent first; of words written together, the rarer part counts. */
function nearSpellings(word: string, words: SpellingWords): readonly string[] {
  const parts = (spelling: string): readonly string[] => spelling.split(' ');
  const rank = (spelling: string): number =>
    Math.max(...parts(spelling).map((part) => words.frequencyRank(part) ?? Number.MAX_SAFE_INTEGER));
  const near = new Set([...oneSlipAway(word), ...writtenApart(word)]);
  return [...near]
    .filter((spelling) => spelling !== '' && parts(spelling).every((part) => isKnown(part, words)))
    .map((spelling) => ({ spelling, rank: rank(spelling) }))
    .sort((a, b) => a.rank - b.rank || (a.spelling < b.spelling ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ spelling }) => spelling);
}

/**
 * Looks up each word of a name. The suggestions are the whole name in spellings that the lists know, none where no
 * spelling is near: where several words are unknown, their best spellings are together, then the next ones.
 */
export function spellingHint(name: string, words: SpellingWords) {
  const pieces = name.split(/([\s_-]+)/).map((piece) => {
    const word = piece.toLowerCase().replace(/['’]s?$/, '');
    const unknown = !isExempt(piece) && !isKnown(word, words);
    return { piece, unknown, near: unknown ? nearSpellings(word, words) : [] };
  });
  const count = Math.max(0, ...pieces.map(({ near }) => near.length));
  const suggestions = Array.from({ length: count }, (_, i) =>
    pieces.map(({ piece, near }) => near[i] ?? near.at(-1) ?? piece).join(''),
  );
  return { hasUnknownWord: pieces.some(({ unknown }) => unknown), suggestions };
}

/** A free-form name in its place. */
export interface NameQuestion {
  readonly name: string;
  readonly target: JudgedColumn;
  /** The other columns of the table. */
  readonly others: readonly JudgedColumn[];
  /** Primary entity of the table; empty where none was predicted. */
  readonly entity: string;
}

/** The judge's word on a name: the other column that it would be taken for, null for none. */
export interface NameVerdict {
  readonly takenFor: string | null;
}

/** Resources of a name check besides the item itself. Any of them may be missing, or not be there yet. */
export interface NameAids {
  readonly words: SpellingWords | null;
  /** Null where there is no judge; `later` where it takes too long to wait for, and can be asked again. */
  judge(question: NameQuestion): Promise<NameVerdict | 'later' | null>;
}

/** Checks by comparing names alone. */
export const NO_AIDS: NameAids = { words: null, judge: () => Promise.resolve(null) };

import pluralize from 'pluralize';
import { singularOf } from '../../schema/natural-name.js';

/** The noun an element is about, as in its question. */
export interface ModifiedNoun {
  /**
   * By which nouns of two questions are compared: the head alone, singular, lower case: "player" of "poker players".
   */
  readonly key: string;
  /** True if the question has it in the plural. */
  readonly isPlural: boolean;
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
/** Words before an element that are no noun: what it modifies can't be said then. */
const NOT_A_NOUN = new Set(
  (
    'a an the and or but of for in on at by with to from than is are was were be do does did have has had that which who ' +
    'whose each every all any some both either not no their its his her what how many much list show find give me return'
  ).split(' '),
);

const singular = (word: string): string => (word.length < 3 ? word : singularOf(word.toLowerCase()));

function nounOf(words: readonly string[]): ModifiedNoun {
  const last = words.at(-1) ?? '';
  const isPlural = pluralize.isPlural(last.toLowerCase()) && singular(last) !== last.toLowerCase();
  return { key: singular(last), isPlural };
}

/** Where the last mention of a name ends, in words; 0 where there is none. */
function lastMention(words: readonly string[], name: readonly string[]): number {
  for (let end = words.length; end >= name.length; end--) {
    if (name.every((word, i) => words[end - name.length + i] === word)) return end;
  }
  return 0;
}

/**
 * Checks whether an element modifies something behind a noun: another table's, or a word it has the noun again besides.
 */
function isFar({ key }: ModifiedNoun, singulars: readonly string[], { all, element, isOrder }: NounTables): boolean {
  const behind = singulars.slice(singulars.lastIndexOf(key) + 1);
  if (isOrder || behind.length === 0) return false;
  const others = new Set(all.map(nounKey).filter((name) => name !== key));
  return behind.some((word) => others.has(word)) || wordKeys(element).includes(key);
}

/** The last mention of one of several names. */
function latestMention(
  words: readonly string[],
  singulars: readonly string[],
  names: readonly string[],
): ModifiedNoun | null {
  const mentions = names.map((name) => {
    const parts = (name.toLowerCase().match(WORD) ?? []).map(singular);
    return { end: parts.length === 0 ? 0 : lastMention(singulars, parts), length: parts.length };
  });
  const latest = mentions.reduce((best, mention) => (mention.end > best.end ? mention : best), { end: 0, length: 0 });
  if (latest.end === 0) return null;
  const noun = nounOf(words.slice(latest.end - latest.length, latest.end));
  // "airline names": several airlines, as the words behind the noun are several.
  return { ...noun, isPlural: noun.isPlural || nounOf(words).isPlural };
}

/** The words of a text by what they are compared with nouns: singular, lower case. */
export function wordKeys(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => singular(word).toLowerCase());
}

/** By what a table's name is compared with nouns: its last word, singular. */
export function nounKey(name: string): string {
  return wordKeys(name).at(-1) ?? '';
}

/** Names of tables, in natural words. */
export interface NounTables {
  /** Of the element's clauses. */
  readonly own: readonly string[];
  /** Of what the question selects. */
  readonly asked: readonly string[];
  /** All of the database. */
  readonly all: readonly string[];
  /** Names of columns. */
  readonly columns: readonly string[];
  /** The element's words. */
  readonly element: string;
  /** True if these put in order. */
  readonly isOrder: boolean;
}

/**
 * Checks whether a word that names no table is what is modified all the same: no column, and the element is not about
 * what is asked.
 */
function modifiesWord(key: string, { own, asked, columns }: NounTables): boolean {
  return !own.some((name) => asked.includes(name)) && !columns.some((name) => nounKey(name) === key);
}

/**
 * The noun that an element modifies (Spider-SS appendix A): the table of its clauses, where the question has named it
 * before; else the word before it, as a subordinate clause mostly follows its noun. Beyond the paper: where that word
 * names no table ("the name and capacity with …"), the table that is asked about, if it is named. Null where there is
 * no noun.
 * @param before the question up to the element
 */
export function modifiedNoun(before: string, tables: NounTables): ModifiedNoun | null {
  const { own, asked, all } = tables;
  const words = before.match(WORD) ?? [];
  const singulars = words.map((word) => singular(word).toLowerCase());
  const named = latestMention(words, singulars, own);
  const isNear = named !== null && !isFar(named, singulars, tables);
  if (isNear) return named;
  const previous = words.at(-1);
  const word = previous === undefined || NOT_A_NOUN.has(previous.toLowerCase()) ? null : nounOf([previous]);
  if (named !== null || (word !== null && all.some((name) => nounKey(name) === word.key))) return word;
  const mentioned = latestMention(words, singulars, asked);
  const isPart = mentioned?.key === singulars.at(-2); // "bank branches"
  return word !== null && !isPart && modifiesWord(word.key, tables) ? word : (mentioned ?? word);
}

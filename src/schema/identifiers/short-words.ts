import { ABBREVIATIONS } from '../abbreviations.js';
import { singularOf } from '../noun-number.js';

/** Words of so few letters stay as they are. */
const SHORT = 5;
/** Letters that a shortened word must have to be read back. */
const FEWEST = 4;
/** Most letters of a shortened word. */
const MOST = 8;

/** The usual abbreviation of each word and phrase that has one; of several the first of the table. */
const USUAL: ReadonlyMap<string, string> = new Map(
  Object.entries(ABBREVIATIONS)
    .reverse()
    .map(([short, reading]) => [reading, short]),
);

/** Words of the longest phrase that has an abbreviation of its own. */
const LONGEST_PHRASE = 4;

/** A word without its inner vowels: "capacity" → "cpcty"; one that would not be much shorter stays. */
function withoutVowels(word: string): string {
  const single = word.replaceAll(/(.)\1/g, '$1');
  const short = (single.charAt(0) + single.slice(1).replaceAll(/[aeiou]/g, '')).slice(0, MOST);
  return short.length < FEWEST || short.length === word.length ? word : short;
}

/** How a schema abbreviates already. */
export interface OwnAbbreviations {
  /** Its letters for a word or phrase; null where it has none. */
  lettersFor(phrase: string): string | null;
  /** Whether letters stand for something else in it than a phrase. */
  isMeantOtherwise(letters: string, phrase: string): boolean;
}

/** Shortens words as a schema does, and in the usual way where it has no abbreviation of its own. */
export class ShortWords {
  readonly #own: OwnAbbreviations;

  constructor(own: OwnAbbreviations) {
    this.#own = own;
  }

  /** All words of a name shortened, phrases by their initials where that is usual: "date of birth" → "dob". */
  shortName(words: readonly string[]): readonly string[] {
    const [first, ...rest] = words;
    if (first === undefined) return [];
    for (let length = Math.min(LONGEST_PHRASE, words.length); length > 1; length--) {
      const usual = this.#usual(words.slice(0, length).join(' '));
      if (usual !== null) return [usual, ...this.shortName(words.slice(length))];
    }
    return [this.shortWord(first), ...this.shortName(rest)];
  }

  /** One word shortened, the longest that can be; a name of one word only where its abbreviation is usual. */
  mixedName(words: readonly string[]): readonly string[] {
    const [only, ...others] = words;
    if (only !== undefined && others.length === 0) return [this.#usual(only) ?? only];
    const longest = [...words].sort((a, b) => b.length - a.length).find((word) => this.shortWord(word) !== word);
    return words.map((word) => (word === longest ? this.shortWord(word) : word));
  }

  /** A word as short as it can be read back: its usual abbreviation, else its consonants; a plural keeps its "s". */
  shortWord(word: string): string {
    const usual = this.#usual(word);
    if (usual !== null) return usual;
    const singular = singularOf(word);
    if (singular !== word && word.endsWith('s')) {
      const short = this.shortWord(singular);
      return short === singular ? word : `${short}s`;
    }
    if (word.length <= SHORT || !/^[a-z]+$/.test(word)) return word;
    const short = withoutVowels(word);
    return this.#own.isMeantOtherwise(short, word) ? word : short;
  }

  /** The schema's abbreviation of a word or phrase, else the usual one, which must not say something else there. */
  #usual(phrase: string): string | null {
    const own = this.#own.lettersFor(phrase);
    if (own !== null) return own;
    const usual = USUAL.get(phrase);
    return usual === undefined || this.#own.isMeantOtherwise(usual, phrase) ? null : usual;
  }
}

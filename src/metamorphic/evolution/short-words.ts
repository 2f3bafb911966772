import { ABBREVIATIONS } from '../../schema/abbreviations.js';
import { singularOf } from '../../schema/noun-number.js';

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

/** The usual abbreviation of a word, or null. */
function usualAbbreviation(word: string): string | null {
  return USUAL.get(word) ?? null;
}

/** A word as short as it can be read back: its usual abbreviation, else its consonants; a plural keeps its "s". */
function shortWord(word: string): string {
  const usual = usualAbbreviation(word);
  if (usual !== null) return usual;
  const singular = singularOf(word);
  if (singular !== word && word.endsWith('s')) {
    const short = shortWord(singular);
    return short === singular ? word : `${short}s`;
  }
  return word.length <= SHORT || !/^[a-z]+$/.test(word) ? word : withoutVowels(word);
}

/** All words of a name shortened, phrases by their initials where that is usual: "date of birth" → "dob". */
export function shortName(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  for (let length = Math.min(LONGEST_PHRASE, words.length); length > 1; length--) {
    const usual = usualAbbreviation(words.slice(0, length).join(' '));
    if (usual !== null) return [usual, ...shortName(words.slice(length))];
  }
  return [shortWord(first), ...shortName(rest)];
}

/** One word shortened, the longest that can be; a name of one word only where its abbreviation is usual. */
export function mixedName(words: readonly string[]): readonly string[] {
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0) return [usualAbbreviation(only) ?? only];
  const longest = [...words].sort((a, b) => b.length - a.length).find((word) => shortWord(word) !== word);
  return words.map((word) => (word === longest ? shortWord(word) : word));
}

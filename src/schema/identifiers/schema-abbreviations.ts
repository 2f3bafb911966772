import { getOrMake, itemAt } from '../../present.js';
import { singularOf } from '../natural-name.js';
import type { Database, NameReading, Table } from '../schema.js';
import { type LetteredWords, letteredWords } from './name-letters.js';
import { ABBREVIATIONS } from '../abbreviations.js';

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
interface OwnAbbreviations {
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

/** Share of the columns with words to abbreviate that do, in a table that abbreviates throughout. */
const THROUGHOUT = 0.75;

/** Single letters are no abbreviation that another name could have; as many letters as the word but one, a slip. */
const FEWEST_LETTERS = 2;
const SHORTEST_BY = 2;

interface Named {
  readonly name: string;
  readonly originalName: string;
  readonly reading?: NameReading;
}

const singularPhrase = (phrase: string): string => phrase.split(' ').map(singularOf).join(' ');

/** How often each run of letters stands for each phrase, and the other way round. */
class LetterCounts {
  readonly #byPhrase = new Map<string, Map<string, number>>();
  /** In the singular. */
  readonly #phrases = new Map<string, Set<string>>();

  note(phrase: string, letters: string): void {
    const counts = getOrMake(this.#byPhrase, phrase, () => new Map<string, number>());
    counts.set(letters, (counts.get(letters) ?? 0) + 1);
    getOrMake(this.#phrases, letters, () => new Set()).add(singularPhrase(phrase));
  }

  /** The letters that stand for a phrase most often, of equal ones the first. */
  commonest(phrase: string): string | null {
    let best: readonly [string, number] | null = null;
    for (const [letters, count] of this.#byPhrase.get(phrase) ?? [])
      if (best === null || count > best[1]) best = [letters, count];
    return best?.[0] ?? null;
  }

  /** Whether letters stand for something, and never for a phrase. */
  isOther(letters: string, phrase: string): boolean {
    return this.#phrases.get(letters)?.has(singularPhrase(phrase)) === false;
  }
}

const isShorter = ({ letters, words }: LetteredWords): boolean => letters.length < words.join('').length;

/** Whether letters abbreviate their words so that other names may have them, too. */
function isAbbreviation({ letters, words }: LetteredWords): boolean {
  const { length } = words.join('');
  return letters.length >= FEWEST_LETTERS && /^\p{L}+$/u.test(letters) && letters.length + SHORTEST_BY <= length;
}

/** What stands for what in an identifier; a name that a data set gives may say more than the letters do. */
function letteredIn({ originalName, name, reading }: Named): readonly LetteredWords[] {
  const lettered = letteredWords(originalName, name) ?? [];
  return reading === undefined ? lettered.filter(({ isSpelled }) => isSpelled) : lettered;
}

function countsOf(named: Iterable<Named>): LetterCounts {
  const counts = new LetterCounts();
  for (const one of named)
    for (const lettered of letteredIn(one))
      if (isShorter(lettered) && isAbbreviation(lettered)) counts.note(lettered.words.join(' '), lettered.letters);
  return counts;
}

/** How the identifiers of a database abbreviate words. */
export class SchemaAbbreviations {
  readonly #tables: readonly Table[];
  readonly #all: LetterCounts;
  readonly #inTables = new Map<number, ShortWords>();

  constructor({ tables }: Pick<Database, 'tables'>) {
    this.#tables = tables;
    this.#all = countsOf(tables.flatMap((table) => [table, ...table.columns]));
  }

  /** Shortens words as the identifiers of a table do, then as those of other tables do, then as is usual. */
  inTable(table: number): ShortWords {
    return getOrMake(this.#inTables, table, () => new ShortWords(this.#ownIn(table)));
  }

  /** Whether nearly all columns of a table that could abbreviate a word do. */
  isThroughout(table: number): boolean {
    const words = this.inTable(table);
    let [short, long] = [0, 0];
    for (const column of itemAt(this.#tables, table).columns) {
      const lettered = letteredIn(column);
      if ((column.reading?.unread.length ?? 0) > 0 || lettered.some(isShorter)) short++;
      else if (lettered.some(({ words: said }) => said.some((word) => words.shortWord(word) !== word))) long++;
    }
    return short > 0 && short >= THROUGHOUT * (short + long);
  }

  #ownIn(table: number): OwnAbbreviations {
    const { columns } = itemAt(this.#tables, table);
    const own = countsOf(columns);
    return {
      lettersFor: (phrase) => own.commonest(phrase) ?? this.#all.commonest(phrase),
      isMeantOtherwise: (letters, phrase) => this.#all.isOther(letters, phrase),
    };
  }
}

import { itemAt } from '../../present.js';
import { singularOf } from '../noun-number.js';
import type { Database, NameReading, Table } from '../schema.js';
import { type LetteredWords, letteredWords } from './name-letters.js';
import { type OwnAbbreviations, ShortWords } from './short-words.js';

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
    const counts = this.#byPhrase.get(phrase) ?? new Map<string, number>();
    counts.set(letters, (counts.get(letters) ?? 0) + 1);
    this.#byPhrase.set(phrase, counts);
    const meant = this.#phrases.get(letters);
    if (meant === undefined) this.#phrases.set(letters, new Set([singularPhrase(phrase)]));
    else meant.add(singularPhrase(phrase));
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
    const known = this.#inTables.get(table);
    if (known !== undefined) return known;
    const words = new ShortWords(this.#ownIn(table));
    this.#inTables.set(table, words);
    return words;
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

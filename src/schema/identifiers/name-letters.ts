import { wordsOf } from '../name-identity.js';
import { memoize } from '../memoize.js';
import { identifierParts } from './identifier-parts.js';

/** How letters abbreviate a word. */
type AbbreviationKind =
  /** Its beginning: "descr". */
  | 'truncated'
  /** All of it but the vowels: "wdth". */
  | 'skeleton'
  /** The beginning of that: "dsch" of discharge. */
  | 'short-skeleton'
  /** Letters from all over it, the last one among them: "dept". */
  | 'contracted'
  /** Other letters of it in their order: "rcvd". */
  | 'picked';

interface AbbreviationMatch {
  readonly kind: AbbreviationKind;
  /** Letters of the abbreviation over letters of the word. */
  readonly share: number;
  /** Consonants that were left out before the last letter that stayed. */
  readonly lostConsonants: number;
  /** Vowels that stayed behind one that was left out. */
  readonly strayVowels: number;
}

const isVowel = (letter: string): boolean => 'aeiou'.includes(letter);

/** A word without the vowels behind its first letter, double letters made one: "address" → "adrs". */
function skeletonOf(word: string): string {
  let bones = word.charAt(0);
  for (const letter of word.slice(1)) if (!isVowel(letter) && letter !== bones.at(-1)) bones += letter;
  return bones;
}

const single = (letters: string): string => letters.replace(/(.)\1+/g, '$1');

/**
 * How `letters` abbreviate a word; null where they don't: an abbreviation has the word's first letter, and others of it
 * in their order. Both in lower case.
 */
export function matchAbbreviation(letters: string, word: string): AbbreviationMatch | null {
  if (letters.length >= word.length || letters.charAt(0) !== word.charAt(0)) return null;
  const share = letters.length / word.length;
  if (word.startsWith(letters)) return { kind: 'truncated', share, lostConsonants: 0, strayVowels: 0 };
  let at = 0;
  let lostConsonants = 0;
  let lostVowels = 0;
  let strayVowels = 0;
  for (let i = 1; i < letters.length; i++) {
    const letter = letters.charAt(i);
    const found = word.indexOf(letter, at + 1);
    if (found === -1) return null;
    for (let skipped = at + 1; skipped < found; skipped++) {
      if (isVowel(word.charAt(skipped))) lostVowels++;
      // One of two equal letters is no loss: "adres".
      else if (word.charAt(skipped) !== word.charAt(skipped - 1)) lostConsonants++;
    }
    if (isVowel(letter) && lostVowels > 0) strayVowels++;
    at = found;
  }
  return { kind: kindOf(letters, word), share, lostConsonants, strayVowels };
}

function kindOf(letters: string, word: string): AbbreviationKind {
  const [bones, own] = [skeletonOf(word), single(letters)];
  if (own === bones) return 'skeleton';
  if (bones.startsWith(own)) return 'short-skeleton';
  return letters.at(-1) === word.at(-1) ? 'contracted' : 'picked';
}

/** Words of a name and the letters that its identifier has for them. */
export interface LetteredWords {
  /** In lower case. */
  readonly letters: string;
  /** Several where one abbreviation says them all: "dob". */
  readonly words: readonly string[];
  /** Whether the words begin with or have these letters, in their order: "xfer" is not so of "transfer". */
  readonly isSpelled: boolean;
}

/** Words that abbreviations leave out: "dob", but also "db", is a date of birth. */
const LEFT_OUT = new Set('a an and at by for from in of on or per the to with'.split(' '));

/** Words that one part may say without having their letters: "ssn" is four with them, "fk" two. */
const MOST_UNSPELLED = 4;

/** What it costs to take letters for words: less the more of the word they show. */
const COST = { abbreviated: 1, lost: 0.1, leftOut: 2, unspelled: 4 } as const;

/** A stretch of letters, by its ends, for words, by their ends; without letters where a word is left out. */
interface Step {
  readonly letters: readonly [number, number];
  readonly words: readonly [number, number];
  readonly isSpelled: boolean;
  readonly cost: number;
  readonly before: Step | null;
}

const placeKey = (letters: number, words: number): string => `${letters}.${words}`;

/** Lays the letters of one identifier along the words of its name. */
class Alignment {
  readonly #letters: string;
  readonly #words: readonly string[];
  /** Where parts begin, and the end of the last. */
  readonly #bounds: readonly number[];
  readonly #isBound: ReadonlySet<number>;
  /** Cheapest way to each place: by letters, then by words. */
  readonly #best = new Map<string, Step | null>([[placeKey(0, 0), null]]);

  constructor(parts: readonly string[], words: readonly string[]) {
    this.#letters = parts.join('');
    this.#words = words;
    let end = 0;
    this.#bounds = [0, ...parts.map((part) => (end += part.length))];
    this.#isBound = new Set(this.#bounds);
  }

  /** The steps in their order; null where no letters are left for a word, or no word for letters. */
  steps(): readonly Step[] | null {
    for (let at = 0; at <= this.#letters.length; at++)
      for (const [w, word] of this.#words.entries()) if (this.#best.has(placeKey(at, w))) this.#goOn(at, w, word);
    const last = this.#best.get(placeKey(this.#letters.length, this.#words.length));
    if (last === undefined) return null;
    const steps: Step[] = [];
    for (let step: Step | null = last; step !== null; step = step.before) steps.unshift(step);
    return steps;
  }

  #goOn(at: number, w: number, word: string): void {
    if (LEFT_OUT.has(word)) this.#take([at, at], [w, w + 1], true, COST.leftOut);
    if (this.#letters.startsWith(word, at)) this.#take([at, at + word.length], [w, w + 1], true, 0);
    const next = this.#bounds.find((bound) => bound > at) ?? at;
    for (let end = at + 1; end <= next; end++) {
      const match = matchAbbreviation(this.#letters.slice(at, end), word);
      if (match === null) continue;
      const lost = COST.lost * (match.lostConsonants + match.strayVowels);
      this.#take([at, end], [w, w + 1], true, COST.abbreviated + lost);
    }
    if (!this.#isBound.has(at) || next === at) return;
    for (let count = 1; count <= Math.min(MOST_UNSPELLED, this.#words.length - w); count++)
      this.#take([at, next], [w, w + count], false, COST.unspelled * count);
  }

  #take(letters: Step['letters'], words: Step['words'], isSpelled: boolean, cost: number): void {
    const before = this.#best.get(placeKey(letters[0], words[0])) ?? null;
    const step = { letters, words, isSpelled, before, cost: (before?.cost ?? 0) + cost };
    const key = placeKey(letters[1], words[1]);
    const known = this.#best.get(key);
    if (known === undefined || (known !== null && step.cost < known.cost)) this.#best.set(key, step);
  }

  /** What letters stand for which words; initials that follow one another in a part stand for all of theirs. */
  lettered(): readonly LetteredWords[] | null {
    const steps = this.steps();
    if (steps === null) return null;
    const merged: Step[] = [];
    for (const step of steps.filter(({ letters: [start, end] }) => end > start)) {
      const before = merged.at(-1);
      if (before === undefined || !this.#isInitial(step) || !this.#isInitials(before, step)) merged.push(step);
      else
        merged[merged.length - 1] = {
          ...before,
          letters: [before.letters[0], step.letters[1]],
          words: [before.words[0], step.words[1]],
        };
    }
    return merged.map(({ letters, words, isSpelled }) => ({
      letters: this.#letters.slice(...letters),
      words: this.#words.slice(...words),
      isSpelled,
    }));
  }

  #isInitial({ letters: [start, end], words: [word] }: Step): boolean {
    return end === start + 1 && (this.#words[word] ?? '').length > 1;
  }

  /** Whether a step is of initials, and no other part begins behind it. */
  #isInitials(before: Step, step: Step): boolean {
    const isOne = this.#isInitial(before) || before.words[1] > before.words[0] + 1;
    return before.isSpelled && isOne && !this.#isBound.has(step.letters[0]);
  }
}

const aligned = memoize((both): readonly LetteredWords[] | null => {
  const [identifier = '', name = ''] = both.split('\n');
  const parts = identifierParts(identifier).map(({ text }) => text);
  const words = wordsOf(name).map((word) => word.replaceAll("'", ''));
  return new Alignment(parts, words).lettered();
});

/**
 * Which letters of an identifier stand for which words of its name, in their order; words like "of" may have none.
 * Null where the name says other than the identifier does.
 */
export function letteredWords(identifier: string, name: string): readonly LetteredWords[] | null {
  return aligned(`${identifier}\n${name}`);
}

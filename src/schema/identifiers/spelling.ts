import { itemAt } from '../../present.js';

/** What abbreviations keep of words: probabilities, each by what it depends on (training/identifier_spelling.mjs). */
export interface SpellingShares {
  /** That a letter stays, `[place][class][before][last]`. */
  readonly keep: readonly number[];
  /** That no letter behind one that stayed is kept, `[letters][kind of the next][whether some were left out]`. */
  readonly stop: readonly number[];
}

/** Numbers of classes. */
const [PLACES, CLASSES, LETTERS] = [5, 3, 7];
export const SPELLING_SIZES = { keep: PLACES * CLASSES * 2 * 2, stop: LETTERS * 2 * 2 } as const;

const isVowel = (code: number): boolean => code === 97 || code === 101 || code === 105 || code === 111 || code === 117;

/** Where a letter's probability of staying stands; `wasKept`: whether the letter before it stayed. */
export function keepPlace(word: string, at: number, wasKept: boolean): number {
  const code = word.charCodeAt(at);
  const kind = isVowel(code) ? 0 : code === word.charCodeAt(at - 1) ? 2 : 1;
  const place = at < 4 ? at - 1 : at < 6 ? 3 : 4;
  return ((place * CLASSES + kind) * 2 + (wasKept ? 1 : 0)) * 2 + (at === word.length - 1 ? 1 : 0);
}

/** Where the probability stands that `letters` letters are all, the next being at `at`. */
export function stopPlace(word: string, at: number, letters: number, isGapped: boolean): number {
  const next = at < word.length && isVowel(word.charCodeAt(at)) ? 0 : 1;
  return (Math.min(letters, LETTERS - 1) * 2 + next) * 2 + (isGapped ? 1 : 0);
}

/** Letters behind which words are not looked at. */
const MOST = 32;

/** Probabilities of the ways to keep some letters. */
interface State {
  /** No letter was left out yet. */
  whole: number;
  /** Some were, and the last one stayed. */
  stayed: number;
  /** The last one was left out. */
  gap: number;
}

/** How probably a word is abbreviated to letters, summed over the ways to do so. Nothing is made anew for a pair. */
export class Spelling {
  readonly #keep: Float64Array;
  readonly #stop: Float64Array;
  /** By letters that stayed; the first one does. */
  readonly #states = Array.from({ length: MOST }, (): State => ({ whole: 0, stayed: 0, gap: 0 }));

  constructor({ keep, stop }: SpellingShares) {
    this.#keep = Float64Array.from(keep);
    this.#stop = Float64Array.from(stop);
  }

  /** Natural logarithm of the probability of letters, given their word, which begins with the first of them. */
  logShare(letters: string, word: string): number {
    const [size, length] = [Math.min(letters.length, MOST), Math.min(word.length, MOST)];
    for (const [j, state] of this.#states.entries()) {
      state.whole = j === 0 ? 1 : 0;
      state.stayed = state.gap = 0;
    }
    let ended = 0;
    for (let at = 1; at < length; at++) {
      const code = word.charCodeAt(at);
      const [kept, left] = [this.#keep[keepPlace(word, at, true)]!, this.#keep[keepPlace(word, at, false)]!];
      let longer: State | null = null;
      for (let j = size; j >= 1; j--) {
        const state = itemAt(this.#states, j - 1);
        const { whole, stayed, gap } = state;
        if (whole + stayed + gap > 0) {
          const stopWhole = this.#stop[stopPlace(word, at, j, false)]!;
          const stopStayed = this.#stop[stopPlace(word, at, j, true)]!;
          if (j === size) ended += whole * stopWhole + stayed * stopStayed;
          const [onWhole, onStayed] = [whole * (1 - stopWhole), stayed * (1 - stopStayed)];
          state.whole = state.stayed = 0;
          state.gap = (onWhole + onStayed) * (1 - kept) + gap * (1 - left);
          if (longer !== null && letters.charCodeAt(j) === code) {
            longer.whole = onWhole * kept;
            longer.stayed = onStayed * kept + gap * left;
          }
        }
        longer = state;
      }
    }
    const { whole, stayed, gap } = itemAt(this.#states, size - 1);
    return Math.log(ended + (whole + stayed + gap) + 1e-12);
  }
}

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
/** States: no letter was left out yet; some were, and the last one stayed; the last one was left out. */
const STATES = 3;

/** How probably a word is abbreviated to letters, summed over the ways to do so. Nothing is made anew for a pair. */
export class Spelling {
  readonly #keep: Float64Array;
  readonly #stop: Float64Array;
  readonly #rows = [new Float64Array((MOST + 1) * STATES), new Float64Array((MOST + 1) * STATES)];

  constructor({ keep, stop }: SpellingShares) {
    this.#keep = Float64Array.from(keep);
    this.#stop = Float64Array.from(stop);
  }

  /** Natural logarithm of the probability of letters, given their word, which begins with the first of them. */
  logShare(letters: string, word: string): number {
    const [size, length] = [Math.min(letters.length, MOST), Math.min(word.length, MOST)];
    let [here, next] = [this.#rows[0]!, this.#rows[1]!];
    here.fill(0);
    // By letters that stayed; the first one does.
    here[STATES] = 1;
    let ended = 0;
    for (let at = 1; at < length; at++) {
      next.fill(0);
      const code = word.charCodeAt(at);
      const [kept, left] = [this.#keep[keepPlace(word, at, true)]!, this.#keep[keepPlace(word, at, false)]!];
      for (let j = 1; j <= size; j++) {
        const [whole, stayed, gap] = [here[j * STATES]!, here[j * STATES + 1]!, here[j * STATES + 2]!];
        if (whole + stayed + gap === 0) continue;
        const stopWhole = this.#stop[stopPlace(word, at, j, false)]!;
        const stopStayed = this.#stop[stopPlace(word, at, j, true)]!;
        if (j === size) ended += whole * stopWhole + stayed * stopStayed;
        const [onWhole, onStayed] = [whole * (1 - stopWhole), stayed * (1 - stopStayed)];
        next[j * STATES + 2]! += (onWhole + onStayed) * (1 - kept) + gap * (1 - left);
        if (j === size || letters.charCodeAt(j) !== code) continue;
        next[(j + 1) * STATES]! += onWhole * kept;
        next[(j + 1) * STATES + 1]! += onStayed * kept + gap * left;
      }
      [here, next] = [next, here];
    }
    const rest = here[size * STATES]! + here[size * STATES + 1]! + here[size * STATES + 2]!;
    return Math.log(ended + rest + 1e-12);
  }
}

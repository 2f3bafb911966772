/** Words of a question, and the words of the names of the columns that its query has. */
export interface WordPairs {
  readonly words: readonly string[];
  readonly names: readonly string[];
}

/** Words in fewer examples say nothing. */
const MIN_COUNT = 3;
/** Added to counts, against chance. */
const SMOOTHING = 1;

/** How much more often a name's word is asked for where a word is in the question: "old" and "age". */
export class WordAssociation {
  readonly #pairs = new Map<string, Map<string, number>>();

  constructor(examples: readonly WordPairs[]) {
    const words = new Map<string, number>();
    const names = new Map<string, number>();
    const both = new Map<string, Map<string, number>>();
    for (const example of examples) {
      for (const name of new Set(example.names)) {
        names.set(name, (names.get(name) ?? 0) + 1);
        const row = both.get(name) ?? new Map<string, number>();
        both.set(name, row);
        for (const word of new Set(example.words)) row.set(word, (row.get(word) ?? 0) + 1);
      }
      for (const word of new Set(example.words)) words.set(word, (words.get(word) ?? 0) + 1);
    }
    for (const [name, row] of both) {
      const share = (names.get(name) ?? 0) / examples.length;
      this.#pairs.set(name, strengths(row, share, words));
    }
  }

  /** The strongest association of a question's words with a name, averaged over the name's words; 0 where there is none. */
  strength(words: readonly string[], name: readonly string[]): number {
    const sum = name.reduce((total, stem) => total + this.#strongest(words, stem), 0);
    return name.length === 0 ? 0 : sum / name.length;
  }

  #strongest(words: readonly string[], stem: string): number {
    const row = this.#pairs.get(stem);
    if (row === undefined) return 0;
    return words.reduce((most, word) => Math.max(most, word === stem ? 0 : (row.get(word) ?? 0)), 0);
  }
}

/** Positive pointwise mutual information with smoothed counts. */
function strengths(
  row: ReadonlyMap<string, number>,
  share: number,
  words: ReadonlyMap<string, number>,
): Map<string, number> {
  const result = new Map<string, number>();
  for (const [word, together] of row) {
    const count = words.get(word) ?? 0;
    const strength = Math.log((together + SMOOTHING) / (count * share + SMOOTHING));
    if (count >= MIN_COUNT && strength > 0) result.set(word, strength);
  }
  return result;
}

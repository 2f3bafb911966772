/** An identifier with what people read in it, and what we do. */
export interface ReadPair {
  readonly database: string;
  readonly identifier: string;
  readonly gold: string;
  readonly reading: string;
  /** Words of the reading that are others than the identifier's letters. */
  readonly expanded: readonly string[];
}

export interface ReadingScores {
  readonly n: number;
  readonly exact: number;
  readonly f1: number;
  /** Share of expanded words that people's reading has. */
  readonly precision: number;
  readonly expanded: number;
}

/** Lower-case words, split at separators, camel case and digits. */
export function metricWords(text: string): readonly string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? []
  );
}

function hitsOf(words: readonly string[], gold: readonly string[]): number {
  const left = [...gold];
  let hits = 0;
  for (const word of words) {
    const at = left.indexOf(word);
    if (at === -1) continue;
    hits++;
    left.splice(at, 1);
  }
  return hits;
}

/** Whether a reading is people's; `isJoined`: white space does not count. */
export function isExact({ reading, gold }: ReadPair, isJoined: boolean): boolean {
  const separator = isJoined ? '' : ' ';
  return metricWords(reading).join(separator) === metricWords(gold).join(separator);
}

/** Exact share, word F1 over all pairs together, and precision of the words that were expanded. */
export function scoreReadings(pairs: readonly ReadPair[], isJoined = false): ReadingScores {
  let [exact, hits, ours, theirs, right, expanded] = [0, 0, 0, 0, 0, 0];
  for (const pair of pairs) {
    const [words, gold] = [metricWords(pair.reading), metricWords(pair.gold)];
    if (isExact(pair, isJoined)) exact++;
    hits += hitsOf(words, gold);
    ours += words.length;
    theirs += gold.length;
    right += hitsOf(pair.expanded, gold);
    expanded += pair.expanded.length;
  }
  return {
    n: pairs.length,
    exact: exact / pairs.length,
    f1: (2 * hits) / (ours + theirs),
    precision: right / expanded,
    expanded,
  };
}

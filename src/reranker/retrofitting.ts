/** Undirected word relations in compressed rows: the neighbors of word `i` are `neighbors[starts[i] … starts[i + 1]]`. */
export interface WordGraph {
  /** uint32 `[words + 1]`. */
  readonly starts: Uint32Array;
  readonly neighbors: Uint32Array;
}

export interface RetrofittingSettings {
  readonly iterations: number;
  /** Weight of a word's own vector. */
  readonly alpha: number;
  /** Weight of all its neighbors together: each has beta / degree. */
  readonly beta: number;
}

/** Faruqui et al. 2015 §2: alpha 1, beta 1 / degree, 10 iterations. */
const PUBLISHED_SETTINGS: RetrofittingSettings = { iterations: 10, alpha: 1, beta: 1 };

/** Builds the rows of a graph from sets of neighbors, one per word; neighbors are put in ascending order. */
export function createWordGraph(neighborSets: readonly ReadonlySet<number>[]): WordGraph {
  const starts = new Uint32Array(neighborSets.length + 1);
  neighborSets.forEach((set, word) => (starts[word + 1] = (starts[word] as number) + set.size));
  const neighbors = new Uint32Array(starts.at(-1) ?? 0);
  neighborSets.forEach((set, word) => neighbors.set(Uint32Array.from(set).sort(), starts[word]));
  return { starts, neighbors };
}

/**
 * Draws the vectors of related words together and keeps each near where it was (Faruqui et al. 2015, equation 1; updated in
 * place, word by word, as in the authors' program).
 *
 * @param vectors Float `[words, dimension]`, one row per word of the graph; not changed. Words without neighbors keep theirs.
 * @returns A new array of the same shape, not normalized.
 */
export function retrofit(
  vectors: Float32Array,
  dimension: number,
  graph: WordGraph,
  settings: RetrofittingSettings = PUBLISHED_SETTINGS,
): Float32Array {
  const words = graph.starts.length - 1;
  if (vectors.length !== words * dimension)
    throw new RangeError(`${vectors.length} numbers for ${words} × ${dimension}`);
  const moved = vectors.slice();
  for (let iteration = 0; iteration < settings.iterations; iteration++) {
    for (let word = 0; word < words; word++) updateWord(moved, vectors, dimension, graph, word, settings);
  }
  return moved;
}

function updateWord(
  moved: Float32Array,
  vectors: Float32Array,
  dimension: number,
  { starts, neighbors }: WordGraph,
  word: number,
  { alpha, beta }: RetrofittingSettings,
): void {
  const start = starts[word] as number;
  const end = starts[word + 1] as number;
  if (start === end) return;
  const row = word * dimension;
  for (let at = 0; at < dimension; at++) {
    let sum = 0;
    for (let n = start; n < end; n++) sum += moved[(neighbors[n] as number) * dimension + at] as number;
    const mean = sum / (end - start);
    moved[row + at] = (beta * mean + alpha * (vectors[row + at] as number)) / (alpha + beta);
  }
}

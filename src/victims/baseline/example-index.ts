/** A stored example and how like it a question is, from 0 to 1. */
export interface Neighbor {
  readonly position: number;
  readonly similarity: number;
}

interface Postings {
  readonly positions: number[];
  readonly weights: number[];
}

/** Terms in more of the documents than this share, and this number, say too little to be looked up. */
const COMMON = 0.25;
const MIN_COMMON_POSITIONS = 200;
/** Documents that are less like the question than this share of the likest are no neighbors. */
const MIN_RELATIVE = 0.3;

/** Documents of terms, found by the cosine of their TF-IDF vectors through an inverted index. */
export class ExampleIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #rarity = new Map<string, number>();
  readonly #size: number;

  constructor(documents: readonly (readonly string[])[]) {
    this.#size = documents.length;
    for (const terms of documents)
      for (const term of new Set(terms)) this.#rarity.set(term, (this.#rarity.get(term) ?? 0) + 1);
    for (const [term, count] of this.#rarity) this.#rarity.set(term, Math.log(1 + this.#size / count));
    documents.forEach((terms, position) => this.#store(terms, position));
  }

  #store(terms: readonly string[], position: number): void {
    for (const [term, weight] of this.#vector(terms)) {
      let postings = this.#postings.get(term);
      if (postings === undefined) this.#postings.set(term, (postings = { positions: [], weights: [] }));
      postings.positions.push(position);
      postings.weights.push(weight);
    }
  }

  /**
   * The likest documents, likest first; equally like ones by position, which are all where none is like at all.
   * `isAllowed` leaves some out.
   */
  nearest(terms: readonly string[], count: number, isAllowed: (position: number) => boolean): readonly Neighbor[] {
    const scores = this.#scores(terms);
    const found: Neighbor[] = [];
    for (let position = 0; position < this.#size; position++) {
      if (isAllowed(position)) found.push({ position, similarity: scores[position] ?? 0 });
    }
    const least = MIN_RELATIVE * found.reduce((most, { similarity }) => Math.max(most, similarity), 0);
    const near = found.filter(({ similarity }) => similarity >= least);
    return near.sort((a, b) => b.similarity - a.similarity || a.position - b.position).slice(0, count);
  }

  #scores(terms: readonly string[]): Float64Array {
    const scores = new Float64Array(this.#size);
    for (const [term, weight] of this.#vector(terms)) {
      const { positions, weights } = this.#postings.get(term) ?? { positions: [], weights: [] };
      if (positions.length > Math.max(MIN_COMMON_POSITIONS, COMMON * this.#size)) continue;
      for (let i = 0; i < positions.length; i++) {
        const position = positions[i] ?? 0;
        scores[position] = (scores[position] ?? 0) + weight * (weights[i] ?? 0);
      }
    }
    return scores;
  }

  /** Terms with their weights, of length 1 together. */
  #vector(terms: readonly string[]): Map<string, number> {
    const vector = new Map<string, number>();
    for (const term of terms) {
      const rarity = this.#rarity.get(term);
      if (rarity !== undefined) vector.set(term, (vector.get(term) ?? 0) + rarity);
    }
    const length = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0));
    for (const [term, weight] of vector) vector.set(term, weight / length);
    return vector;
  }
}

import type { Edge, Path } from './reading-path.js';

const WIDTH = 12;
/** Several paths that end in one word differ only in what came before. */
const PER_WORD = 8;
/** A path that is so much worse than the best, in nats, doesn't catch up. */
const MARGIN = 11;

/** The best ways to read the letters up to a place; what is worse than all of them costs nothing. */
export class Beam {
  readonly #scores: number[] = [];
  readonly #words: number[] = [];
  readonly #befores: Path[] = [];
  readonly #edges: Edge[] = [];
  readonly #inner: boolean[] = [];
  #least = -Infinity;
  #best = -Infinity;

  /** Whether a path of a score is not much worse than the best. */
  isNear(score: number): boolean {
    return score > this.#best - MARGIN;
  }

  /** Offers a path with one more edge; `word`: the last one then. */
  offer(score: number, word: number, before: Path, edge: Edge, isInner: boolean): void {
    if (score <= this.#least || !this.isNear(score)) return;
    const at = this.#placeFor(score, word);
    if (at === -1) return;
    this.#scores[at] = score;
    this.#words[at] = word;
    this.#befores[at] = before;
    this.#edges[at] = edge;
    this.#inner[at] = isInner;
    if (score > this.#best) this.#best = score;
    this.#least = this.#scores.length < WIDTH ? -Infinity : Math.min(...this.#scores);
  }

  /** Kept paths, the best first. */
  paths(): readonly Path[] {
    const order = this.#scores.map((_, i) => i).filter((i) => this.isNear(this.#scores[i]!));
    order.sort((a, b) => this.#scores[b]! - this.#scores[a]!);
    return order.map((i) => ({
      score: this.#scores[i]!,
      edge: this.#edges[i]!,
      before: this.#befores[i]!,
      word: this.#words[i]!,
      isInner: this.#inner[i]!,
    }));
  }

  /** Where a path goes: a free place, or that of the worst of its word or of all; -1 where all are better. */
  #placeFor(score: number, word: number): number {
    let [count, worstOfWord, worst] = [0, -1, 0];
    for (let i = 0; i < this.#scores.length; i++) {
      if (this.#scores[i]! < this.#scores[worst]!) worst = i;
      if (this.#words[i] !== word) continue;
      count++;
      if (worstOfWord === -1 || this.#scores[i]! < this.#scores[worstOfWord]!) worstOfWord = i;
    }
    if (count >= PER_WORD) return score > this.#scores[worstOfWord]! ? worstOfWord : -1;
    return this.#scores.length < WIDTH ? this.#scores.length : worst;
  }
}

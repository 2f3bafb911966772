import type { Edge, Path } from './reading-path.js';

const WIDTH = 12;
/** Several paths that end in one word differ only in what came before. */
const PER_WORD = 8;
/** A path that is so much worse than the best, in nats, doesn't catch up. */
const MARGIN = 11;

/** The best ways to read the letters up to a place; what is worse than all of them costs nothing. */
export class Beam {
  readonly #paths: Path[] = [];
  #least = -Infinity;
  #best = -Infinity;

  /** Whether a path of a score is not much worse than the best. */
  isNear(score: number): boolean {
    return score > this.#best - MARGIN;
  }

  /** Offers a path with one more edge; `word`: the last one then. */
  offer(score: number, word: number, before: Path, edge: Edge, isInner: boolean): void {
    if (score <= this.#least || !this.isNear(score)) return;
    const path = { score, word, before, edge, isInner };
    const ofWord = this.#paths.filter((one) => one.word === word);
    if (ofWord.length < PER_WORD && this.#paths.length < WIDTH) this.#paths.push(path);
    else {
      const rivals = ofWord.length < PER_WORD ? this.#paths : ofWord;
      const worst = rivals.reduce((least, one) => (one.score < least.score ? one : least));
      if (score <= worst.score) return;
      this.#paths[this.#paths.indexOf(worst)] = path;
    }
    this.#best = Math.max(this.#best, score);
    if (this.#paths.length >= WIDTH) this.#least = Math.min(...this.#paths.map((one) => one.score));
  }

  /** Kept paths, the best first. */
  paths(): readonly Path[] {
    return this.#paths.filter(({ score }) => this.isNear(score)).sort((a, b) => b.score - a.score);
  }
}

import { itemAt } from '../present.js';

interface ScoredPlace {
  readonly place: number;
  readonly score: number;
}

/** The places of the highest scores among many that are offered one by one; of equal scores the earlier offered. */
export class TopPlaces {
  readonly #capacity: number;
  /** A heap, the lowest first. */
  readonly #kept: ScoredPlace[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  offer(place: number, score: number): void {
    if (this.#kept.length < this.#capacity) this.#siftUp({ place, score });
    else if (this.#kept[0] !== undefined && score > this.#kept[0].score) this.#siftDown({ place, score });
  }

  /** The places that were kept, in no order. */
  places(): Uint32Array {
    return Uint32Array.from(this.#kept, ({ place }) => place);
  }

  /** The same with their scores, the highest first, equal ones by their places. */
  ranked(): readonly ScoredPlace[] {
    return [...this.#kept].sort((a, b) => b.score - a.score || a.place - b.place);
  }

  #siftUp(added: ScoredPlace): void {
    let at = this.#kept.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = itemAt(this.#kept, above);
      if (parent.score <= added.score) break;
      this.#kept[at] = parent;
      at = above;
    }
    this.#kept[at] = added;
  }

  /** Replaces the lowest. */
  #siftDown(added: ScoredPlace): void {
    let at = 0;
    for (let below = 1; below < this.#kept.length; below = 2 * at + 1) {
      let child = itemAt(this.#kept, below);
      const other = this.#kept[below + 1];
      if (other !== undefined && other.score < child.score) [child, below] = [other, below + 1];
      if (child.score >= added.score) break;
      this.#kept[at] = child;
      at = below;
    }
    this.#kept[at] = added;
  }
}

/** The places of the highest of some scores, best first, equal ones in their own order. */
export function rankPlaces(scores: Float64Array, count: number): readonly ScoredPlace[] {
  const top = new TopPlaces(Math.min(count, scores.length));
  scores.forEach((score, place) => top.offer(place, score));
  return top.ranked();
}

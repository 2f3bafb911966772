/** The places of the highest scores among many that are offered one by one; of equal scores the earlier offered. */
export class TopPlaces {
  readonly #scores: Float64Array;
  readonly #places: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#scores = new Float64Array(capacity);
    this.#places = new Uint32Array(capacity);
  }

  offer(place: number, score: number): void {
    if (this.#size === this.#scores.length) {
      if (score > this.#scores[0]!) this.#siftDown(place, score);
    } else this.#siftUp(this.#size++, place, score);
  }

  /** The places that were kept, in no order. */
  places(): Uint32Array {
    return this.#places.slice(0, this.#size);
  }

  #put(at: number, place: number, score: number): void {
    this.#places[at] = place;
    this.#scores[at] = score;
  }

  #siftUp(from: number, place: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#scores[parent]! <= score) break;
      this.#put(at, this.#places[parent]!, this.#scores[parent]!);
      at = parent;
    }
    this.#put(at, place, score);
  }

  /** Replaces the lowest. */
  #siftDown(place: number, score: number): void {
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && this.#scores[child + 1]! < this.#scores[child]!) child++;
      if (this.#scores[child]! >= score) break;
      this.#put(at, this.#places[child]!, this.#scores[child]!);
      at = child;
    }
    this.#put(at, place, score);
  }
}

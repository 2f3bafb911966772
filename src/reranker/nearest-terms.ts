import { columnNameKey, spacedName } from '../schema/name-identity.js';
import type { VectorFile } from './vector-file.js';

/** A term of the vocabulary in natural words ("zip code"), with its cosine to what was asked for. */
export interface NearTerm {
  readonly name: string;
  readonly similarity: number;
}

/** Terms looked at beyond those asked for, as some drop out as forms of others. */
const SPARE_TERMS = 32;

/** Positions of the `k` largest values, largest first, equal ones by position: a bounded min-heap. */
function largest(values: Float32Array, k: number): number[] {
  const heap: number[] = [];
  const before = (a: number, b: number): boolean => {
    const difference = (values[a] as number) - (values[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  for (let index = 0; index < values.length; index++) {
    if (heap.length < k) siftUp(heap, heap.push(index) - 1, before);
    else if (before(heap[0] as number, index)) {
      heap[0] = index;
      siftDown(heap, before);
    }
  }
  return heap.sort((a, b) => (before(a, b) ? 1 : -1));
}

type Before = (a: number, b: number) => boolean;

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
}

function siftUp(heap: number[], from: number, before: Before): void {
  for (let child = from; child > 0;) {
    const parent = (child - 1) >> 1;
    if (!before(heap[child] as number, heap[parent] as number)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function siftDown(heap: number[], before: Before): void {
  for (let parent = 0; ;) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let least = parent;
    if (left < heap.length && before(heap[left] as number, heap[least] as number)) least = left;
    if (right < heap.length && before(heap[right] as number, heap[least] as number)) least = right;
    if (least === parent) return;
    swap(heap, parent, least);
    parent = least;
  }
}

/**
 * The `k` terms nearest to a unit vector `[dimension]`, most similar first; of several forms of a word (singular, plural,
 * hyphen) the nearest. Names whose key ({@link columnNameKey}) is among `excluded` are left out. Brute force over the
 * vocabulary.
 */
export function nearestTerms(
  vectors: VectorFile,
  query: Float32Array,
  k: number,
  excluded: readonly string[],
): readonly NearTerm[] {
  if (k <= 0) return [];
  const cosines = vectors.cosines(query);
  for (let looked = 2 * k + SPARE_TERMS; ; looked *= 2) {
    const found = distinctTerms(vectors, cosines, largest(cosines, Math.min(looked, vectors.count)), excluded);
    if (found.length >= k || looked >= vectors.count) return found.slice(0, k);
  }
}

function distinctTerms(
  vectors: VectorFile,
  cosines: Float32Array,
  order: readonly number[],
  excluded: readonly string[],
): NearTerm[] {
  const seen = new Set(excluded);
  const found: NearTerm[] = [];
  for (const index of order) {
    const name = spacedName(vectors.term(index));
    const key = columnNameKey(name);
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ name, similarity: Math.max(-1, Math.min(1, cosines[index] as number)) });
  }
  return found;
}

import { createRng, shuffled } from '../../seeded-rng.js';
import { ANNOTATION_KINDS, type AnnotationItem, type AnnotationKind } from '../annotation.js';

/** Positions of items that are worked on together. */
export interface Chunk {
  readonly kind: AnnotationKind;
  readonly items: readonly number[];
}

/** Positions of the items of a kind, a list per table, tables in order of their first item. */
function byTable(items: readonly AnnotationItem[], kind: AnnotationKind): readonly (readonly number[])[] {
  const tables = new Map<string, number[]>();
  for (const [i, item] of items.entries()) {
    if (item.kind !== kind) continue;
    const key = JSON.stringify([item.dbId, item.tableOriginal]);
    const table = tables.get(key);
    if (table === undefined) tables.set(key, [i]);
    else table.push(i);
  }
  return [...tables.values()];
}

/** Chunks of one kind: a table is never split, so a chunk is larger than `size` only where its single table is. */
function chunksOfKind(items: readonly AnnotationItem[], kind: AnnotationKind, size: number): Chunk[] {
  const chunks: number[][] = [];
  for (const table of byTable(items, kind)) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + table.length <= size) last.push(...table);
    else chunks.push([...table]);
  }
  return chunks.map((positions) => ({ kind, items: positions }));
}

/** Splits items into chunks of one kind each that keep a table's columns together (ADVETA §3.1). */
export function makeChunks(items: readonly AnnotationItem[], size: number): readonly Chunk[] {
  return ANNOTATION_KINDS.flatMap((kind) => chunksOfKind(items, kind, size));
}

/** A chunk with whoever has it. */
export interface AssignableChunk {
  readonly id: number;
  /** Number of its items: the load that it is. */
  readonly items: number;
  /** Annotators who have it, and those of them who have begun it and so keep it. */
  readonly has: readonly string[];
  readonly begun: readonly string[];
}

/** Who gets which chunk; by chunk id, names in no order that means anything. */
export type Assignment = ReadonlyMap<number, readonly string[]>;

interface DealtChunk extends AssignableChunk {
  readonly has: string[];
}

/** Deals chunks, and evens out what each has to do. */
class ChunkDealer {
  readonly #chunks: readonly DealtChunk[];
  readonly #annotators: readonly string[];
  /** Items that each has to do. */
  readonly #load: Map<string, number>;

  constructor(chunks: readonly AssignableChunk[], annotators: readonly string[]) {
    this.#chunks = chunks.map((chunk) => ({ ...chunk, has: [...chunk.has] }));
    this.#annotators = annotators;
    this.#load = new Map(annotators.map((name) => [name, 0]));
    for (const { has, items } of chunks) for (const name of has) this.#add(name, items);
  }

  /** Largest chunks first: the small ones even out what is left. Among equal loads the seed decides, chunk by chunk. */
  fill(overlap: number, seed: number): void {
    for (const { id, items, has } of [...this.#chunks].sort((a, b) => b.items - a.items || a.id - b.id)) {
      const others = this.#annotators.filter((name) => !has.includes(name));
      const free = this.#byLoad(shuffled(others, createRng(seed, `assign/${id}`)));
      for (const name of free.slice(0, Math.max(0, overlap - has.length))) {
        has.push(name);
        this.#add(name, items);
      }
    }
  }

  /** Hands chunks that nobody has begun from who has most to who has least, while that brings them closer. */
  even(): void {
    const last = [...this.#chunks].sort((a, b) => b.id - a.id);
    while (this.#annotators.length > 1) {
      const [least = '', ...others] = this.#byLoad(this.#annotators);
      const most = others.at(-1) ?? least;
      const gap = this.#loadOf(most) - this.#loadOf(least);
      const movable = last.find(
        ({ items, begun, has }) => items < gap && has.includes(most) && !has.includes(least) && !begun.includes(most),
      );
      if (movable === undefined) return;
      movable.has.splice(movable.has.indexOf(most), 1, least);
      this.#add(most, -movable.items);
      this.#add(least, movable.items);
    }
  }

  result(): Assignment {
    return new Map(this.#chunks.map(({ id, has }) => [id, has]));
  }

  #loadOf(name: string): number {
    return this.#load.get(name) ?? 0;
  }

  #byLoad(names: readonly string[]): readonly string[] {
    return [...names].sort((a, b) => this.#loadOf(a) - this.#loadOf(b));
  }

  #add(name: string, items: number): void {
    this.#load.set(name, this.#loadOf(name) + items);
  }
}

/**
 * Gives each chunk to `overlap` annotators, or all there are, so that their loads in items are as even as whole chunks
 * allow. What someone has stays with them, unless another has less to do and nobody has begun it; what is begun always
 * stays. The same input and seed give the same.
 */
export function assignChunks(
  chunks: readonly AssignableChunk[],
  annotators: readonly string[],
  overlap: number,
  seed: number,
): Assignment {
  const dealer = new ChunkDealer(chunks, annotators);
  dealer.fill(overlap, seed);
  dealer.even();
  return dealer.result();
}

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

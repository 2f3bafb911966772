import type { ListedCandidate } from '../annotation.js';
import type { ItemPosition, ListedItem } from '../api-shapes.js';

/** Names from hard to easy; those that are equally hard in the order of the list. */
export function hardestFirst(candidates: readonly ListedCandidate[]): readonly ListedCandidate[] {
  return [...candidates].sort((a, b) => (b.difficulty ?? 0) - (a.difficulty ?? 0));
}

/** Checks whether a list says how hard its names are. */
export function hasDifficulty(candidates: readonly ListedCandidate[]): boolean {
  return candidates.some(({ difficulty }) => difficulty !== undefined);
}

/**
 * The harder half of a chunk's columns by the mean difficulty of their names, in their order; none where these have
 * none.
 */
export function hardRows(rows: readonly ListedItem[]): readonly ListedItem[] {
  const rated = rows.filter(({ difficulty }) => difficulty !== null);
  const ranked = [...rated].sort((a, b) => (b.difficulty ?? 0) - (a.difficulty ?? 0));
  const harder = new Set(ranked.slice(0, Math.ceil(rated.length / 2)));
  return rows.filter((row) => harder.has(row));
}

/** Where an item is among the rows that are shown; as the server says where it is none of them. */
export function positionAmong(rows: readonly ListedItem[], id: string, whole: ItemPosition): ItemPosition {
  const index = rows.findIndex((row) => row.id === id);
  if (index === -1) return whole;
  return { index, of: rows.length, next: rows[index + 1]?.id ?? null, previous: rows[index - 1]?.id ?? null };
}

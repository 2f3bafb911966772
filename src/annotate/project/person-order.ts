import { createRng, shuffled } from '../../seeded-rng.js';

/**
 * The items of a chunk in one person's own order: tables shuffled, and columns within each, so that a table is looked
 * at once but nobody's tiredness falls on the same columns as another's. The same seed, person and chunk give the same.
 */
export function inPersonOrder<T extends { readonly dbId: string; readonly table: string }>(
  items: readonly T[],
  seed: number,
  person: string,
  chunk: number,
): readonly T[] {
  const rng = createRng(seed, `order/${chunk}/${person}`);
  const tables = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify([item.dbId, item.table]);
    tables.set(key, [...(tables.get(key) ?? []), item]);
  }
  return shuffled([...tables.values()], rng).flatMap((table) => shuffled(table, rng));
}

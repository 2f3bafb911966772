import { columnAt, columnKey, type ColumnRef, type Database } from '../schema/schema.js';

/** `same`: key columns linked by foreign keys that share a name get one new name; `independent`: each its own. */
export const LINKED_KEYS = ['same', 'independent'] as const;
export type LinkedKeys = (typeof LINKED_KEYS)[number];

/** Groups of columns that are renamed together: linked by foreign keys, and of one name. Every group has two or more. */
export function linkedColumnGroups(database: Database): ReadonlyMap<string, readonly ColumnRef[]> {
  const groups = new Map<string, ColumnRef[]>();
  const groupOf = (ref: ColumnRef): ColumnRef[] => groups.get(columnKey(ref)) ?? [ref];
  for (const { from, to } of database.foreignKeys) {
    if (columnAt(database, from).name !== columnAt(database, to).name) continue;
    const merged = [...new Map([...groupOf(from), ...groupOf(to)].map((ref) => [columnKey(ref), ref])).values()];
    // Two columns of one table can't have one name.
    if (new Set(merged.map(({ table }) => table)).size < merged.length) continue;
    for (const ref of merged) groups.set(columnKey(ref), merged);
  }
  return groups;
}

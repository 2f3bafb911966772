/** What one call asks names for: one column, or all columns of a table, which sends the table once. */
export const NAMES_PER_CALL = ['column', 'table'] as const;
export type NamesPerCall = (typeof NAMES_PER_CALL)[number];

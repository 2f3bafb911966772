/** The scope of one call for names: one column, or all columns of a table, which sends the table once. */
export const NAMES_PER_CALL = ['column', 'table'] as const;
export type NamesPerCall = (typeof NAMES_PER_CALL)[number];

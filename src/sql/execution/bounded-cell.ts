/** Longest cell that is read for samples, in bytes. */
const LONGEST_CELL = 1 << 16;

/**
 * SQL of a column's cells, NULL for one of more than 64 KiB: samples take the same memory whatever the cells' size, as
 * `octet_length` reads a cell's header only. https://sqlite.org/lang_corefunc.html#octet_length
 */
export function boundedCell(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${LONGEST_CELL} THEN ${column} END`;
}

/** SQL of how many of a column's cells are not NULL: `count(column)` reads each of them whole, whatever its size. */
export function countFilled(column: string): string {
  return `count(CASE WHEN ${column} IS NOT NULL THEN 1 END)`;
}

/** Rows of equal length as lines, each column as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[], between = '  '): string[] {
  const widthOf = (c: number): number => Math.max(...rows.map((row) => row[c]?.length ?? 0));
  const widths = rows[0]?.map((_, c) => widthOf(c)) ?? [];
  return rows.map((row) =>
    row
      .map((cell, c) => cell.padEnd(widths[c] ?? 0))
      .join(between)
      .trimEnd(),
  );
}

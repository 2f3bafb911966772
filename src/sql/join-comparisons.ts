/** Strings and quoted names, which stay, and comparisons that are cut in two: `! =`, `> =`, as in some gold of SParC. */
const CUT_COMPARISON = /('(?:[^']|'')*'|"[^"]*"|`[^`]*`)|([!<>])\s+=/g;

/** The query with `! =`, `> =` and `< =` in one piece, which SQLite asks for. */
export function joinComparisons(sql: string): string {
  return sql.replace(CUT_COMPARISON, (text, quoted: string | undefined, sign: string) =>
    quoted === undefined ? `${sign}=` : text,
  );
}

/** Where a full-text index has its content: a table of the user's, which it reads by the names of its columns. */
export interface IndexedContent {
  readonly table: string;
  /** The column that is its row id; null where it is SQLite's own. */
  readonly rowid: string | null;
}

/** The value of an option of a virtual table, quotes taken off; null where it has none or an empty one. */
function optionOf(sql: string, name: string): string | null {
  const option = new RegExp(`\\b${name}\\s*=\\s*(?:'([^']*)'|"([^"]*)"|([^\\s,)]+))`, 'iu').exec(sql);
  const value = option?.[1] ?? option?.[2] ?? option?.[3] ?? '';
  return value === '' ? null : value;
}

/** Where the virtual table of a CREATE statement has its content; null where it keeps its own, or none. */
export function indexedContent(sql: string): IndexedContent | null {
  if (!/^CREATE\s+VIRTUAL\s/iu.test(sql)) return null;
  const table = optionOf(sql, 'content');
  return table === null ? null : { table, rowid: optionOf(sql, 'content_rowid') };
}

import type Sqlite from 'better-sqlite3';

/**
 * Replaces texts in the definitions that a database stores, as other builds of SQLite and other applications write them:
 * this build would refuse to make double-quoted texts, or what names a collation or function that it does not know.
 */
export function replaceInSchema(
  sqlite: Sqlite.Database,
  replacements: readonly (readonly [from: string, to: string])[],
): void {
  if (replacements.length === 0) return;
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  const update = sqlite.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?)');
  for (const [from, to] of replacements) update.run(from, to);
  sqlite.pragma('writable_schema = RESET');
  sqlite.unsafeMode(false);
}

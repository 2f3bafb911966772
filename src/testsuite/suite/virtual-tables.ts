import type Sqlite from 'better-sqlite3';
import { foldName } from '../../sql/dialect.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { listTables } from '../../sql/execution/table-pragmas.js';

const MISSING = /^no such table: (?:main\.)?(.+)$/u;

/** Views by name with their definitions. */
function viewsOf(sqlite: Sqlite.Database): readonly { readonly name: string; readonly sql: string }[] {
  const rows = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  return rows as { name: string; sql: string }[];
}

/** Names of a file's virtual tables by their folded ones, and by those of the views that read them. @throws as `openUntouched` */
export function virtualTablesOf(file: string): ReadonlyMap<string, string> {
  return readUntouched(file, (sqlite) => {
    const virtual = listTables(sqlite).filter(({ type }) => type === 'virtual');
    const names = new Map(virtual.map(({ name }) => [foldName(name), name]));
    if (names.size === 0) return names;
    const views = viewsOf(sqlite).map(({ name, sql }) => ({ name: foldName(name), words: wordsOf(sql) }));
    // Views may read one another: what one pass finds is known to the next.
    for (let before = 0; before < names.size;) {
      before = names.size;
      for (const { name, words } of views) {
        const read = [...names].find(([known]) => known !== name && words.has(known));
        if (read !== undefined && !names.has(name)) names.set(name, read[1]);
      }
    }
    return names;
  });
}

const wordsOf = (sql: string): ReadonlySet<string> => new Set(sql.match(/[\p{L}\p{N}_$]+/gu)?.map(foldName) ?? []);

/** The virtual table for lack of which a query can't be executed on a suite's databases; undefined where it is no such fault. */
export function missingVirtualTable(message: string, virtual: ReadonlyMap<string, string>): string | undefined {
  const missing = MISSING.exec(message)?.[1];
  return missing === undefined ? undefined : virtual.get(foldName(missing));
}

import { InputFormatError } from '../../errors.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import type { PresentTables } from './spider-names.js';

/**
 * The names of a SQLite file's tables in lower case, SQLite's own among them: the names that Spider's published
 * evaluator knows, for `ExactMatchOptions.tablesOf`.
 * @throws InputFormatError when the file is absent or no database
 */
export function readPresentTables(file: string): PresentTables {
  try {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    const names = readUntouched(file, (sqlite) => sqlite.prepare(sql).pluck().all()) as string[];
    return new Set(names.map((name) => name.toLowerCase()));
  } catch (cause) {
    const fix = 'Name the folder with <db_id>/<db_id>.sqlite.';
    throw new InputFormatError('the database can’t be read', { where: { file }, cause, fix });
  }
}

import { InputFormatError } from '../../errors.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import type { PresentTables } from './spider-names.js';

/**
 * The names of a SQLite file's tables in lower case, SQLite's own among them: the names that Spider's published
 * evaluator knows, for `ExactMatchOptions.tablesOf`.
 * @throws InputFormatError when the file is absent or no database
 */
export function readPresentTables(file: string): PresentTables {
  try {
    const sqlite = openUntouched(file);
    try {
      const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
      return new Set(names.map((name) => name.toLowerCase()));
    } finally {
      sqlite.close();
    }
  } catch (cause) {
    const fix = 'Name the folder with <db_id>/<db_id>.sqlite.';
    throw new InputFormatError('the database can’t be read', { where: { file }, cause, fix });
  }
}

import { groupBy } from '../run/group-by.js';
import { readUntouched, schemaNotesOf } from '../sql/execution/open-untouched.js';
import { indexedColumns } from './indexed-columns.js';

/**
 * What whoever runs over a database should know of its file, a line each: objects that are left out because SQLite can't
 * read them, collations that it has not, columns that keep their names. None of a file that can't be read.
 */
export function schemaNotes(id: string, file: string): readonly string[] {
  try {
    const objects = groupBy(schemaNotesOf(file), ({ reason }) => reason);
    const indexed = readUntouched(file, indexedColumns);
    return [
      ...[...objects].map(([reason, list]) => `${id}: ${list.map(({ object }) => object).join(', ')}: ${reason}`),
      ...indexed.map(({ index, table, columns }) => {
        return `${id}: ${columns.join(', ')} of ${table} are not renamed: ${index} finds them by name`;
      }),
    ];
  } catch {
    return [];
  }
}

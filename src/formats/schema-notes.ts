import { groupBy } from '../run/group-by.js';
import { readUntouched, schemaNotesOf } from '../sql/execution/open-untouched.js';
import { indexedColumns } from './indexed-columns.js';

/**
 * Returns notes on a database's file for whoever runs over it, a line each: objects left out because SQLite can't read
 * them, collations that it lacks, columns that keep their names. No notes on a file that can't be read.
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

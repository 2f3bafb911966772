import { itemAt } from '../../../present.js';
import { columnAt, type ColumnRef, type Database } from '../../../schema/schema.js';

/** A column for people: "singer.song_name". */
export function describeColumn(database: Database, ref: ColumnRef): string {
  return `${itemAt(database.tables, ref.table).originalName}.${columnAt(database, ref).originalName}`;
}

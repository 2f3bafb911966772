import type { PlacedColumn } from '../../../schema/schema.js';

/** A column for people: "singer.song_name". */
export function describeColumn({ table, column }: Pick<PlacedColumn, 'table' | 'column'>): string {
  return `${table.originalName}.${column.originalName}`;
}

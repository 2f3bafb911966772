import { longestNewIdentifier } from '../../../schema/naming-style.js';
import type { Database, PlacedColumn } from '../../../schema/schema.js';
import { foldName } from '../../../sql/dialect.js';

/** A column for people: "singer.song_name". */
export function describeColumn({ table, column }: Pick<PlacedColumn, 'table' | 'column'>): string {
  return `${table.originalName}.${column.originalName}`;
}

/** Two identifiers as one, in the manner of the first: `singer` and `Song_Name` → `singer_Song_Name`. */
export function joinedIdentifier(first: string, second: string): string {
  const joint = /\s/.test(first) || /\s/.test(second) ? ' ' : '_';
  return `${first}${joint}${second}`;
}

/** An identifier that none of the taken ones is: itself, or with a number. */
export function freshIdentifier(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map(foldName));
  let name = wanted;
  for (let n = 2; used.has(foldName(name)); n++) name = `${wanted}_${n}`;
  return name;
}

/** Checks whether a new identifier is not much longer than those that a schema has. */
export function isOfLength(originalName: string, database: Database): boolean {
  return originalName.length <= longestNewIdentifier(database);
}

/** The first of several names whose identifier is of the schema's length, else the shortest. */
export function nameOfLength<T extends { readonly originalName: string }>(
  names: readonly [T, ...T[]],
  database: Database,
): T {
  const byLength = [...names].sort((a, b) => a.originalName.length - b.originalName.length);
  return names.find(({ originalName }) => isOfLength(originalName, database)) ?? byLength[0] ?? names[0];
}

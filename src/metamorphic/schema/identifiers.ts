import { foldName } from '../../sql/dialect.js';

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

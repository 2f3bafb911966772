import { foldName } from '../sql/dialect.js';

/**
 * Names as identifiers of one table: what is blank becomes "column_3" by its position, what occurs twice (without case)
 * gets a number: "total", "total_2".
 */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  // A name that is its own comes first: of "a", "a", "a_2" the second becomes "a_3".
  const own = new Set(names.map(foldName));
  return names.map((name, i) => {
    const stem = name === '' ? `column_${i + 1}` : name;
    let unique = stem;
    for (let n = 2; used.has(foldName(unique)) || (unique !== name && own.has(foldName(unique))); n++) {
      unique = `${stem}_${n}`;
    }
    used.add(foldName(unique));
    return unique;
  });
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '../schema/name-identity.js';
import { singularOf } from '../schema/noun-number.js';
import { INDEX_FILES } from './index-manifest.js';
import { LoadedTables } from './table-store.js';

/** A word that headers of fewer tables have is one writer's. */
const LEAST_TABLES = 2;

/** The words that the column names of an index's tables use, lower case, and their singulars: at least two tables have each. */
export async function loadHeaderWords(folder: string): Promise<ReadonlySet<string>> {
  const tables = new LoadedTables(await readFile(join(folder, INDEX_FILES.tables)));
  const counts = new Map<string, number>();
  for (const { columns } of tables.read([...Array(tables.size).keys()])) {
    const words = columns.flatMap(wordsOf).flatMap((word) => [word, singularOf(word)]);
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= LEAST_TABLES).map(([word]) => word));
}

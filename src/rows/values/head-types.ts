import { readFileSync } from 'node:fs';
import { packagePath } from '../../package-path.js';
import { parseTypeCounts } from '../../schema/identifiers/column-words.js';

/** Columns that a word must end for its types to count, and the share of them that must agree. */
const LEAST = 3;
const AGREEMENT = 0.75;

const KINDS = ['text', 'number', 'time', 'boolean'] as const;

let counted: ReadonlyMap<string, readonly number[]> | null = null;

/** The last list of data/identifiers/names.txt: last words with how many of their columns are of each type. */
function readCounts(): ReadonlyMap<string, readonly number[]> {
  const text = readFileSync(packagePath('data/identifiers/names.txt'), 'utf8');
  return parseTypeCounts(text.slice(text.lastIndexOf('\n\n')));
}

/** The type of nearly all columns of our lists whose names end with a word; null where they are few, or differ. */
export function kindOfHead(head: string): (typeof KINDS)[number] | null {
  const counts = (counted ??= readCounts()).get(head) ?? [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < LEAST) return null;
  return KINDS.find((_, i) => (counts[i] ?? 0) >= total * AGREEMENT) ?? null;
}

import type { GoesWith, ListedCandidate } from '../annotation.js';

/** The kind of an addition, in words. */
export const GOES_WITH: Readonly<Record<GoesWith, string>> = {
  column: 'close to its column',
  row: 'belongs to the row',
};

const SOURCES: Readonly<Record<string, string>> = {
  retrieval: 'found in tables',
  dictionary: 'dictionary',
  vocabulary: 'vocabulary',
  random: 'drawn at random',
  neighbors: 'near in word vectors',
  masked: 'a masked language model',
  llm: 'a language model',
  annotation: 'imported list',
};

/** Lists of what tables of a kind have; `*` is that of any table. */
const ATTRIBUTES = 'attributes/';

/** Where a name comes from: its source, and for one found in a table, the table and column. */
export function originInWords({ name, source, origin }: ListedCandidate): string {
  if (origin === null) return SOURCES[source] ?? source;
  if (origin.table === `${ATTRIBUTES}*`) return 'usual in any table';
  const title = origin.title === '' ? origin.table : origin.title;
  if (origin.table.startsWith(ATTRIBUTES)) return `usual in tables like “${title}”`;
  const column = origin.column === name ? '' : `, column “${origin.column}”`;
  return `table “${title}”${column}`;
}

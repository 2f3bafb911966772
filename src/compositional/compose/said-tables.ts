import type { Database } from '../../schema/schema.js';
import { wordsOf } from '../../schema/name-identity.js';
import { likeness, questionWords, stemOf } from '../align/question-words.js';

/** Words of tables' names that say nothing of their rows. */
const EMPTY = new Set(
  'has have in of the and to with by for at on tbl table list data info information record detail lookup lu ref'.split(
    ' ',
  ),
);
/** Letters that a word shares with one of its family at least: "hire" of "hiring". */
const SHARED = 3;
/** Shortest word that is looked for within a name that is written as one: "language" in "countrylanguage". */
const WITHIN = 5;

function isOfFamily(stem: string, word: string): boolean {
  if (likeness(stem, word) > 0) return true;
  const shorter = Math.min(stem.length, word.length);
  let shared = 0;
  while (shared < shorter && stem[shared] === word[shared]) shared++;
  return shared >= SHARED && shared === shorter;
}

const tableName = (table: number, { tables }: Database): string => (tables[table]?.name ?? '').toLowerCase();
const stemsOf = (name: string): readonly string[] => wordsOf(name).map(stemOf);

/** The word that says what a table's rows are, its last, as a stem: none that another name has, where there is one. */
function headStem(name: string, foreign: readonly string[]): string {
  const stems = stemsOf(name).filter((stem) => !EMPTY.has(stem));
  const alone = stems.filter((stem) => !foreign.some((other) => other.includes(stem)));
  return alone.at(-1) ?? stems.at(-1) ?? '';
}

/** A name as stems, and its ends of two words at least: "template types" of "reference template types". */
function endsOf(name: string): readonly (readonly string[])[] {
  const stems = stemsOf(name);
  return stems.flatMap((_, i) => (i === 0 || stems.length - i > 1 ? [stems.slice(i)] : []));
}

/** The stems of a text without those that name another table: "template" of "template types". */
function stemsOutside(text: string, foreign: readonly string[]): readonly string[] {
  const stems = questionWords(text).map(({ stem }) => stem);
  const named = new Set<number>();
  for (const end of foreign.flatMap(endsOf)) {
    for (const at of stems.keys()) {
      if (end.every((stem, i) => stems[at + i] === stem)) for (const i of end.keys()) named.add(at + i);
    }
  }
  return stems.filter((_, i) => !named.has(i));
}

/**
 * Whether a text names a table by the word for its rows, which none of the other tables of its query is called by:
 * "students who have a pet" of `has_pet` next to `student`.
 */
export function isTableSaid(text: string, table: number, others: readonly number[], database: Database): boolean {
  const foreign = others.map((other) => tableName(other, database));
  const head = headStem(tableName(table, database), foreign);
  const isWithin = (stem: string): boolean =>
    stem.length >= WITHIN && head.includes(stem) && !foreign.some((name) => name.includes(stem));
  return head !== '' && stemsOutside(text, foreign).some((stem) => isOfFamily(head, stem) || isWithin(stem));
}

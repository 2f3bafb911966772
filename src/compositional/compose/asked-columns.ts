import { columnKey, type Database } from '../../schema/schema.js';
import { columnsOf } from '../clauses/clause-parts.js';
import type { Clause } from '../clauses/clause.js';
import { nounKey, wordKeys } from './modified-noun.js';

/**
 * Checks whether one of several columns that are selected is named by an element, and not before it: "by the largest
 * percentage".
 */
export function asksWithin(before: string, text: string, rest: readonly Clause[], { tables }: Database): boolean {
  const selected = rest.filter(({ kind }) => kind === 'select');
  const [said, within] = [new Set(wordKeys(before)), new Set(wordKeys(text))];
  const names = selected
    .flatMap(columnsOf)
    .map(({ table, column }) => wordKeys(tables[table]?.columns[column]?.name ?? '').filter((word) => word !== 'name'));
  return (
    selected.length > 1 &&
    names.some((name) => name.some((word) => within.has(word)) && !name.some((word) => said.has(word)))
  );
}

/** Columns that a question selects, keys left out, with their tables’ names and their own. */
function selectedColumns(rest: readonly Clause[], { tables, primaryKeys, foreignKeys }: Database) {
  const keys = new Set([...primaryKeys, ...foreignKeys.flatMap(({ from, to }) => [from, to])].map(columnKey));
  return rest
    .flatMap((clause) => (clause.kind === 'select' ? columnsOf(clause) : []))
    .filter((ref) => !keys.has(columnKey(ref)))
    .map(({ table, column }) => ({
      table,
      ofTable: tables[table]?.name ?? '',
      name: tables[table]?.columns[column]?.name ?? '',
    }));
}

/** Checks whether a word of a column that is selected is an element's alone: "goals", "by Parma as an away team". */
export function asksHalf(before: string, text: string, rest: readonly Clause[], database: Database): boolean {
  const [said, within] = [wordKeys(before), wordKeys(text)];
  return selectedColumns(rest, database).some(({ ofTable, name }) => {
    const words = wordKeys(name).filter((word) => !wordKeys(ofTable).includes(word));
    return (
      words.some((word) => within.includes(word) && !said.includes(word)) && words.some((word) => said.includes(word))
    );
  });
}

/**
 * Checks whether a column is selected of a table that the words before an element don't name, though the noun has one
 * by its name: the address of a circuit, where races are asked about.
 */
export function asksNamesake(
  before: string,
  nounTables: readonly number[],
  rest: readonly Clause[],
  database: Database,
): boolean {
  const said = wordKeys(before);
  return selectedColumns(rest, database).some(
    ({ table, ofTable, name }) =>
      !nounTables.includes(table) &&
      !said.includes(nounKey(ofTable)) &&
      nounTables.some((noun) => database.tables[noun]?.columns.some((column) => column.name === name)),
  );
}

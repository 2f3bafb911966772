import { singularOf } from '../schema/natural-name.js';
import type { TargetTable, TpePredictor } from '../stage.js';

/** Words that say "this is a table" and nothing of what it holds. */
const EMPTY_WORDS = new Set([
  'table',
  'tbl',
  'sheet',
  'data',
  'dataset',
  'ref',
  'reference',
  'list',
  'info',
  'information',
  'record',
  'records',
]);

/** True where a table's name names an entity: at least one word of two letters or more that is not table vocabulary. */
export function namesAnEntity(tableName: string): boolean {
  return tableName.split(/[^\p{L}]+/u).some((word) => word.length >= 2 && !EMPTY_WORDS.has(word.toLowerCase()));
}

/** The table's natural name with its head noun in the singular: "dog kennels" → "dog kennel", "students of club" → "student of club". */
export function singularTableName(tableName: string): string {
  const words = tableName
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const preposition = words.findIndex(
    (word, i) => i > 0 && ['of', 'in', 'for', 'by', 'with', 'to', 'from', 'at', 'on'].includes(word),
  );
  const head = (preposition === -1 ? words.length : preposition) - 1;
  const noun = words[head];
  if (noun !== undefined) words[head] = singularOf(noun) || noun;
  return words.join(' ');
}

/** Primary entity from the table's natural name, for data sets that have one, as Spider does. */
export class TableNameTpe implements TpePredictor {
  readonly id = 'table-name';
  readonly fingerprint = 'table-name:1';

  predict(targets: readonly TargetTable[]): Promise<readonly string[]> {
    return Promise.resolve(targets.map(({ table }) => singularTableName(table.name)));
  }
}

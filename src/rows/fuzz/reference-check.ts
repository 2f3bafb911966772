import { storedValue } from '../values/declared-types.js';
import { affinityOf } from '../../sql/affinity.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Cells, DrawnKey, DrawnTable, FuzzTable, KeyPair } from './fuzz-table.js';

/**
 * A cell as a foreign key compares it, with the parent column's affinity (https://sqlite.org/foreignkeys.html §3); two
 * cells that it takes for equal may have different texts here, never the other way round.
 */
function referenceText(value: SqlValue, parentType: string): string {
  const affinity = affinityOf(parentType);
  if (affinity === 'TEXT') return typeof value === 'number' ? `real ${value}` : `text ${String(value)}`;
  const compared = affinity === 'BLOB' ? value : storedValue(value, parentType, false);
  if (typeof compared === 'bigint' || (typeof compared === 'number' && Number.isSafeInteger(compared))) {
    return `number ${BigInt(compared)}`;
  }
  return `${typeof compared} ${String(compared)}`;
}

/** The cells of a key as one text; null where one of them is, so that the key refers to nothing. */
function keyText(
  cells: readonly SqlValue[],
  pairs: readonly KeyPair[],
  side: 'position' | 'parentPosition',
): string | null {
  let text = '';
  for (const pair of pairs) {
    const value = cells[pair[side]] ?? null;
    if (value === null) return null;
    text += `${referenceText(value, pair.parentColumn.declaredType)}\0`;
  }
  return text;
}

/** Checks whether a row refers to one that its key's parent has now, or to nothing. */
function referenceTest<Row extends readonly SqlValue[]>({ parent, pairs }: DrawnKey<Row>): (cells: Row) => boolean {
  const known = new Set(parent.rows.map((cells) => keyText(cells, pairs, 'parentPosition')));
  return (cells) => {
    const text = keyText(cells, pairs, 'position');
    return text === null || known.has(text);
  };
}

/**
 * Makes the references of one table hold: cells that may be null become it, other rows go. Whether anything changed.
 */
function repairTable(table: DrawnTable): boolean {
  let isChanged = false;
  for (const key of table.foreignKeys) {
    const holds = referenceTest(key);
    const nullable = key.pairs.find(({ column }) => column.isNullable);
    table.rows = table.rows.filter((cells) => {
      if (holds(cells)) return true;
      isChanged = true;
      if (nullable !== undefined) cells[nullable.position] = null;
      return nullable !== undefined;
    });
  }
  // Rows whose keys became null may be like one before them.
  if (isChanged && table.schema.hasDistinctRows) dropTaken(table);
  return isChanged;
}

/** Drops rows that the table would refuse for the keys of those before them. */
export function dropTaken(table: DrawnTable): void {
  const taken = new TakenKeys(table.schema);
  table.rows = table.rows.filter((cells) => taken.take(cells) === null);
}

/** Checks whether all references hold. */
export function referencesHold<Row extends readonly SqlValue[]>(tables: readonly DrawnTable<Row>[]): boolean {
  return tables.every(({ foreignKeys, rows }) => foreignKeys.every((key) => rows.every(referenceTest(key))));
}

/** Leaves only references that hold, in tables that may refer to each other in circles. */
export function repairReferences(tables: readonly DrawnTable[]): void {
  // Every change nulls a cell or removes a row: there is an end to them.
  for (let isChanged = true; isChanged;) {
    isChanged = tables.map(repairTable).includes(true);
  }
}

/** Unique keys of one table that are taken; compares as loosely as any collation, so that none refuses a row. */
export class TakenKeys {
  readonly #uniques: readonly { readonly columns: readonly number[]; readonly taken: Set<string> }[];
  /** Whole rows, where no two may be alike. */
  readonly #rows: Set<string> | null;
  /** Columns that are written. */
  readonly #written: readonly number[];

  constructor({ uniques, hasDistinctRows, columns }: FuzzTable) {
    this.#written = columns.flatMap(({ isGenerated }, column) => (isGenerated ? [] : [column]));
    this.#uniques = uniques.map((unique) => ({ columns: unique, taken: new Set() }));
    this.#rows = hasDistinctRows ? new Set() : null;
  }

  /** Takes a row's keys and gives null; where another row has one of them, the columns of that. */
  take(cells: Cells): readonly number[] | null {
    const keys: { readonly key: string; readonly taken: Set<string> }[] = [];
    for (const { columns, taken } of this.#uniques) {
      const key = keyOf(cells, columns);
      if (key === null) continue;
      if (taken.has(key)) return columns;
      keys.push({ key, taken });
    }
    if (this.#rows !== null) {
      const row = this.#written.map((column) => looseText(cells[column] ?? null)).join('\0');
      if (this.#rows.has(row)) return this.#written;
      this.#rows.add(row);
    }
    for (const { key, taken } of keys) taken.add(key);
    return null;
  }
}

const looseText = (value: SqlValue): string => String(value).toLowerCase().trimEnd();

/** A unique key as one text; null where a part is: such rows repeat. */
function keyOf(cells: Cells, unique: readonly number[]): string | null {
  let text = '';
  for (const column of unique) {
    const value = cells[column] ?? null;
    if (value === null) return null;
    text += `${looseText(value)}\0`;
  }
  return text;
}

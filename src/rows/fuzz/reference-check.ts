import { storedValue } from '../values/declared-types.js';
import { elementAt, present } from '../../present.js';
import { affinityOf } from '../../sql/affinity.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { FuzzTable } from './fuzz-table.js';

/** A row in the making: one cell for each column of its table. */
export type Cells = SqlValue[];

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
function keyText(cells: Readonly<Cells>, columns: readonly number[], parentTypes: readonly string[]): string | null {
  let text = '';
  for (let part = 0; part < columns.length; part++) {
    const value = cells[elementAt(columns, part)] ?? null;
    if (value === null) return null;
    text += `${referenceText(value, elementAt(parentTypes, part))}\0`;
  }
  return text;
}

/** Makes the references of one table hold: cells that may be null become it, other rows go. Whether anything changed. */
function repairTable(tables: readonly FuzzTable[], rows: readonly Cells[][], position: number): boolean {
  const table = elementAt(tables, position);
  let isChanged = false;
  for (const { columns, parent, parentColumns } of table.foreignKeys) {
    const types = parentColumns.map((column) => elementAt(elementAt(tables, parent).columns, column).declaredType);
    const known = new Set(elementAt(rows, parent).map((cells) => keyText(cells, parentColumns, types)));
    const nullable = columns.find((column) => elementAt(table.columns, column).isNullable);
    const kept = elementAt(rows, position).filter((cells) => {
      const text = keyText(cells, columns, types);
      if (text === null || known.has(text)) return true;
      isChanged = true;
      if (nullable !== undefined) cells[nullable] = null;
      return nullable !== undefined;
    });
    elementAt(rows, position).splice(0, Infinity, ...kept);
  }
  return isChanged && table.hasDistinctRows ? dropAlike(table, elementAt(rows, position)) : isChanged;
}

/** Drops rows that are like one before them, as those are whose keys became null. */
function dropAlike(table: FuzzTable, rows: Cells[]): true {
  const taken = new TakenKeys(table);
  rows.splice(0, Infinity, ...rows.filter((cells) => taken.take(cells) === null));
  return true;
}

/** Whether all references hold. */
export function referencesHold(tables: readonly FuzzTable[], rows: readonly (readonly Readonly<Cells>[])[]): boolean {
  return tables.every(({ foreignKeys }, position) =>
    foreignKeys.every(({ columns, parent, parentColumns }) => {
      const types = parentColumns.map((column) => elementAt(elementAt(tables, parent).columns, column).declaredType);
      const known = new Set(elementAt(rows, parent).map((cells) => keyText(cells, parentColumns, types)));
      return elementAt(rows, position).every((cells) => {
        const text = keyText(cells, columns, types);
        return text === null || known.has(text);
      });
    }),
  );
}

/** Leaves only references that hold, in tables that may refer to each other in circles. */
export function repairReferences(tables: readonly FuzzTable[], rows: readonly Cells[][]): void {
  // Every change nulls a cell or removes a row: there is an end to them.
  for (let isChanged = true; isChanged;) {
    isChanged = tables.map((_, position) => repairTable(tables, rows, position)).includes(true);
  }
}

/** Unique keys of one table that are taken; compares as loosely as any collation, so that none refuses a row. */
export class TakenKeys {
  readonly #uniques: readonly (readonly number[])[];
  readonly #taken: readonly Set<string>[];
  /** Whole rows, where no two may be alike. */
  readonly #rows: Set<string> | null;
  /** Columns that are written. */
  readonly #written: readonly number[];

  constructor({ uniques, hasDistinctRows, columns }: FuzzTable) {
    this.#written = columns.flatMap(({ isGenerated }, column) => (isGenerated ? [] : [column]));
    this.#uniques = uniques;
    this.#taken = uniques.map(() => new Set());
    this.#rows = hasDistinctRows ? new Set() : null;
  }

  /** Takes a row's keys and gives null; where another row has one of them, the columns of that. */
  take(cells: Cells): readonly number[] | null {
    const keys: (string | null)[] = [];
    for (const unique of this.#uniques) {
      const key = keyOf(cells, unique);
      if (key !== null && elementAt(this.#taken, keys.length).has(key)) return unique;
      keys.push(key);
    }
    if (this.#rows !== null) {
      const row = this.#written.map((column) => looseText(cells[column] ?? null)).join('\0');
      if (this.#rows.has(row)) return this.#written;
      this.#rows.add(row);
    }
    for (let at = 0; at < keys.length; at++)
      if (keys[at] !== null) elementAt(this.#taken, at).add(present(keys[at], 'keys[at]'));
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

import { pick } from '../../run/seeded-rng.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import type { Cell, Wish, Witness } from '../fill/wishes.js';
import type { FuzzTable } from './fuzz-tables.js';
import type { WishValues } from './wish-values.js';

/** A row that a database is to have: some of its cells by position; the others are drawn. */
export interface PlantedRow {
  readonly table: number;
  readonly cells: ReadonlyMap<number, SqlValue>;
}

/** Where a row of a witness goes: positions in the file of its table and of that table's columns, -1 where it lacks one. */
export interface PlantPlace {
  readonly table: number;
  readonly columns: readonly number[];
}

/** Cells that are equal, and what is asked of them. */
interface Group {
  readonly cells: Cell[];
  readonly wishes: Wish[];
  readonly above: Group[];
  value: SqlValue | undefined;
  isOpen: boolean;
}

const keyOf = ({ row, column }: Cell): string => `${row}.${column}`;

function groupsOf(witness: Witness): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const open = (cell: Cell): Group => {
    const known = groups.get(keyOf(cell));
    if (known !== undefined) return known;
    const group: Group = { cells: [cell], wishes: [], above: [], value: undefined, isOpen: false };
    groups.set(keyOf(cell), group);
    return group;
  };
  for (const [a, b] of witness.equal) {
    const [into, from] = [open(a), open(b)];
    if (into === from) continue;
    into.cells.push(...from.cells);
    for (const cell of from.cells) groups.set(keyOf(cell), into);
  }
  for (const [cell, wish] of witness.wishes) open(cell).wishes.push(wish);
  for (const [less, more] of witness.less) open(more).above.push(open(less));
  for (const cell of witness.shared) open(cell);
  return groups;
}

/** One after the other plants copies of a witness, in batches that share what the query groups by. */
export class WitnessPlanter {
  readonly rows: PlantedRow[] = [];
  readonly #tables: readonly FuzzTable[];
  readonly #values: WishValues;
  readonly #rng: Rng;

  constructor(tables: readonly FuzzTable[], values: WishValues, rng: Rng) {
    this.#tables = tables;
    this.#values = values;
    this.#rng = rng;
  }

  /** Plants `copies` of a witness; those after the first may join to a row of the one before. */
  plant(witness: Witness, places: readonly PlantPlace[], copies: number): void {
    const shared = new Set(witness.shared.map(keyOf));
    const isSharing = this.#rng.int(2) === 0;
    let before: ReadonlyMap<string, Group> | null = null;
    for (let copy = 0; copy < copies; copy++) {
      const groups = groupsOf(witness);
      for (const [key, group] of before ?? []) {
        const isShared = group.cells.some((cell) => shared.has(keyOf(cell)));
        const isJoined = isSharing && group.cells.length > 1 && this.#rng.int(2) === 0;
        if (isShared || isJoined) groups.get(key)!.value = group.value;
      }
      for (const group of new Set(groups.values())) this.#decide(group, places, shared);
      for (const [row, place] of places.entries()) this.#addRow(row, place, groups);
      before = groups;
    }
  }

  #decide(group: Group, places: readonly PlantPlace[], shared: ReadonlySet<string>): SqlValue | undefined {
    if (group.value !== undefined || group.isOpen) return group.value;
    group.isOpen = true;
    const columns = group.cells.flatMap(({ row, column }) => {
      const place = places[row]!;
      return this.#tables[place.table]?.columns[place.columns[column] ?? -1] ?? [];
    });
    if (columns.length === 0) return undefined;
    const less = group.above.flatMap((other) => this.#decide(other, places, shared) ?? []);
    const above = less.map((value) => ({ kind: 'above', value, strict: true }) as const);
    const isAsked = group.cells.length > 1 || group.cells.some((cell) => shared.has(keyOf(cell)));
    const wishes: Wish[] = [...group.wishes, ...above, ...(isAsked ? [{ kind: 'alone' } as const] : [])];
    const column = columns.find(({ kind }) => kind === 'number') ?? columns[0]!;
    group.value = this.#values.meeting(wishes, column);
    if (group.value === undefined && group.cells.length === 1) {
      // Another cell is to be above it.
      group.value = this.#values.fresh(column);
    }
    return group.value;
  }

  #addRow(row: number, { table, columns }: PlantPlace, groups: ReadonlyMap<string, Group>): void {
    if (table < 0) return;
    const cells = new Map<number, SqlValue>();
    for (const [column, position] of columns.entries()) {
      const value = groups.get(keyOf({ row, column }))?.value;
      const { isGenerated, isNullable } = this.#tables[table]!.columns[position] ?? {
        isGenerated: true,
        isNullable: false,
      };
      if (value === undefined || isGenerated || (value === null && !isNullable)) continue;
      cells.set(position, value);
    }
    this.rows.push({ table, cells });
  }
}

/** The rows, after those that they must refer to. */
export function withParents(tables: readonly FuzzTable[], rows: readonly PlantedRow[]): readonly PlantedRow[] {
  const all = new Map<string, PlantedRow>();
  let count = 0;
  const add = (row: PlantedRow, key: string): void => {
    if (all.has(key)) return;
    all.set(key, row);
    for (const { columns, parent, parentColumns } of tables[row.table]!.foreignKeys) {
      const values = columns.map((column) => row.cells.get(column));
      if (values.some((value) => value == null)) continue;
      const cells = new Map(parentColumns.map((column, part) => [column, values[part]!]));
      add(
        { table: parent, cells },
        `${parent} ${[...cells].map(([column, value]) => `${column} ${String(value)}`).join('\0')}`,
      );
    }
  };
  for (const row of rows) add(row, `row ${count++}`);
  return [...all.values()];
}

/** Draws one of some sizes, or of one more or less. */
export function sizeNear(sizes: readonly number[], most: number, rng: Rng): number {
  return Math.max(0, Math.min(most, pick(sizes, rng) + rng.int(3) - 1));
}

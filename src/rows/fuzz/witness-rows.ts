import { getOrMake, itemAt, zip } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import type { Cell, ConstraintValues, ValueConstraint, Witness } from './value-constraints.js';
import type { FuzzTable } from './fuzz-table.js';

/** A row that a database is to have: some of its cells by position; the others are drawn. */
export interface WitnessRow {
  readonly table: number;
  readonly cells: ReadonlyMap<number, SqlValue>;
}

/** Where a row of a witness goes: positions in the file of its table and of that table's columns, -1 where it lacks one. */
export interface RowPlace {
  readonly table: number;
  readonly columns: readonly number[];
}

/** Cells that are equal, and what is asked of them. */
interface Group {
  readonly cells: Cell[];
  readonly constraints: ValueConstraint[];
  readonly above: Group[];
  value: SqlValue | undefined;
  isOpen: boolean;
}

const keyOf = ({ row, column }: Cell): string => `${row}.${column}`;

function openGroup(groups: Map<string, Group>, cell: Cell): Group {
  return getOrMake(groups, keyOf(cell), () => {
    return { cells: [cell], constraints: [], above: [], value: undefined, isOpen: false };
  });
}

function groupsOf(witness: Witness): Map<string, Group> {
  const groups = new Map<string, Group>();
  const open = (cell: Cell): Group => openGroup(groups, cell);
  for (const [a, b] of witness.equal) {
    const [into, from] = [open(a), open(b)];
    if (into === from) continue;
    into.cells.push(...from.cells);
    for (const cell of from.cells) groups.set(keyOf(cell), into);
  }
  for (const [cell, constraint] of witness.constraints) open(cell).constraints.push(constraint);
  for (const [less, more] of witness.less) open(more).above.push(open(less));
  for (const cell of witness.shared) open(cell);
  return groups;
}

/** Rows of copies of witnesses, in batches that share what the query groups by. */
export class WitnessRows {
  readonly rows: WitnessRow[] = [];
  readonly #tables: readonly FuzzTable[];
  readonly #values: ConstraintValues;
  readonly #rng: Rng;

  constructor(tables: readonly FuzzTable[], values: ConstraintValues, rng: Rng) {
    this.#tables = tables;
    this.#values = values;
    this.#rng = rng;
  }

  /**
   * Adds `copies` of a witness; those after the first may join to a row of the one before. Without `hasBare`, rows of
   * which nothing is asked are left out, unless there are no others. Where a copy `repeats`, it shows the same result as
   * the one before: DISTINCT tells them, and columns that a group shows without grouping by them have one value.
   */
  add(
    witness: Witness,
    places: readonly RowPlace[],
    { copies, hasBare, repeats }: { readonly copies: number; readonly hasBare: boolean; readonly repeats: boolean },
  ): void {
    const isAllBare =
      witness.constraints.length + witness.equal.length + witness.less.length + witness.shared.length === 0;
    const isBare = hasBare || isAllBare;
    const shared = new Set([...witness.shared, ...(repeats ? witness.results : [])].map(keyOf));
    const isSharing = this.#rng.int(2) === 0;
    let before: ReadonlyMap<string, Group> | null = null;
    for (let copy = 0; copy < copies; copy++) {
      const groups = groupsOf(witness);
      if (repeats) for (const cell of witness.results) openGroup(groups, cell);
      for (const [key, group] of before ?? []) {
        const isShared = group.cells.some((cell) => shared.has(keyOf(cell)));
        const isJoined = isSharing && group.cells.length > 1 && this.#rng.int(2) === 0;
        const again = groups.get(key);
        if (again !== undefined && (isShared || isJoined)) again.value = group.value;
      }
      for (const group of new Set(groups.values())) this.#decide(group, places, shared);
      for (const [row, place] of places.entries()) this.#addRow(row, place, groups, isBare);
      before = groups;
    }
  }

  #decide(group: Group, places: readonly RowPlace[], shared: ReadonlySet<string>): SqlValue | undefined {
    if (group.value !== undefined || group.isOpen) return group.value;
    group.isOpen = true;
    const columns = group.cells.flatMap(({ row, column }) => {
      const place = itemAt(places, row);
      return this.#tables[place.table]?.columns[place.columns[column] ?? -1] ?? [];
    });
    const [first] = columns;
    if (first === undefined) return undefined;
    const less = group.above.flatMap((other) => this.#decide(other, places, shared) ?? []);
    const above = less.map((value) => ({ kind: 'above', value, strict: true }) as const);
    const isAsked = group.cells.length > 1 || group.cells.some((cell) => shared.has(keyOf(cell)));
    const constraints: ValueConstraint[] = [
      ...group.constraints,
      ...above,
      ...(isAsked ? [{ kind: 'alone' } as const] : []),
    ];
    const column = columns.find(({ kind }) => kind === 'number') ?? first;
    group.value = this.#values.meeting(constraints, column);
    if (group.value === undefined && group.cells.length === 1) {
      // Another cell is to be above it.
      group.value = this.#values.fresh(column);
    }
    return group.value;
  }

  #addRow(row: number, { table, columns }: RowPlace, groups: ReadonlyMap<string, Group>, isBare: boolean): void {
    const cells = new Map<number, SqlValue>();
    for (const [column, position] of columns.entries()) {
      const value = groups.get(keyOf({ row, column }))?.value;
      if (value !== undefined && position >= 0) cells.set(position, value);
    }
    if (table >= 0 && (cells.size > 0 || isBare)) this.rows.push({ table, cells });
  }
}

/** The rows and, after them, those that they must refer to; of two with one key the first is what a table takes. */
export function withParents(tables: readonly FuzzTable[], rows: readonly WitnessRow[]): readonly WitnessRow[] {
  const all = [...rows];
  const known = new Set<string>();
  for (const { table, cells } of all) {
    for (const { columns, parent, parentColumns } of itemAt(tables, table).foreignKeys) {
      const values = columns.map((column) => cells.get(column) ?? null);
      const key = `${parent} ${parentColumns.join()} ${values.map(String).join('\0')}`;
      if (values.includes(null) || known.has(key)) continue;
      known.add(key);
      all.push({
        table: parent,
        cells: new Map(zip(parentColumns, values)),
      });
    }
  }
  return all;
}

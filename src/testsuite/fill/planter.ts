import { pick } from '../../run/seeded-rng.js';
import type { Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { Rng } from '../../stage.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Catalog, CatalogColumn } from './table-catalog.js';
import type { PlannedRows } from './planned-rows.js';
import type { CellValues } from './cell-values.js';
import type { Cell, Wish, Witness } from './wishes.js';

/** Cells that are equal, and what is asked of them. */
interface Group {
  readonly cells: Cell[];
  readonly wishes: Wish[];
  /** Groups whose value is to be less. */
  readonly above: Group[];
  value: SqlValue | undefined;
  busy: boolean;
}

const keyOf = ({ row, column }: Cell): string => `${row}.${column}`;

/** One copy of a witness on its way into the rows of a database. */
class Plant {
  readonly #witness: Witness;
  readonly #groups = new Map<string, Group>();

  constructor(witness: Witness) {
    this.#witness = witness;
    const mentioned = [...witness.equal.flat(), ...witness.less.flat(), ...witness.shared];
    for (const cell of [...mentioned, ...witness.wishes.map(([cell]) => cell)]) this.#open(cell);
    for (const [a, b] of witness.equal) this.#join(a, b);
    for (const [cell, wish] of witness.wishes) this.group(cell).wishes.push(wish);
    for (const [less, more] of witness.less) this.group(more).above.push(this.group(less));
  }

  /** The groups, each once. */
  groups(): readonly Group[] {
    return [...new Set(this.#groups.values())];
  }

  group(cell: Cell): Group {
    return this.#groups.get(keyOf(cell))!;
  }

  /** What is known of a row's cells. */
  cellsOf(row: number): ReadonlyMap<number, Group> {
    const known = new Map<number, Group>();
    for (const group of this.groups()) {
      for (const cell of group.cells) if (cell.row === row) known.set(cell.column, group);
    }
    return known;
  }

  get witness(): Witness {
    return this.#witness;
  }

  #open(cell: Cell): void {
    if (this.#groups.has(keyOf(cell))) return;
    this.#groups.set(keyOf(cell), { cells: [cell], wishes: [], above: [], value: undefined, busy: false });
  }

  #join(a: Cell, b: Cell): void {
    const [into, from] = [this.group(a), this.group(b)];
    if (into === from) return;
    into.cells.push(...from.cells);
    for (const cell of from.cells) this.#groups.set(keyOf(cell), into);
  }
}

/** Puts witnesses into the rows that a database is to get. */
export class Planter {
  readonly #catalog: Catalog;
  readonly #rows: PlannedRows;
  readonly #values: CellValues;
  readonly #rng: Rng;

  constructor(catalog: Catalog, rows: PlannedRows, values: CellValues, rng: Rng) {
    this.#catalog = catalog;
    this.#rows = rows;
    this.#values = values;
    this.#rng = rng;
  }

  /** Plants one copy; `shared` carries the values that all copies have in common from one to the next. */
  plant(witness: Witness, database: Database, shared: Map<string, SqlValue>): void {
    const plant = new Plant(witness);
    const tables = witness.rows.map((table) => this.#catalog.find(database.tables[table]!.originalName));
    const columns = witness.rows.map((table, row) => this.#columnsOf(database, table, tables[row]!));
    const place: Place = { tables, columns };
    for (const [a, b] of witness.equal) this.#link(a, b, place);
    for (const cell of witness.shared) {
      const value = shared.get(keyOf(cell));
      if (value !== undefined) plant.group(cell).value = value;
      else if (witness.exact) plant.group(cell).wishes.push({ kind: 'alone' });
    }
    this.#takeExisting(plant, place);
    for (const group of plant.groups()) this.#decide(group, place);
    for (const cell of witness.shared) shared.set(keyOf(cell), plant.group(cell).value ?? null);
    for (const row of witness.rows.keys()) this.#addRow(plant, row, place);
  }

  #link(a: Cell, b: Cell, { tables, columns }: Place): void {
    const [own, theirs] = [a, b].map(({ row, column }) => [tables[row]!, columns[row]![column]!] as const);
    if ([...own!, ...theirs!].some((position) => position < 0)) return;
    this.#rows.link(...own!, ...theirs!);
    this.#rows.link(...theirs!, ...own!);
  }

  #columnsOf(database: Database, table: number, position: number): readonly number[] {
    const columns = this.#catalog.tables[position]?.columns ?? [];
    return database.tables[table]!.columns.map(({ originalName }) =>
      columns.findIndex(({ name }) => foldName(name) === foldName(originalName)),
    );
  }

  /** Rows of tables that are not filled are taken as they are: one that meets the constants, where there is one. */
  #takeExisting(plant: Plant, { tables, columns }: Place): void {
    for (const [row, table] of tables.entries()) {
      if (table < 0 || this.#rows.isFilled(table)) continue;
      const asked = [...plant.cellsOf(row)];
      const meets = (cells: readonly (SqlValue | undefined)[]): boolean =>
        asked.every(([column, group]) => {
          const cell = cells[columns[row]![column]!];
          if (group.value !== undefined) return String(cell) === String(group.value);
          return group.wishes.every(
            (wish) => wish.kind !== 'one-of' || wish.values.some((v) => String(v) === String(cell)),
          );
        });
      const found = this.#rows.rowsOf(table).filter(({ cells }) => meets(cells));
      if (found.length === 0) continue;
      const { cells } = pick(found, this.#rng);
      for (const [column, group] of asked) group.value = cells[columns[row]![column]!];
    }
  }

  #decide(group: Group, place: Place): SqlValue | undefined {
    if (group.value !== undefined || group.busy) return group.value;
    group.busy = true;
    const columns = group.cells.flatMap((cell) => this.#columnAt(cell, place) ?? []);
    if (columns.length === 0) return undefined;
    const less = group.above.flatMap((other) => this.#decide(other, place) ?? []);
    const wishes: Wish[] = [...group.wishes, ...less.map((value) => ({ kind: 'above', value, strict: true }) as const)];
    // Rows that meet only through a value of their own can't get into the way of others.
    if (group.cells.length > 1) wishes.push({ kind: 'alone' });
    group.value = this.#values.meeting(wishes, columns);
    this.#suggest(group, place);
    return group.value;
  }

  #suggest(group: Group, { tables, columns }: Place): void {
    const constants = group.wishes.flatMap((wish) => (wish.kind === 'one-of' ? wish.values : []));
    for (const { row, column } of group.cells) {
      const [table, position] = [tables[row]!, columns[row]![column]!];
      if (table >= 0 && position >= 0) for (const value of constants) this.#rows.suggest(table, position, value);
    }
  }

  #columnAt({ row, column }: Cell, { tables, columns }: Place): CatalogColumn | undefined {
    return this.#catalog.tables[tables[row]!]?.columns[columns[row]![column]!];
  }

  #addRow(plant: Plant, row: number, { tables, columns }: Place): void {
    const known = plant.cellsOf(row);
    const table = tables[row]!;
    if (known.size === 0 || table < 0) return;
    const cells = new Map<number, SqlValue>();
    for (const [column, { value }] of known) {
      const position = columns[row]![column]!;
      if (value !== undefined && position >= 0) cells.set(position, value);
    }
    const reserved = [...known.values()].some(({ wishes }) => wishes.some(({ kind }) => kind === 'alone'));
    this.#rows.add(table, cells, reserved);
  }
}

interface Place {
  /** Position in the catalog of each row's table; -1 where the file lacks it. */
  readonly tables: readonly number[];
  /** Per row, the position in the file of each column of the schema's table. */
  readonly columns: readonly (readonly number[])[];
}

import { pick, shuffled } from '../../run/seeded-rng.js';
import type { Rng } from '../../stage.js';
import { storedValue } from '../../perturb/database/values/declared-types.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Catalog, CatalogKey, CatalogTable } from './table-catalog.js';
import { sameCell, type CellValues } from './cell-values.js';

/** A row in the making; cells that nothing asks for are undefined until the end. */
export interface PlannedRow {
  readonly cells: (SqlValue | undefined)[];
  /** Whether no other row may come to refer to it: a query looks for just that. */
  reserved: boolean;
}

/** Rows of a table that nothing else asks for, at least and at most; between, one for each row that it refers to. */
const LEAST_ROWS = 20;
const MOST_ROWS = 60;
const TRIES = 30;

/** Tables after those that they refer to, as far as there is no cycle. */
function parentsFirst(count: number, keysOf: (table: number) => readonly CatalogKey[]): readonly number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  const visit = (table: number): void => {
    if (seen.has(table)) return;
    seen.add(table);
    for (const { parent } of keysOf(table)) visit(parent);
    order.push(table);
  };
  for (let table = 0; table < count; table++) visit(table);
  return order;
}

/** The rows that empty tables get: first those that queries ask for, then more, until every cell has its value. */
export class PlannedRows {
  readonly #tables: readonly CatalogTable[];
  readonly #rows: PlannedRow[][];
  /** Values that queries compare a column with, by table and column. */
  readonly #pools = new Map<string, SqlValue[]>();
  /** Columns that queries join with the key of another table, without a foreign key: by table. */
  readonly #links: readonly CatalogKey[][];
  readonly #values: CellValues;
  readonly #rng: Rng;
  readonly #done = new Set<number>();

  constructor(catalog: Catalog, values: CellValues, rng: Rng) {
    this.#tables = catalog.tables;
    this.#rows = catalog.tables.map(({ rows }) => rows.map((cells) => ({ cells: [...cells], reserved: false })));
    this.#links = catalog.tables.map(() => []);
    this.#values = values;
    this.#rng = rng;
  }

  isFilled(table: number): boolean {
    return this.#tables[table]!.rows.length === 0;
  }

  rowsOf(table: number): readonly PlannedRow[] {
    return this.#rows[table]!;
  }

  /** Lets a column hold a value that queries ask for, here and there. */
  suggest(table: number, column: number, value: SqlValue): void {
    const key = `${table}.${column}`;
    const pool = this.#pools.get(key) ?? [];
    if (value !== null && !pool.some((other) => sameCell(other, value))) this.#pools.set(key, [...pool, value]);
  }

  /** Lets a column hold values of another table's key that queries join it with, where no foreign key says so. */
  link(table: number, column: number, parent: number, parentColumn: number): void {
    const isKey = ({ uniques }: CatalogTable, position: number): boolean =>
      uniques.some((unique) => unique.length === 1 && unique[0] === position);
    const [own, theirs] = [this.#tables[table]!, this.#tables[parent]!];
    if (table === parent || isKey(own, column) || !isKey(theirs, parentColumn)) return;
    if (this.#keysOf(table).some(({ columns }) => columns.includes(column))) return;
    this.#links[table]!.push({ columns: [column], parent, parentColumns: [parentColumn] });
  }

  /**
   * A row with certain cells, and those that it refers to: a new one, or one with the same key that takes the cells;
   * null where its key is taken by a row with other ones, or the table can't hold them.
   */
  add(table: number, cells: ReadonlyMap<number, SqlValue>, reserved: boolean): PlannedRow | null {
    const stored = this.#stored(table, cells);
    if (stored === null) return null;
    if (!this.isFilled(table)) return this.#find(table, stored) ?? null;
    const twin = this.#twin(table, stored);
    if (twin !== undefined && !fitsInto(twin, stored)) return null;
    const row = twin ?? { cells: this.#tables[table]!.columns.map(() => undefined), reserved: false };
    for (const [column, value] of stored) row.cells[column] = value;
    row.reserved ||= reserved;
    if (twin === undefined) this.#rows[table]!.push(row);
    for (const key of this.#tables[table]!.foreignKeys) this.#refer(table, row, key);
    return row;
  }

  /** Gives each empty table more rows and every cell a value; rows whose keys can't be made unique are dropped. */
  complete(): void {
    for (const table of parentsFirst(this.#tables.length, (position) => this.#keysOf(position))) {
      if (this.isFilled(table)) this.#completeTable(table);
      this.#done.add(table);
    }
  }

  #stored(table: number, cells: ReadonlyMap<number, SqlValue>): ReadonlyMap<number, SqlValue> | null {
    const { columns, uniques, strict } = this.#tables[table]!;
    const stored = new Map<number, SqlValue>();
    for (const [column, value] of cells) {
      const { declaredType, generated } = columns[column]!;
      if (generated) continue;
      const kept = storedValue(value, declaredType, strict);
      const isKey = uniques.some((unique) => unique.length === 1 && unique[0] === column);
      if (isKey && declaredType.toUpperCase() === 'INTEGER' && typeof kept !== 'bigint') return null;
      stored.set(column, kept);
    }
    return stored;
  }

  #find(table: number, cells: ReadonlyMap<number, SqlValue>): PlannedRow | undefined {
    return this.#rows[table]!.find((row) => [...cells].every(([column, value]) => sameCell(row.cells[column], value)));
  }

  #twin(table: number, cells: ReadonlyMap<number, SqlValue>): PlannedRow | undefined {
    for (const unique of this.#tables[table]!.uniques) {
      if (!unique.every((column) => cells.get(column) != null)) continue;
      const twin = this.#rows[table]!.find((row) =>
        unique.every((column) => sameCell(row.cells[column], cells.get(column))),
      );
      if (twin !== undefined) return twin;
    }
    return undefined;
  }

  /** Sees to it that the row that a row refers to exists; where it can't, the row refers to any other. */
  #refer(table: number, row: PlannedRow, { columns, parent, parentColumns }: CatalogKey): void {
    const key = new Map(parentColumns.map((column, part) => [column, row.cells[columns[part]!]]));
    if ([...key.values()].some((value) => value == null)) return;
    const cells = key as ReadonlyMap<number, SqlValue>;
    if (this.#find(parent, cells) !== undefined || this.add(parent, cells, false) !== null) return;
    const own = new Set(this.#tables[table]!.uniques.flat());
    for (const column of columns) if (!own.has(column)) row.cells[column] = undefined;
  }

  #keysOf(table: number): readonly CatalogKey[] {
    return [...this.#tables[table]!.foreignKeys, ...this.#links[table]!];
  }

  /** Rows of a table that refer to those which queries for the most and the least find, then to one after the other. */
  #moreRows(table: number): readonly PlannedRow[] {
    const [key] = this.#keysOf(table);
    const parents = key === undefined ? [] : this.#referable(table, key);
    const wanted = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, parents.length));
    const referring = (to: CatalogKey | undefined, parent: PlannedRow | undefined): PlannedRow => {
      const row: PlannedRow = { cells: this.#tables[table]!.columns.map(() => undefined), reserved: false };
      if (to !== undefined && parent !== undefined) copyKey(row.cells, to, parent);
      return row;
    };
    const first = this.#keysOf(table).flatMap((to) =>
      extremesOf(this.#referable(table, to)).map((parent) => referring(to, parent)),
    );
    return [...first, ...Array.from({ length: wanted }, (_, i) => referring(key, parents[i % parents.length]))];
  }

  #completeTable(table: number): void {
    const asked = this.#rows[table]!;
    const more = this.#moreRows(table);
    const taken = new Set<string>();
    this.#rows[table] = [];
    for (const row of [...asked, ...more]) {
      const full = this.#completeRow(table, row, taken);
      if (full !== null) this.#rows[table].push({ cells: full, reserved: row.reserved });
    }
  }

  #completeRow(table: number, row: PlannedRow, taken: Set<string>): SqlValue[] | null {
    for (let i = 0; i < TRIES; i++) {
      const cells = this.#drawCells(table, row);
      const keys = this.#tables[table]!.uniques.flatMap((unique, at) => {
        const values = unique.map((column) => cells[column] ?? null);
        return values.includes(null) ? [] : [`${at}: ${values.map(String).join('\0')}`];
      });
      if (keys.some((key) => taken.has(key))) continue;
      for (const key of keys) taken.add(key);
      return cells;
    }
    return null;
  }

  #drawCells(table: number, row: PlannedRow): SqlValue[] {
    const cells = [...row.cells];
    for (const key of this.#keysOf(table)) this.#drawReference(table, cells, key);
    return cells.map((cell, column) => (cell === undefined ? this.#drawCell(table, column) : cell));
  }

  #drawReference(table: number, cells: (SqlValue | undefined)[], key: CatalogKey): void {
    if (key.columns.every((column) => cells[column] !== undefined)) return;
    const fits = (parent: PlannedRow): boolean =>
      key.columns.every((column, part) => {
        const cell = cells[column];
        return cell === undefined || sameCell(cell, parent.cells[key.parentColumns[part]!]);
      });
    const parents = this.#referable(table, key).filter(fits);
    if (parents.length > 0) copyKey(cells, key, pick(parents, this.#rng));
    else {
      const free = key.columns.filter((column) => cells[column] === undefined);
      for (const column of free) if (!this.#tables[table]!.columns[column]!.notNull) cells[column] = null;
    }
  }

  /** Rows that can be referred to: complete ones that are not to be left alone. */
  #referable(table: number, { parent, parentColumns }: CatalogKey): readonly PlannedRow[] {
    if (parent !== table && !this.#done.has(parent)) return [];
    return this.#rows[parent]!.filter(
      ({ cells, reserved }) => !reserved && parentColumns.every((column) => cells[column] != null),
    );
  }

  #drawCell(table: number, column: number): SqlValue {
    const { columns, uniques, strict } = this.#tables[table]!;
    const about = columns[column]!;
    if (uniques.some((unique) => unique.length === 1 && unique[0] === column)) return this.#values.alone(about);
    const pool = this.#pools.get(`${table}.${column}`);
    if (pool === undefined || this.#rng.int(2) === 0) return this.#values.usual(about);
    return storedValue(shuffled(pool, this.#rng)[0]!, about.declaredType, strict);
  }
}

function isLess(a: SqlValue | undefined, b: SqlValue | undefined): boolean {
  return typeof a === 'string' || typeof b === 'string' ? String(a) < String(b) : Number(a) < Number(b);
}

/** The rows that hold the most and the least of some column. */
function extremesOf(rows: readonly PlannedRow[]): readonly PlannedRow[] {
  const [start] = rows;
  if (start === undefined) return [];
  const found = start.cells.flatMap((_, column) => {
    const filled = rows.filter(({ cells }) => cells[column] != null);
    const best = (isBetter: (a: PlannedRow, b: PlannedRow) => boolean): PlannedRow[] =>
      filled.length === 0 ? [] : [filled.reduce((a, b) => (isBetter(b, a) ? b : a))];
    return [
      ...best((a, b) => isLess(a.cells[column], b.cells[column])),
      ...best((a, b) => isLess(b.cells[column], a.cells[column])),
    ];
  });
  return [...new Set(found)];
}

function fitsInto({ cells }: PlannedRow, asked: ReadonlyMap<number, SqlValue>): boolean {
  return [...asked].every(([column, value]) => cells[column] === undefined || sameCell(cells[column], value));
}

function copyKey(cells: (SqlValue | undefined)[], { columns, parentColumns }: CatalogKey, parent: PlannedRow): void {
  columns.forEach((column, part) => (cells[column] ??= parent.cells[parentColumns[part]!]));
}

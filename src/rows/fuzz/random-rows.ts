import { keepsRule } from '../constraints/column-rule.js';
import { storedValue } from '../values/declared-types.js';
import { pick, shuffled } from '../../seeded-rng.js';
import { elementAt } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import type { CatalogKey } from './table-catalog.js';
import { ColumnSource } from './column-source.js';
import type { FuzzTable } from './fuzz-table.js';
import type { WitnessRow } from './witness-rows.js';
import { repairReferences, TakenKeys, type Cells } from './reference-check.js';

/** Rows that the largest tables have at most, as far as no LIMIT asks for more. */
const MOST_ROWS = 160;
const LEAST_ROWS = 2;
/** Combinations of rows that a SELECT's tables have, in most databases. */
const MOST_COMBINED = 1_000_000;
/** One database in so many is larger for all that; still fewer where a SELECT joins more than DEEP tables. */
const SELDOM = 12;
const DEEP = 4;
/** Beyond this many rows no LIMIT or HAVING is followed. */
const MOST_ASKED = 250;
/** Rows that are drawn for one before its place stays empty. */
const TRIES = 8;
/** One row in so many has two cells of the same value. */
const TWINS = 8;

/** Random rows in addition to witness rows: as many as in any random database, few, or none. */
export type Background = 'usual' | 'few' | 'none';
const MOST_FEW = 4;
/** Rows that witness rows refer to, at most. */
const MOST_NEEDED = 60;

const NOTHING_FIXED: WitnessRow['cells'] = new Map();

/** What the rows of one database are drawn from. */
export interface RowPlan {
  readonly tables: readonly FuzzTable[];
  /** Numbers that queries count rows against. */
  readonly sizes: readonly number[];
  /** Tables that one SELECT joins, at most: of so many, a product without its conditions is not to get too large. */
  readonly joined: number;
  readonly witnessRows: readonly WitnessRow[];
  readonly background: Background;
}

/** Keeps the rows that the table itself takes, for what is not modeled here: CHECK, expressions in indexes. */
export type RowFilter = (table: number, rows: readonly Cells[]) => readonly Cells[];

/** Tables after those that they refer to, as far as there is no circle: Test-suite accuracy §4.1. */
function parentsFirst(tables: readonly FuzzTable[]): readonly number[] {
  const order = new Set<number>();
  const open = new Set<number>();
  const visit = (table: number): void => {
    if (open.has(table)) return;
    open.add(table);
    for (const { parent } of [...elementAt(tables, table).foreignKeys, ...elementAt(tables, table).links])
      visit(parent);
    order.add(table);
  };
  for (const table of tables.keys()) visit(table);
  return [...order];
}

/** The cells of a witness’s row as the table stores them, but for those that it would refuse. */
function storedCells({ columns }: FuzzTable, { cells }: WitnessRow): WitnessRow['cells'] {
  const stored = [...cells].flatMap(([position, cell]) => {
    const { declaredType, isStrict, isInteger, isNullable, isGenerated, rule } = elementAt(columns, position);
    const value = storedValue(cell, declaredType, isStrict);
    const isUnruly = rule !== null && !keepsRule(rule, value);
    const isRefused =
      isGenerated || isUnruly || (value === null ? !isNullable : isInteger && typeof value !== 'bigint');
    return isRefused ? [] : [[position, value] as const];
  });
  return new Map(stored);
}

/** By table, how many rows others must refer to: to one each, where the reference is a key. */
function neededRows(tables: readonly FuzzTable[], witnessRows: readonly WitnessRow[]): readonly number[] {
  const counts = tables.map((_, table) => witnessRows.filter((row) => row.table === table).length);
  const needed = tables.map(() => 0);
  for (const table of [...parentsFirst(tables)].reverse()) {
    const count = Math.max(elementAt(counts, table), elementAt(needed, table));
    for (const { columns, parent } of count === 0 ? [] : elementAt(tables, table).foreignKeys) {
      const isFree = columns.some((column) => elementAt(elementAt(tables, table).columns, column).isNullable);
      if (!isFree && parent !== table)
        needed[parent] = Math.max(elementAt(needed, parent), Math.min(count + 1, MOST_NEEDED));
    }
  }
  return needed;
}

/** The rows of one random database. */
class RowDrawer {
  readonly rows: Cells[][];
  readonly #tables: readonly FuzzTable[];
  readonly #sizes: readonly number[];
  readonly #rng: Rng;
  readonly #scale: number;
  /** Whether tables may have as many rows as queries count. */
  readonly #isAsked: boolean;
  readonly #done = new Set<number>();
  readonly #witnessRows: readonly WitnessRow[];
  readonly #background: Background;
  /** By table, rows without which witness rows of other tables would have none to refer to. */
  readonly #needed: readonly number[];
  /** By table, columns whose values are taken from another's. */
  readonly #referring: readonly ReadonlySet<number>[];
  /** Of each witness row, the cells. */
  readonly #fixed = new Map<Cells, WitnessRow['cells']>();

  constructor({ tables, sizes, joined, witnessRows, background }: RowPlan, rng: Rng) {
    this.#tables = tables;
    this.rows = tables.map(() => []);
    this.#sizes = sizes;
    this.#rng = rng;
    this.#witnessRows = witnessRows;
    this.#background = background;
    this.#needed = neededRows(tables, witnessRows);
    this.#referring = tables.map(({ foreignKeys, links }) => {
      return new Set([...foreignKeys, ...links].flatMap(({ columns }) => columns));
    });
    const seldom = joined > DEEP ? 4 * SELDOM : SELDOM;
    const most = rng.int(seldom) === 0 ? MOST_ROWS : Math.min(MOST_ROWS, MOST_COMBINED ** (1 / Math.max(1, joined)));
    this.#scale = LEAST_ROWS * (most / LEAST_ROWS) ** rng.next();
    this.#isAsked = sizes.length > 0 && (most === MOST_ROWS || rng.int(seldom) === 0);
  }

  fill(table: number, filter: RowFilter): void {
    const witnessRows = this.#witnessRows.filter((row) => row.table === table);
    const least = Math.max(elementAt(this.#needed, table), Number(elementAt(this.#tables, table).isFilled));
    const size = Math.max(0, Math.max(this.#drawSize(), least) - witnessRows.length);
    const sources = elementAt(this.#tables, table).columns.map(
      (column) => new ColumnSource(column, size + witnessRows.length, this.#rng),
    );
    const taken = new TakenKeys(elementAt(this.#tables, table));
    const rows: Cells[] = [];
    for (const cells of witnessRows.map((row) => storedCells(elementAt(this.#tables, table), row))) {
      const row = this.#drawRow(table, sources, taken, cells);
      if (row === null) continue;
      this.#fixed.set(row, cells);
      rows.push(row);
    }
    for (let i = 0; i < size; i++) {
      const cells = this.#drawRow(table, sources, taken);
      if (cells !== null) rows.push(cells);
    }
    this.rows[table] = [...filter(table, rows)];
    this.#done.add(table);
  }

  /** Fills the references that had to wait: to the table itself, and around circles. */
  referBack(table: number, order: readonly number[]): void {
    const { foreignKeys, uniques } = elementAt(this.#tables, table);
    const at = order.indexOf(table);
    const waiting = foreignKeys.filter(({ parent }) => order.indexOf(parent) >= at);
    if (waiting.length === 0) return;
    for (const key of waiting) {
      const free = key.columns.every((column) => this.#isFree(table, column, key));
      if (free && uniques.some((unique) => unique.some((column) => key.columns.includes(column)))) {
        this.#referOnce(table, key);
      } else if (free) this.#referAny(table, key);
    }
    const taken = new TakenKeys(elementAt(this.#tables, table));
    this.rows[table] = elementAt(this.rows, table).filter((cells) => taken.take(cells) === null);
  }

  #drawSize(): number {
    if (this.#background === 'none') return 0;
    if (this.#background === 'few') return this.#rng.int(MOST_FEW + 1);
    if (this.#isAsked && this.#rng.int(3) === 0) {
      return Math.max(1, Math.min(MOST_ASKED, pick(this.#sizes, this.#rng) + this.#rng.int(3) - 1));
    }
    return 1 + Math.round(this.#scale * (0.25 + 0.75 * this.#rng.next()));
  }

  #drawRow(
    table: number,
    sources: readonly ColumnSource[],
    taken: TakenKeys,
    fixed: WitnessRow['cells'] = NOTHING_FIXED,
  ): Cells | null {
    let cells = this.#drawCells(table, sources, fixed);
    for (let tries = 1; cells !== null; tries++) {
      const clash = taken.take(cells);
      if (clash === null) return cells;
      if (tries === TRIES || clash.every((column) => fixed.has(column))) return null;
      if (clash.some((column) => elementAt(this.#referring, table).has(column)))
        cells = this.#drawCells(table, sources, fixed);
      else for (const column of clash) if (!fixed.has(column)) cells[column] = elementAt(sources, column).draw();
    }
    return null;
  }

  /** The cells of a row that may clash with others; null where it must refer to one and can't. */
  #drawCells(table: number, sources: readonly ColumnSource[], fixed: WitnessRow['cells']): Cells | null {
    const { columns, foreignKeys, links } = elementAt(this.#tables, table);
    const drawn: (SqlValue | undefined)[] = columns.map(({ isGenerated }, c) => (isGenerated ? null : fixed.get(c)));
    for (const key of foreignKeys) if (!this.#refer(table, drawn, key)) return null;
    for (const link of links) if (this.#rng.next() < link.share) this.#follow(table, drawn, link);
    const cells = drawn.map((value, column) => (value === undefined ? elementAt(sources, column).draw() : value));
    if (this.#rng.int(TWINS) === 0) this.#copyCell(table, cells, drawn);
    return cells;
  }

  /** Gives a drawn cell the value of another one of its kind, as where two things happened on one day. */
  #copyCell(table: number, cells: Cells, drawn: readonly (SqlValue | undefined)[]): void {
    const { columns } = elementAt(this.#tables, table);
    const free = [...drawn.keys()].filter((column) => drawn[column] === undefined);
    if (free.length < 2) return;
    const [from, to] = [pick(free, this.#rng), pick(free, this.#rng)];
    const [source, target] = [elementAt(columns, from), elementAt(columns, to)];
    const value = storedValue(cells[from] ?? null, target.declaredType, target.isStrict);
    const isFit = source.kind === target.kind && value !== null && !target.isUnique && !target.isInteger;
    if (isFit && (target.rule === null || keepsRule(target.rule, value))) cells[to] = value;
  }

  /** Takes a value from another table's column, if it is one that the own column may hold. */
  #follow(table: number, cells: (SqlValue | undefined)[], link: CatalogKey): void {
    const before = link.columns.map((column) => cells[column]);
    this.#refer(table, cells, link);
    for (const [part, column] of link.columns.entries()) {
      const { rule } = elementAt(elementAt(this.#tables, table).columns, column);
      if (rule !== null && !keepsRule(rule, cells[column] ?? null)) cells[column] = before[part];
    }
  }

  /** Lets a row refer to any row of a table that is complete, or to nothing; false where it must and can't. */
  #refer(table: number, cells: (SqlValue | undefined)[], key: CatalogKey): boolean {
    if (!this.#done.has(key.parent)) return true;
    const { columns } = elementAt(this.#tables, table);
    const nullable = key.columns.find((column) => elementAt(columns, column).isNullable && cells[column] === undefined);
    const parents = this.#fitting(cells, key);
    if (parents.length === 0 || (nullable !== undefined && this.#rng.int(16) === 0)) {
      if (nullable !== undefined) cells[nullable] = null;
      return nullable !== undefined;
    }
    this.#copyKey(table, cells, key, pick(parents, this.#rng));
    return true;
  }

  /** Rows that a row can refer to with what it holds already. */
  #fitting(cells: readonly (SqlValue | undefined)[], key: CatalogKey): readonly Cells[] {
    const parents = elementAt(this.rows, key.parent);
    const fixed = [...key.columns.entries()].filter(([, column]) => cells[column] !== undefined);
    if (fixed.length === 0) return parents;
    const texts = fixed.map(([part, column]) => [elementAt(key.parentColumns, part), String(cells[column])] as const);
    return parents.filter((parent) => texts.every(([column, text]) => String(parent[column]) === text));
  }

  #copyKey(table: number, cells: (SqlValue | undefined)[], key: CatalogKey, parent: Cells): void {
    for (const [part, column] of key.columns.entries()) {
      const { declaredType, isStrict, isNullable } = elementAt(elementAt(this.#tables, table).columns, column);
      const value = parent[elementAt(key.parentColumns, part)] ?? null;
      // A parent's null in a column that has none here: the row's own value, for the repair to judge.
      if (value !== null || isNullable) cells[column] = storedValue(value, declaredType, isStrict);
    }
  }

  /** Whether a reference may set a column: no key that another row refers to, nor part of another reference. */
  #isFree(table: number, column: number, key: CatalogKey): boolean {
    const { columns, foreignKeys } = elementAt(this.#tables, table);
    const others = foreignKeys.filter((other) => other !== key).flatMap((other) => other.columns);
    const referred = this.#tables
      .flatMap((other) => other.foreignKeys)
      .filter(({ parent }) => parent === table)
      .flatMap(({ parentColumns }) => parentColumns);
    return !elementAt(columns, column).isGenerated && !others.includes(column) && !referred.includes(column);
  }

  #referAny(table: number, key: CatalogKey): void {
    const parents = elementAt(this.rows, key.parent);
    const nullable = key.columns.find((column) => elementAt(elementAt(this.#tables, table).columns, column).isNullable);
    for (const cells of elementAt(this.rows, table)) {
      const fixed = this.#fixed.get(cells);
      if (fixed !== undefined && key.columns.every((column) => fixed.has(column))) continue;
      if (nullable !== undefined && this.#rng.int(5) === 0) cells[nullable] = null;
      else if (parents.length > 0) this.#copyKey(table, cells, key, pick(parents, this.#rng));
    }
  }

  #referOnce(table: number, key: CatalogKey): void {
    const parents = shuffled(elementAt(this.rows, key.parent), this.#rng);
    this.rows[table] = elementAt(this.rows, table).slice(0, parents.length);
    for (const [i, cells] of this.rows[table].entries()) this.#copyKey(table, cells, key, elementAt(parents, i));
  }
}

/** The rows that are left when references hold and each table takes its own. */
function settled(tables: readonly FuzzTable[], rows: Cells[][], filter: RowFilter): readonly Cells[][] {
  repairReferences(tables, rows);
  const accepted = rows.map((own, table) => [...filter(table, own)]);
  return accepted.every((own, table) => own.length === elementAt(rows, table).length)
    ? rows
    : settled(tables, accepted, filter);
}

/**
 * The rows of one random database, by table: sizes from small to large, each table after those that it refers to,
 * references to rows that exist, keys unique; witness rows come first, as far as keys allow. Test-suite accuracy §4.1.
 */
export function randomRows(plan: RowPlan, rng: Rng, filter: RowFilter): readonly Cells[][] {
  const { tables } = plan;
  const order = parentsFirst(tables);
  const drawer = new RowDrawer(plan, rng);
  for (const table of order) drawer.fill(table, filter);
  for (const table of order) drawer.referBack(table, order);
  return settled(tables, drawer.rows, filter);
}

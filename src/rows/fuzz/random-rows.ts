import { keepsRule } from '../constraints/column-rule.js';
import { storedValue } from '../values/declared-types.js';
import { pick, shuffled } from '../../seeded-rng.js';
import { itemAt, zip } from '../../present.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';
import { ColumnSource } from './column-source.js';
import { type Cells, type DrawnKey, type DrawnTable, drawnTables, type FuzzTable, type KeyPair } from './fuzz-table.js';
import type { WitnessRow } from './witness-rows.js';
import { dropTaken, repairReferences, TakenKeys } from './reference-check.js';

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

/** The plan that the rows of one database are drawn from. */
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
export type RowFilter = (table: FuzzTable, rows: readonly Cells[]) => readonly Cells[];

const columnsOf = ({ pairs }: DrawnKey): readonly number[] => pairs.map(({ position }) => position);

/** Checks whether a column's values are taken from another's. */
function takesFromOthers({ foreignKeys, links }: DrawnTable, column: number): boolean {
  return [...foreignKeys, ...links].some((key) => columnsOf(key).includes(column));
}

/** Tables after those that they refer to, as far as there is no circle: Test-suite accuracy §4.1. */
function parentsFirst(tables: readonly DrawnTable[]): readonly DrawnTable[] {
  const order = new Set<DrawnTable>();
  const open = new Set<DrawnTable>();
  const visit = (table: DrawnTable): void => {
    if (open.has(table)) return;
    open.add(table);
    for (const { parent } of [...table.foreignKeys, ...table.links]) visit(parent);
    order.add(table);
  };
  for (const table of tables) visit(table);
  return [...order];
}

/** The cells of a witness’s row as the table stores them, but for those that it would refuse. */
function storedCells({ columns }: FuzzTable, cells: WitnessRow['cells']): WitnessRow['cells'] {
  const stored = columns.flatMap((column, position) => {
    const cell = cells.get(position);
    if (cell === undefined) return [];
    const { declaredType, isStrict, isInteger, isNullable, isGenerated, rule } = column;
    const value = storedValue(cell, declaredType, isStrict);
    const isUnruly = rule !== null && !keepsRule(rule, value);
    const isRefused =
      isGenerated || isUnruly || (value === null ? !isNullable : isInteger && typeof value !== 'bigint');
    return isRefused ? [] : [[position, value] as const];
  });
  return new Map(stored);
}

/** How many rows of each table others must refer to: to one each, where the reference is a key. */
function neededRows(
  order: readonly DrawnTable[],
  witnessed: ReadonlyMap<DrawnTable, readonly WitnessRow[]>,
): ReadonlyMap<DrawnTable, number> {
  const needed = new Map<DrawnTable, number>();
  for (const table of order.toReversed()) {
    const count = Math.max(witnessed.get(table)?.length ?? 0, needed.get(table) ?? 0);
    for (const { pairs, parent } of count === 0 ? [] : table.foreignKeys) {
      const isFree = pairs.some(({ column }) => column.isNullable);
      if (!isFree && parent !== table)
        needed.set(parent, Math.max(needed.get(parent) ?? 0, Math.min(count + 1, MOST_NEEDED)));
    }
  }
  return needed;
}

/** The rows of one random database. */
class RowDrawer {
  readonly #tables: readonly DrawnTable[];
  /** Tables after those that they refer to. */
  readonly #order: readonly DrawnTable[];
  readonly #sizes: readonly number[];
  readonly #rng: Rng;
  readonly #scale: number;
  /** True if tables may have as many rows as queries count. */
  readonly #isAsked: boolean;
  readonly #done = new Set<DrawnTable>();
  readonly #witnessed: ReadonlyMap<DrawnTable, readonly WitnessRow[]>;
  readonly #background: Background;
  /** Rows without which witness rows of other tables would have none to refer to. */
  readonly #needed: ReadonlyMap<DrawnTable, number>;
  /** Of each witness row, the cells. */
  readonly #fixed = new Map<Cells, WitnessRow['cells']>();

  constructor({ tables, sizes, joined, witnessRows, background }: RowPlan, rng: Rng) {
    this.#tables = drawnTables(tables, () => []);
    this.#order = parentsFirst(this.#tables);
    this.#sizes = sizes;
    this.#rng = rng;
    this.#witnessed = new Map(
      this.#tables.map((table, index) => [table, witnessRows.filter((row) => row.table === index)] as const),
    );
    this.#background = background;
    this.#needed = neededRows(this.#order, this.#witnessed);
    const seldom = joined > DEEP ? 4 * SELDOM : SELDOM;
    const most = rng.int(seldom) === 0 ? MOST_ROWS : Math.min(MOST_ROWS, MOST_COMBINED ** (1 / Math.max(1, joined)));
    this.#scale = LEAST_ROWS * (most / LEAST_ROWS) ** rng.next();
    this.#isAsked = sizes.length > 0 && (most === MOST_ROWS || rng.int(seldom) === 0);
  }

  /** The tables with their rows; what a filter refuses is not among them, and references may be open. */
  draw(filter: RowFilter): readonly DrawnTable[] {
    for (const table of this.#order) this.#fill(table, filter);
    for (const table of this.#order) this.#referBack(table);
    return this.#tables;
  }

  #fill(table: DrawnTable, filter: RowFilter): void {
    const { schema } = table;
    const witnessRows = this.#witnessed.get(table) ?? [];
    const least = Math.max(this.#needed.get(table) ?? 0, Number(schema.isFilled));
    const size = Math.max(0, Math.max(this.#drawSize(), least) - witnessRows.length);
    const sources = schema.columns.map((column) => new ColumnSource(column, size + witnessRows.length, this.#rng));
    const taken = new TakenKeys(schema);
    const rows: Cells[] = [];
    for (const cells of witnessRows.map((row) => storedCells(schema, row.cells))) {
      const row = this.#drawRow(table, sources, taken, cells);
      if (row === null) continue;
      this.#fixed.set(row, cells);
      rows.push(row);
    }
    for (let i = 0; i < size; i++) {
      const cells = this.#drawRow(table, sources, taken);
      if (cells !== null) rows.push(cells);
    }
    table.rows = filter(schema, rows);
    this.#done.add(table);
  }

  /** Fills the references that had to wait: to the table itself, and around circles. */
  #referBack(table: DrawnTable): void {
    const { foreignKeys, schema } = table;
    const at = this.#order.indexOf(table);
    const waiting = foreignKeys.filter(({ parent }) => this.#order.indexOf(parent) >= at);
    if (waiting.length === 0) return;
    for (const key of waiting) {
      const columns = columnsOf(key);
      const free = key.pairs.every((pair) => this.#isFree(table, pair, key));
      if (free && schema.uniques.some((unique) => unique.some((column) => columns.includes(column)))) {
        this.#referOnce(table, key);
      } else if (free) this.#referAny(table, key);
    }
    dropTaken(table);
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
    table: DrawnTable,
    sources: readonly ColumnSource[],
    taken: TakenKeys,
    fixed: WitnessRow['cells'] = NOTHING_FIXED,
  ): Cells | null {
    let cells = this.#drawCells(table, sources, fixed);
    for (let tries = 1; cells !== null; tries++) {
      const clash = taken.take(cells);
      if (clash === null) return cells;
      if (tries === TRIES || clash.every((column) => fixed.has(column))) return null;
      if (clash.some((column) => takesFromOthers(table, column))) cells = this.#drawCells(table, sources, fixed);
      else for (const column of clash) if (!fixed.has(column)) cells[column] = itemAt(sources, column).draw();
    }
    return null;
  }

  /** The cells of a row that may clash with others; null where it must refer to one and can't. */
  #drawCells(
    { schema, foreignKeys, links }: DrawnTable,
    sources: readonly ColumnSource[],
    fixed: WitnessRow['cells'],
  ): Cells | null {
    const drawn: (SqlValue | undefined)[] = schema.columns.map(({ isGenerated }, c) =>
      isGenerated ? null : fixed.get(c),
    );
    for (const key of foreignKeys) if (!this.#refer(drawn, key)) return null;
    for (const link of links) if (this.#rng.next() < link.share) this.#follow(drawn, link);
    const cells = sources.map((source, column) => {
      const value = drawn[column];
      return value === undefined ? source.draw() : value;
    });
    if (this.#rng.int(TWINS) === 0) this.#copyCell(schema, cells, drawn);
    return cells;
  }

  /** Gives a drawn cell the value of another one of its kind, as where two things happened on one day. */
  #copyCell({ columns }: FuzzTable, cells: Cells, drawn: readonly (SqlValue | undefined)[]): void {
    const free = [...columns.entries()].filter(([column]) => drawn[column] === undefined);
    if (free.length < 2) return;
    const [[from, source], [to, target]] = [pick(free, this.#rng), pick(free, this.#rng)];
    const value = storedValue(cells[from] ?? null, target.declaredType, target.isStrict);
    const isFit = source.kind === target.kind && value !== null && !target.isUnique && !target.isInteger;
    if (isFit && (target.rule === null || keepsRule(target.rule, value))) cells[to] = value;
  }

  /** Takes a value from another table's column, if it is one that the own column may hold. */
  #follow(cells: (SqlValue | undefined)[], link: DrawnKey): void {
    const before = [...cells];
    this.#refer(cells, link);
    for (const { column, position } of link.pairs) {
      const { rule } = column;
      if (rule !== null && !keepsRule(rule, cells[position] ?? null)) cells[position] = before[position];
    }
  }

  /** Lets a row refer to any row of a table that is complete, or to nothing; false where it must and can't. */
  #refer(cells: (SqlValue | undefined)[], key: DrawnKey): boolean {
    if (!this.#done.has(key.parent)) return true;
    const nullable = key.pairs.find(({ column, position }) => column.isNullable && cells[position] === undefined);
    const parents = this.#fitting(cells, key);
    if (parents.length === 0 || (nullable !== undefined && this.#rng.int(16) === 0)) {
      if (nullable !== undefined) cells[nullable.position] = null;
      return nullable !== undefined;
    }
    copyKey(cells, key, pick(parents, this.#rng));
    return true;
  }

  /** Rows that a row can refer to with what it holds already. */
  #fitting(cells: readonly (SqlValue | undefined)[], { parent: { rows }, pairs }: DrawnKey): readonly Cells[] {
    const fixed = pairs.filter(({ position }) => cells[position] !== undefined);
    if (fixed.length === 0) return rows;
    const texts = fixed.map(({ position, parentPosition }) => [parentPosition, String(cells[position])] as const);
    return rows.filter((row) => texts.every(([column, text]) => String(row[column]) === text));
  }

  /** Checks whether a reference may set a column: no key that another row refers to, nor part of another reference. */
  #isFree(table: DrawnTable, { column, position }: KeyPair, key: DrawnKey): boolean {
    const others = table.foreignKeys.filter((other) => other !== key).flatMap(columnsOf);
    const referred = this.#tables
      .flatMap((other) => other.foreignKeys)
      .filter(({ parent }) => parent === table)
      .flatMap(({ pairs }) => pairs.map(({ parentPosition }) => parentPosition));
    return !column.isGenerated && !others.includes(position) && !referred.includes(position);
  }

  #referAny({ rows }: DrawnTable, key: DrawnKey): void {
    const parents = key.parent.rows;
    const nullable = key.pairs.find(({ column }) => column.isNullable);
    for (const cells of rows) {
      const fixed = this.#fixed.get(cells);
      if (fixed !== undefined && key.pairs.every(({ position }) => fixed.has(position))) continue;
      if (nullable !== undefined && this.#rng.int(5) === 0) cells[nullable.position] = null;
      else if (parents.length > 0) copyKey(cells, key, pick(parents, this.#rng));
    }
  }

  #referOnce(table: DrawnTable, key: DrawnKey): void {
    const parents = shuffled(key.parent.rows, this.#rng);
    table.rows = table.rows.slice(0, parents.length);
    for (const [cells, parent] of zip(table.rows, parents.slice(0, table.rows.length))) copyKey(cells, key, parent);
  }
}

/** Gives a row the key of one that it is to refer to. */
function copyKey(cells: (SqlValue | undefined)[], { pairs }: DrawnKey, parent: Cells): void {
  for (const { column, position, parentPosition } of pairs) {
    const value = parent[parentPosition] ?? null;
    // A parent's null in a column that has none here: the row's own value, for the repair to judge.
    if (value !== null || column.isNullable) cells[position] = storedValue(value, column.declaredType, column.isStrict);
  }
}

/** Drops rows until references hold and each table takes its own. */
function settle(tables: readonly DrawnTable[], filter: RowFilter): void {
  for (let isSettled = false; !isSettled;) {
    repairReferences(tables);
    isSettled = true;
    for (const table of tables) {
      const accepted = filter(table.schema, table.rows);
      if (accepted.length < table.rows.length) isSettled = false;
      table.rows = accepted;
    }
  }
}

/**
 * The rows of one random database, by table: sizes from small to large, each table after those that it refers to,
 * references to rows that exist, keys unique; witness rows come first, as far as keys allow. Test-suite accuracy §4.1.
 */
export function randomRows(plan: RowPlan, rng: Rng, filter: RowFilter): readonly DrawnTable[] {
  const tables = new RowDrawer(plan, rng).draw(filter);
  settle(tables, filter);
  return tables;
}

import { formatCount } from '../../../counts.js';
import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { itemAt } from '../../../present.js';
import { affinityOf } from '../../../sql/affinity.js';
import { quoteIdentifier } from '../../../sql/dialect.js';
import type { ColumnInfo } from '../../../sql/execution/table-pragmas.js';
import { declaredTypeOf } from '../addition-type.js';
import { HUGE_CELL, hugeCells, type CarriedCell } from '../../../rows/cells/carry-cells.js';
import { keyTerms, orderTerm, rowidAlias, rowidName, type KeyTerm } from '../../../rows/row-key.js';
import type { PlacedAddition } from './resolved-change.js';
import type { CatalogTable } from './schema-catalog.js';

/** A stored column of the new table: one that was there, or an addition; `name` is its name while it is refilled. */
interface StoredColumn {
  readonly name: string;
  readonly source: ColumnInfo | null;
  /** Index in the additions. */
  readonly addition: number;
}

/** Name of the function that gives the added values while a table is refilled. */
const ADDED_VALUE = 'perturbql_added_value';
const ROWID = 'k';

/**
 * Rewrites the rows of one table with added columns, in the b-tree that it has. SQLite stores a row as a list of values
 * without names, so the rows are set aside, and written again while the schema declares nothing but the order of the
 * columns: no affinity touches a value, no constraint, trigger or generated column is at work, and the indexes, which
 * hold values and row ids, stay as they are. https://sqlite.org/fileformat2.html §2.1, §2.3
 */
export class TableRefill {
  readonly #sqlite: Sqlite.Database;
  readonly #table: CatalogTable;
  readonly #additions: readonly PlacedAddition[];
  readonly #columns: readonly StoredColumn[];
  readonly #key: readonly KeyTerm[];
  readonly #stage: string;

  constructor(sqlite: Sqlite.Database, table: CatalogTable, additions: readonly PlacedAddition[], index: number) {
    this.#sqlite = sqlite;
    this.#table = table;
    this.#additions = additions;
    this.#columns = storedColumns(table, additions);
    this.#key = table.withoutRowid ? keyTerms(sqlite, table.name) : [];
    this.#stage = `temp.perturbql_stage_${index}`;
  }

  get #kept(): readonly (StoredColumn & { source: ColumnInfo })[] {
    return this.#columns.filter((column): column is StoredColumn & { source: ColumnInfo } => column.source !== null);
  }

  /**
   * The cells that are too large for a query: rows that are staged without them have NULL in their place. None WITHOUT
   * ROWID, where rows are found by their keys.
   */
  hugeCells(): readonly CarriedCell[] {
    const { name: table, withoutRowid } = this.#table;
    const rowid = withoutRowid ? null : this.#rowidName();
    if (rowid === null) return [];
    return this.#columns.flatMap(({ source }, column) => {
      if (source === null) return [];
      const at = this.#kept.findIndex((kept) => kept.source === source);
      const cells = hugeCells(this.#sqlite, { table, rowid }, source.name, at);
      return cells.map((from) => ({ table, rowid: from.rowid, column, from }));
    });
  }

  /**
   * Sets the rows aside, in the order of their keys; without their huge cells where those are carried otherwise.
   * @throws InputFormatError when there are not as many rows as added values
   */
  stage(huge: readonly CarriedCell[] = []): void {
    const names = this.#kept.map(({ name }) => name);
    const rowid = this.#table.withoutRowid ? null : this.#rowidName();
    const columns = [...(rowid === null ? [] : [ROWID]), ...names].join(', ');
    this.#sqlite.exec(`CREATE TABLE ${this.#stage} (${columns})`);
    // A row stores NULL where the row id stands for a column.
    const alias = rowid === null ? null : rowidAlias(this.#sqlite, this.#table.name, this.#table.columns);
    const carried = new Set(huge.map(({ from }) => from.column));
    const sources = this.#kept.map(({ source }, column) => {
      if (source === alias) return 'NULL';
      const cell = quoteIdentifier(source.name);
      return carried.has(column) ? `CASE WHEN octet_length(${cell}) <= ${HUGE_CELL} THEN ${cell} END` : cell;
    });
    const selected = [...(rowid === null ? [] : [rowid]), ...sources].join(', ');
    const order = rowid ?? this.#key.map((term) => orderTerm(quoteIdentifier(term.name), term)).join(', ');
    const from = `main.${quoteIdentifier(this.#table.name)}`;
    this.#sqlite.exec(`INSERT INTO ${this.#stage} SELECT ${selected} FROM ${from} ORDER BY ${order}`);
    this.#checkCounts();
  }

  #rowidName(): string {
    const name = rowidName(this.#sqlite, this.#table.name, this.#table.columns);
    if (name !== null) return name;
    throw new InputFormatError('its columns take all names of the row id, so that the rows can’t be distinguished', {
      where: { id: this.#table.name },
      fix: 'Add no column to this table.',
    });
  }

  #checkCounts(): void {
    const rows = this.#sqlite.prepare(`SELECT count(*) FROM ${this.#stage}`).pluck().get() as number;
    const wrong = this.#additions.find(({ values }) => values.length !== rows);
    if (wrong === undefined) return;
    const reason = `the table has ${formatCount(rows)} rows, but ${wrong.name} comes with ${formatCount(wrong.values.length)} values`;
    const fix = 'Check that the database has not changed since the run began.';
    throw new InputFormatError(reason, { where: { id: this.#table.name }, fix });
  }

  /** Returns the table's definition in the schema while the rows are written. */
  rawDefinition(): string {
    const columns = this.#columns.map((column) => `${column.name} ${this.#rawType(column)}`.trimEnd());
    const key = this.#key.map((term) => orderTerm(this.#rawName(term.name), term));
    const keys = key.length === 0 ? '' : `, PRIMARY KEY (${key.join(', ')})`;
    const options = this.#table.withoutRowid ? ' WITHOUT ROWID' : '';
    return `CREATE TABLE ${quoteIdentifier(this.#table.name)} (${columns.join(', ')}${keys})${options}`;
  }

  #rawName(name: string): string {
    return this.#columns.find(({ source }) => source?.name === name)?.name ?? '';
  }

  /**
   * REAL lets SQLite store 1.0 as compactly as it was. Not where a text stands in the column: it might look like a
   * number and become one.
   */
  #rawType({ name, source, addition }: StoredColumn): string {
    if (source === null) return declaredTypeOf(itemAt(this.#additions, addition), this.#table.strict);
    if (affinityOf(source.type) !== 'REAL') return '';
    const texts = this.#sqlite.prepare(`SELECT EXISTS (SELECT 1 FROM ${this.#stage} WHERE typeof(${name}) = 'text')`);
    return texts.pluck().get() === 1 ? '' : 'REAL';
  }

  /** Writes the rows again; the schema must be that of `rawDefinition`. */
  refill(): void {
    const table = `main.${quoteIdentifier(this.#table.name)}`;
    this.#sqlite.function(ADDED_VALUE, (addition, row) => this.#additions[addition as number]?.values[Number(row) - 1]);
    const rowid = this.#table.withoutRowid ? [] : [{ target: 'rowid', value: ROWID }];
    const columns = this.#columns.map(({ name, source, addition }) => ({
      target: name,
      value: source === null ? `${ADDED_VALUE}(${addition}, rowid)` : name,
    }));
    const all = [...rowid, ...columns];
    const [targets, values] = [all.map(({ target }) => target), all.map(({ value }) => value)];
    this.#sqlite.exec(`DELETE FROM ${table}`);
    const select = `SELECT ${values.join(', ')} FROM ${this.#stage} ORDER BY rowid`;
    this.#sqlite.exec(`INSERT INTO ${table} (${targets.join(', ')}) ${select}`);
    this.#sqlite.exec(`DROP TABLE ${this.#stage}`);
  }
}

/** The columns of a row as it is stored: those that are generated when they are read are not. */
function storedColumns(table: CatalogTable, additions: readonly PlacedAddition[]): StoredColumn[] {
  const columns: Omit<StoredColumn, 'name'>[] = [];
  for (let place = 0; place <= table.columns.length; place++) {
    additions.forEach((one, addition) => {
      if (one.place === place) columns.push({ source: null, addition });
    });
    const source = table.columns[place];
    if (source !== undefined && source.hidden !== 2) columns.push({ source, addition: -1 });
  }
  return columns.map((column, index) => ({ ...column, name: `c${index}` }));
}

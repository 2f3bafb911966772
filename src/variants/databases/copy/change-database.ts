import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { type CarriedCell, HUGE_CELL, hugeCells } from '../../../rows/cells/carry-cells.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import { namesUnknownCollation, replaceCollations } from '../../../sql/execution/repaired-schema.js';
import { editSchema, withDefinitions } from '../../../sql/execution/schema-edit.js';
import { checkCounts, type DatabaseChange } from '../database-change.js';
import { type PlacedAddition, resolveChange, type ResolvedChange } from './resolved-change.js';
import { rewriteSchema } from './rewrite-schema.js';
import { readCatalog, type SchemaCatalog, type SchemaEntry } from './schema-catalog.js';
import { SchemaCheck } from './schema-check.js';
import { itemAt } from '../../../present.js';
import { affinityOf } from '../../../sql/affinity.js';
import type { ColumnInfo } from '../../../sql/execution/table-pragmas.js';
import {
  keyTerms,
  orderTerm,
  readViewedTable,
  rowidAlias,
  type RowKey,
  type ViewedTable,
} from '../../../rows/keyed-table.js';

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
class TableRefill {
  readonly #sqlite: Sqlite.Database;
  readonly #table: ViewedTable;
  readonly #key: RowKey;
  readonly #additions: readonly PlacedAddition[];
  readonly #columns: readonly StoredColumn[];
  readonly #stage: string;

  /** @throws InputFormatError when its rows can't be distinguished */
  constructor(sqlite: Sqlite.Database, table: string, additions: readonly PlacedAddition[], index: number) {
    this.#sqlite = sqlite;
    this.#table = readViewedTable(sqlite, table);
    this.#key = keyOf(this.#table);
    this.#additions = additions;
    this.#columns = storedColumns(this.#table, additions);
    this.#stage = `temp.perturbql_stage_${index}`;
  }

  get name(): string {
    return this.#table.name;
  }

  /** SQL of the row id; null WITHOUT ROWID. */
  get #rowid(): string | null {
    return this.#key.isRowid ? itemAt(this.#key.columns, 0).sql : null;
  }

  get #kept(): readonly (StoredColumn & { source: ColumnInfo })[] {
    return this.#columns.filter((column): column is StoredColumn & { source: ColumnInfo } => column.source !== null);
  }

  /**
   * The cells that are too large for a query: rows that are staged without them have NULL in their place. None WITHOUT
   * ROWID, where rows are found by their keys.
   */
  hugeCells(): readonly CarriedCell[] {
    const [rowid, table] = [this.#rowid, this.name];
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
    const rowid = this.#rowid;
    const columns = [...(rowid === null ? [] : [ROWID]), ...names].join(', ');
    this.#sqlite.exec(`CREATE TABLE ${this.#stage} (${columns})`);
    // A row stores NULL where the row id stands for a column.
    const alias = rowid === null ? null : rowidAlias(this.#sqlite, this.name, this.#table.columns);
    const carried = new Set(huge.map(({ from }) => from.column));
    const sources = this.#kept.map(({ source }, column) => {
      if (source === alias) return 'NULL';
      const cell = quoteIdentifier(source.name);
      return carried.has(column) ? `CASE WHEN octet_length(${cell}) <= ${HUGE_CELL} THEN ${cell} END` : cell;
    });
    const selected = [...(rowid === null ? [] : [rowid]), ...sources].join(', ');
    const order = this.#key.columns.map((column) => column.order).join(', ');
    const from = `main.${quoteIdentifier(this.name)}`;
    this.#sqlite.exec(`INSERT INTO ${this.#stage} SELECT ${selected} FROM ${from} ORDER BY ${order}`);
    const rows = this.#sqlite.prepare(`SELECT count(*) FROM ${this.#stage}`).pluck().get() as number;
    checkCounts(this.name, this.#additions, rows);
  }

  /** Returns the table's definition in the schema while the rows are written. */
  rawDefinition(): string {
    const columns = this.#columns.map((column) => `${column.name} ${this.#rawType(column)}`.trimEnd());
    const terms = this.#key.isRowid ? [] : keyTerms(this.#sqlite, this.name);
    const key = terms.map((term) => orderTerm(this.#rawName(term.name), term));
    const keys = key.length === 0 ? '' : `, PRIMARY KEY (${key.join(', ')})`;
    const options = this.#key.isRowid ? '' : ' WITHOUT ROWID';
    return `CREATE TABLE ${quoteIdentifier(this.name)} (${columns.join(', ')}${keys})${options}`;
  }

  #rawName(name: string): string {
    return this.#columns.find(({ source }) => source?.name === name)?.name ?? '';
  }

  /**
   * REAL lets SQLite store 1.0 as compactly as it was. Not where a text stands in the column: it might look like a
   * number and become one.
   */
  #rawType({ name, source, addition }: StoredColumn): string {
    if (source === null) return itemAt(this.#additions, addition).declaredType;
    if (affinityOf(source.type) !== 'REAL') return '';
    const texts = this.#sqlite.prepare(`SELECT EXISTS (SELECT 1 FROM ${this.#stage} WHERE typeof(${name}) = 'text')`);
    return texts.pluck().get() === 1 ? '' : 'REAL';
  }

  /** Writes the rows again; the schema must be that of `rawDefinition`. */
  refill(): void {
    const table = `main.${quoteIdentifier(this.name)}`;
    this.#sqlite.function(ADDED_VALUE, (addition, row) => this.#additions[addition as number]?.values[Number(row) - 1]);
    const rowid = !this.#key.isRowid ? [] : [{ target: 'rowid', value: ROWID }];
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

function keyOf({ name, key }: ViewedTable): RowKey {
  if (key !== null) return key;
  throw new InputFormatError('its columns take all names of the row id, so that the rows can’t be distinguished', {
    where: { id: name },
    fix: 'Add no column to this table.',
  });
}

/** The columns of a row as it is stored: those that are generated when they are read are not. */
function storedColumns(table: ViewedTable, additions: readonly PlacedAddition[]): StoredColumn[] {
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

/**
 * Writes the rows of tables that get columns; their schema is then as it was. Gives back the cells that are NULL
 * instead: none, or those that are too large for a query.
 */
function refillTables(
  sqlite: Sqlite.Database,
  { tables }: SchemaCatalog,
  additions: ResolvedChange['additions'],
  leavesHuge: boolean,
): readonly CarriedCell[] {
  if (additions.size === 0) return [];
  const huge: CarriedCell[] = [];
  const refills = Array.from(additions, ([t, own]) => {
    const refill = new TableRefill(sqlite, itemAt(tables, t).name, own, t);
    const cells = leavesHuge ? refill.hugeCells() : [];
    refill.stage(cells);
    huge.push(...cells);
    return refill;
  });
  withDefinitions(sqlite, new Map(refills.map((refill) => [refill.name, refill.rawDefinition()])), () => {
    for (const refill of refills) refill.refill();
  });
  return huge;
}

/** A text that is not valid UTF-8 would lose bytes on its way through here. */
function checkText(sqlite: Sqlite.Database, { rowid, type, name, sql }: SchemaEntry): void {
  const same = sqlite.prepare('SELECT sql = ? FROM main.sqlite_schema WHERE rowid = ?').pluck();
  if (same.get(sql, rowid) === 1) return;
  throw new InputFormatError(`the definition of ${type} ${name} is not valid UTF-8`, {
    where: { id: name },
    fix: 'Leave its columns out of the perturbation, or define it again in a copy of the database.',
  });
}

/**
 * Checks whether a table WITHOUT ROWID that gets columns, or an index of it, is in the order of a collation which
 * SQLite does not know: its rows can be neither read nor written in that order.
 */
function isInUnknownOrder({ additions }: DatabaseChange, { tables, entries }: SchemaCatalog): boolean {
  const names = new Set(additions.map(({ table }) => foldName(table)));
  const keyed = tables.flatMap(({ name, withoutRowid }) => (withoutRowid ? [foldName(name)] : []));
  const changed = new Set(keyed.filter((name) => names.has(name)));
  return entries.some(({ tableName, sql }) => changed.has(foldName(tableName)) && namesUnknownCollation(sql ?? ''));
}

/**
 * Renames and adds columns in an open database; for a copy that is thrown away when this fails. With `leavesHuge`,
 * cells of more than 1 MiB in tables that get columns are NULL afterwards, and given back to be carried from the
 * original. Where a table that gets columns is ordered by a collation which SQLite does not know, BINARY takes its
 * place.
 * @throws InputFormatError, SqlRewriteError as `materializeCopy`
 */
export function changeDatabase(
  sqlite: Sqlite.Database,
  change: DatabaseChange,
  { leavesHuge = false } = {},
): readonly CarriedCell[] {
  let catalog = readCatalog(sqlite, sqlite.name);
  if (isInUnknownOrder(change, catalog)) {
    replaceCollations(sqlite);
    catalog = readCatalog(sqlite, sqlite.name);
  }
  const resolved = resolveChange(catalog, change);
  const check = new SchemaCheck(sqlite, catalog, resolved);
  const texts = rewriteSchema(catalog, resolved, (entry) => check.isBroken(entry));
  for (const entry of texts.keys()) checkText(sqlite, entry);
  sqlite.exec('BEGIN');
  const huge = refillTables(sqlite, catalog, resolved.additions, leavesHuge);
  editSchema(sqlite, () => {
    const update = sqlite.prepare('UPDATE main.sqlite_schema SET sql = ? WHERE rowid = ?');
    for (const [{ rowid }, text] of texts) update.run(text, rowid);
  });
  check.verify();
  sqlite.exec('COMMIT');
  return huge;
}

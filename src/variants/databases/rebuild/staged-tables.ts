import type Sqlite from 'better-sqlite3';
import { readViewedTable, type RowKey } from '../../../rows/viewed-table.js';
import { itemAt } from '../../../present.js';
import type { ColumnType, Table } from '../../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import {
  type ColumnInfo,
  columnsOf,
  indexesOf,
  keyPositions,
  listTables,
  pragmaRows,
  type TableIndex,
} from '../../../sql/execution/table-pragmas.js';
import { HugeCells } from './huge-cells.js';
import { openConnection } from '../../../sql/execution/open-connection.js';

/** Types of columns that a file lacks. */
const MISSING_TYPE: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'TEXT',
  boolean: 'NUMERIC',
  others: '',
};
/** Declared types that can be written as they are. */
const PLAIN_TYPE = /^[\w\s(),.+-]*$/;

/** An index of the file with its definition; null for a constraint's. */
interface StoredIndex extends TableIndex {
  readonly sql: string | null;
}

/** A file's facts about a table besides its rows. */
interface StagedTable {
  /** By folded name of the column; null = BINARY. */
  readonly collations: ReadonlyMap<string, string | null>;
  /** Folded names of the declared primary key. */
  readonly key: ReadonlySet<string>;
  readonly indexes: readonly StoredIndex[];
}

const q = (name: string): string => quoteIdentifier(name);

/** Returns a column's declaration: its type, then its collation. */
export function declaration(name: string, type: string, collation: string | null): string {
  const collate = collation === null ? '' : ` COLLATE ${q(collation)}`;
  return `${q(name)} ${PLAIN_TYPE.test(type) ? type : q(type)}${collate}`.trimEnd();
}

function storedIndexes(sqlite: Sqlite.Database, table: string): readonly StoredIndex[] {
  const definition = sqlite.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?").pluck();
  return indexesOf(sqlite, table).map((index) => ({
    ...index,
    sql: (definition.get(index.name) ?? null) as string | null,
  }));
}

/**
 * Rows of an open file that queries read while its tables change: each table's as a TEMP table, which comes before it,
 * in their order and without indexes, so that every query reads them in that order.
 */
export class StagedTables {
  readonly huge: HugeCells;
  readonly #sqlite: Sqlite.Database;
  readonly #carriesHuge: boolean;
  readonly #tables = new Map<string, StagedTable>();
  /** Tables that are set aside now. */
  readonly #names = new Set<string>();

  /** `carriesHuge`: whether tokens stand in for huge cells. */
  constructor(sqlite: Sqlite.Database, carriesHuge: boolean) {
    this.#sqlite = sqlite;
    this.#carriesHuge = carriesHuge;
    this.huge = new HugeCells(sqlite);
  }

  get(table: string): StagedTable | undefined {
    return this.#tables.get(foldName(table));
  }

  /** Sets the rows of a table of the schema aside; what the file lacks of it is taken for empty. */
  stage({ originalName, columns }: Table): void {
    const listed = listTables(this.#sqlite).find(({ name }) => foldName(name) === foldName(originalName));
    if (listed !== undefined) this.#stageListed(listed.name, listed.type === 'table');
    this.#names.add(listed?.name ?? originalName);
    const present = listed === undefined ? [] : columnsOf(this.#sqlite, listed.name).map(({ name }) => foldName(name));
    const missing = columns.filter((column) => !present.includes(foldName(column.originalName)));
    const declared = missing.map((one) => declaration(one.originalName, MISSING_TYPE[one.type], null));
    // Spider's schemas name a few tables and columns that are not there.
    if (listed === undefined) this.#sqlite.exec(`CREATE TEMP TABLE ${q(originalName)} (${declared.join(', ')})`);
    else for (const one of declared) this.#sqlite.exec(`ALTER TABLE temp.${q(listed.name)} ADD COLUMN ${one}`);
  }

  /** Gives the file's own tables their place again. */
  drop(): void {
    for (const name of this.#names) this.#sqlite.exec(`DROP TABLE temp.${q(name)}`);
    this.#names.clear();
  }

  #stageListed(table: string, isTable: boolean): void {
    const { columns, strict, key: rowKey } = readViewedTable(this.#sqlite, table);
    const key = isTable ? rowKey : null;
    const collations = isTable ? columnCollations(this.#sqlite, table, columns) : columns.map(() => null);
    this.#tables.set(foldName(table), {
      collations: new Map(columns.map(({ name }, c) => [foldName(name), itemAt(collations, c)])),
      key: new Set(keyPositions(columns).map((c) => foldName(itemAt(columns, c).name))),
      indexes: isTable ? storedIndexes(this.#sqlite, table) : [],
    });
    const list = columns.map(({ name, type }, c) => {
      // Outside of STRICT tables ANY would turn texts into numbers.
      const plain = strict && type.toUpperCase() === 'ANY' ? '' : type;
      return declaration(name, plain, itemAt(collations, c));
    });
    const order = key === null ? '' : ` ORDER BY ${key.columns.map((column) => column.order).join(', ')}`;
    this.#sqlite.exec(
      `CREATE TEMP TABLE ${q(table)} (${list.join(', ')});
       INSERT INTO temp.${q(table)} SELECT ${this.#selected(table, columns, key)} FROM main.${q(table)}${order}`,
    );
  }

  #selected(table: string, columns: readonly ColumnInfo[], key: RowKey | null): string {
    const names = this.#carriesHuge ? this.huge.standIns(table, columns, key) : columns.map(({ name }) => q(name));
    return names.join(', ');
  }
}

interface IndexPart {
  readonly coll: string;
  readonly key: number;
}

/** An index takes the collation of its column, and tells it; a column does not. */
function collationOf(scratch: Sqlite.Database, table: string, column: string): string | null {
  scratch.exec(`CREATE INDEX perturbql_probe ON ${quoteIdentifier(table)} (${quoteIdentifier(column)})`);
  const [part] = pragmaRows<IndexPart>(scratch, 'index_xinfo', 'perturbql_probe');
  scratch.exec('DROP INDEX perturbql_probe');
  return part === undefined || part.coll === 'BINARY' ? null : part.coll;
}

/** The collation of each column of a table that has another than BINARY, else null. */
function columnCollations(
  sqlite: Sqlite.Database,
  table: string,
  columns: readonly ColumnInfo[],
): readonly (string | null)[] {
  const select = sqlite.prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?").pluck();
  const sql = (select.get(table) as string | null | undefined) ?? '';
  if (!/\bcollate\b/i.test(sql)) return columns.map(() => null);
  const scratch = openConnection(':memory:');
  try {
    scratch.exec(sql);
    return columns.map(({ name }) => collationOf(scratch, table, name));
  } finally {
    scratch.close();
  }
}

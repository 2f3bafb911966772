import type Sqlite from 'better-sqlite3';
import { readViewedTable, type RowKey } from '../../../rows/keyed-table.js';
import { itemAt } from '../../../present.js';
import type { Table } from '../../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import {
  type ColumnInfo,
  columnsOf,
  indexesOf,
  keyPositions,
  listTables,
  type TableIndex,
} from '../../../sql/execution/table-pragmas.js';
import { SQLITE_TYPES } from '../../../schema/column-types.js';
import { HugeCells } from './huge-cells.js';
import { columnCollations } from '../../../sql/execution/column-collations.js';

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
    const declared = missing.map((one) => declaration(one.originalName, SQLITE_TYPES[one.type], null));
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
    const definition = this.#sqlite
      .prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck()
      .get(table);
    const declared = isTable ? columnCollations(definition as string) : [];
    const collations = columns.map((_, c) => (declared[c] === 'BINARY' ? null : (declared[c] ?? null)));
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

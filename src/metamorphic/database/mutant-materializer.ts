import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { makeFolder } from '../../run/make-folder.js';
import { isSqliteError, openConnection } from '../../sql/execution/open-connection.js';
import { InputFormatError } from '../../errors.js';
import { createAddedValues } from '../../rows/values/added-values.js';
import type { TableSample } from '../../rows/values/table-sample.js';
import { type KeyTerm, orderTerm } from '../../rows/row-key.js';
import { copyDatabase } from '../../variants/copy/materialize-copy.js';
import { carryCells, type CarriedCell } from '../../rows/cells/carry-cells.js';
import { readViewedTable } from '../../rows/viewed-table.js';
import { itemAt } from '../../present.js';
import { commitFile } from '../../run/durable-file.js';
import { createRng } from '../../seeded-rng.js';
import { columnAt, type ColumnRef, type ColumnType, type Database, type Table } from '../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import { mendSchema } from '../../sql/execution/mended-schema.js';
import { openUntouched } from '../../sql/execution/open-untouched.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { columnsOf, keyPositions, pragmaRows, tableNames } from '../../sql/execution/table-pragmas.js';
import type { MutatedSchema, TableContent } from '../relation.js';
import { isSystemTable } from '../system-tables.js';
import { columnCollations } from './column-collations.js';
import { HugeCells } from './huge-cells.js';
import { indexFor, KeptObjects } from './kept-objects.js';

/** Bytes of a file above which its copy is on disk. */
const MOST_IN_MEMORY = 16 << 20;
/** Rows that made values are fitted to. */
const SAMPLED_ROWS = 2000;
/** Name of the function that gives made values. */
const MADE_VALUE = 'perturbql_made_value';
/** Declared types that can be written as they are. */
const PLAIN_TYPE = /^[\w\s(),.+-]*$/;

/** An index of the origin, whether the file or a constraint asks for it. */
interface OriginIndex {
  readonly name: string;
  /** Null for a partial index, and one over expressions. */
  readonly terms: readonly KeyTerm[] | null;
}

interface ListedIndex {
  readonly name: string;
  readonly partial: number;
}

function indexesOf(sqlite: Sqlite.Database, table: string): readonly OriginIndex[] {
  return pragmaRows<ListedIndex>(sqlite, 'index_list', table).map(({ name, partial }) => {
    const parts = pragmaRows<KeyTerm & { key: number; cid: number }>(sqlite, 'index_xinfo', name);
    const terms = parts.filter(({ key }) => key === 1);
    return { name, terms: partial === 1 || terms.some(({ cid }) => cid < 0) ? null : terms };
  });
}

/** A column of a mutated table that is to be created. */
interface ColumnPlan {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  /** The origin's table and column that its values come from, folded; null for computed and made ones. */
  readonly from: { readonly table: string; readonly column: string } | null;
  /** One value per row in the order of the rows; null = those of the query. */
  readonly made: readonly SqlValue[] | null;
}

const q = (name: string): string => quoteIdentifier(name);
const originKey = (table: string, column: string): string => JSON.stringify([foldName(table), foldName(column)]);
const collate = (collation: string | null): string => (collation === null ? '' : ` COLLATE ${q(collation)}`);

/** What a column is declared as: its type, then its collation. */
function declaration({ name, type, collation }: Pick<ColumnPlan, 'name' | 'type' | 'collation'>): string {
  return `${q(name)} ${PLAIN_TYPE.test(type) ? type : q(type)}${collate(collation)}`.trimEnd();
}

/** Types of columns that a file lacks. */
const MISSING_TYPE: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'TEXT',
  boolean: 'NUMERIC',
  others: '',
};

/**
 * Writes databases of schemas that relations made from one database, whose file is read once and never written to.
 * Tables come in the schema's order with their rows in the origin's; declared types and collations are those of the
 * columns that values come from; cells keep their bytes and storage classes. Foreign keys are declared as the schema has
 * them, primary keys where the origin declares them or the relation made them, as rows may break what a schema says.
 * Indexes stay where their columns do, but enforce nothing. Other constraints, views and triggers are left behind: they
 * have no part in what a query returns. What queries name besides tables and columns is kept (`KeptObjects`).
 */
export class MutantMaterializer {
  readonly #sqlite: Sqlite.Database;
  readonly #collations = new Map<string, string | null>();
  /** Folded names of each table's declared primary key. */
  readonly #keys = new Map<string, ReadonlySet<string>>();
  readonly #indexes = new Map<string, readonly OriginIndex[]>();
  readonly #huge: HugeCells;
  readonly #origin: Database;
  readonly #kept: KeptObjects;
  /** Indexes that the file which is written has under their own names. */
  readonly #written = new Set<string>();
  #made: Iterator<SqlValue, undefined> = new Array<SqlValue>().values();

  /**
   * @param origin the schema of the file; what the file lacks of it is taken for empty
   * @param options `queries`: what is asked of it, as the indexes and virtual tables that these name stay; `scratch`: where a
   * large file is copied to until `close`
   * @throws InputFormatError when the file is no SQLite database
   */
  constructor(file: string, origin: Database, options: { queries?: readonly string[]; scratch?: string } = {}) {
    const { queries = [], scratch = tmpdir() } = options;
    this.#origin = origin;
    this.#sqlite = openCopy(file, scratch);
    this.#kept = new KeptObjects(this.#sqlite, queries);
    this.#huge = new HugeCells(this.#sqlite);
    // Rows come as they are: those that break a key are in the original, too.
    this.#sqlite.pragma('foreign_keys = OFF');
    this.#sqlite.function(MADE_VALUE, () => this.#made.next().value ?? null);
    for (const table of tableNames(this.#sqlite)) this.#stage(table);
    for (const table of origin.tables) if (!isSystemTable(table)) this.#complete(table);
  }

  /**
   * Writes the database of a schema. Durable: a crash leaves no file or the whole one.
   * @throws InputFormatError when SQLite refuses a query or a row
   */
  write(mutated: MutatedSchema, file: string): void {
    makeFolder(dirname(file));
    const temporary = `${file}.tmp`;
    rmSync(temporary, { force: true });
    try {
      this.#fill(mutated, temporary);
      commitFile(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      if (!isSqliteError(error)) throw error;
      throw new InputFormatError(`the database ${mutated.schema.id} can’t be written: ${error.message}`, {
        where: { id: mutated.schema.id },
        fix: 'Check the original with sqlite3 FILE "PRAGMA integrity_check".',
        cause: error,
      });
    }
  }

  close(): void {
    const { name, memory } = this.#sqlite;
    this.#sqlite.close();
    if (!memory) rmSync(dirname(name), { recursive: true, force: true });
  }

  /** Puts a table's rows before it, in their order and without indexes, so that every query reads them in that order. */
  #stage(table: string): void {
    const { columns, strict, key } = readViewedTable(this.#sqlite, table);
    const collations = columnCollations(this.#sqlite, table, columns);
    columns.forEach(({ name }, c) => this.#collations.set(originKey(table, name), collations[c] ?? null));
    this.#indexes.set(foldName(table), indexesOf(this.#sqlite, table));
    this.#keys.set(foldName(table), new Set(keyPositions(columns).map((c) => foldName(itemAt(columns, c).name))));
    const list = columns.map(({ name, type }, c) => {
      // Outside of STRICT tables ANY would turn texts into numbers.
      const plain = strict && type.toUpperCase() === 'ANY' ? '' : type;
      return declaration({ name, type: plain, collation: collations[c] ?? null });
    });
    const names = this.#huge.standIns(table, columns, key).join(', ');
    const order = key === null ? '' : ` ORDER BY ${key.columns.map((column) => column.order).join(', ')}`;
    this.#sqlite.exec(
      `CREATE TEMP TABLE ${q(table)} (${list.join(', ')});
       INSERT INTO temp.${q(table)} SELECT ${names} FROM main.${q(table)}${order}`,
    );
  }

  /** Adds what the schema has and the file lacks: Spider's schemas name a few such tables and columns. */
  #complete({ originalName, columns }: Table): void {
    const present = new Set(columnsOf(this.#sqlite, originalName).map(({ name }) => foldName(name)));
    const missing = columns.filter((column) => !present.has(foldName(column.originalName)));
    const declared = missing.map((column) =>
      declaration({ name: column.originalName, type: MISSING_TYPE[column.type], collation: null }),
    );
    if (present.size === 0) this.#sqlite.exec(`CREATE TEMP TABLE ${q(originalName)} (${declared.join(', ')})`);
    else for (const one of declared) this.#sqlite.exec(`ALTER TABLE temp.${q(originalName)} ADD COLUMN ${one}`);
  }

  #fill({ schema, content }: MutatedSchema, file: string): void {
    const huge: CarriedCell[] = [];
    this.#sqlite.prepare('ATTACH ? AS mutant').run(file);
    try {
      for (const pragma of ['journal_mode = OFF', 'synchronous = OFF']) this.#sqlite.pragma(`mutant.${pragma}`);
      const fillAll = this.#sqlite.transaction(() => {
        this.#written.clear();
        schema.tables.forEach((table, t) => {
          if (!isSystemTable(table) && !this.#kept.isVirtual(table))
            huge.push(...this.#writeTable(schema, t, itemAt(content, t)));
        });
        this.#kept.write();
      });
      fillAll();
    } finally {
      this.#sqlite.exec('DETACH mutant');
    }
    carryCells(this.#sqlite.name, file, huge);
  }

  /** Writes a table, but for huge cells that are still to be carried. */
  #writeTable(schema: Database, t: number, content: TableContent): readonly CarriedCell[] {
    const table = itemAt(schema.tables, t);
    const plans = this.#plan(schema.id, table, content);
    const keys = [...this.#primaryKey(schema, t, plans), ...foreignKeys(schema, t)];
    const target = `mutant.${q(table.originalName)}`;
    this.#sqlite.exec(`CREATE TABLE ${target} (${[...plans.map(declaration), ...keys].join(', ')})`);
    this.#sqlite.exec(`INSERT INTO ${target} ${content.select}`);
    for (const { name, made } of plans) {
      if (made === null) continue;
      this.#made = made.values();
      this.#sqlite.exec(`UPDATE ${target} SET ${q(name)} = ${MADE_VALUE}()`);
    }
    this.#index(table.originalName, t, plans);
    return this.#huge.putBack(table.originalName, plans);
  }

  /**
   * The origin's indexes as far as their columns are there: SQLite then reads rows as it does on the origin. One that
   * queries name has its name, on the first table that has any of its columns.
   */
  #index(target: string, t: number, plans: readonly ColumnPlan[]): void {
    const sources = new Set(plans.flatMap(({ from }) => from?.table ?? []));
    const indexes = [...sources].flatMap((table) =>
      (this.#indexes.get(table) ?? []).map((index) => ({ table, ...index })),
    );
    let number = 0;
    for (const { table, name, terms } of indexes) {
      const isNamed = this.#kept.isNamed(name) && !this.#written.has(name);
      if (terms === null) {
        if (isNamed) this.#indexByText(name, target, table, plans);
        continue;
      }
      const own = `perturbql_${t}_${number++}`;
      const columns = terms.flatMap((term) => {
        const plan = planOf(plans, table, term.name);
        return plan === undefined ? [] : [orderTerm(q(plan.name), term)];
      });
      if (columns.length === 0 || (columns.length < terms.length && !isNamed)) continue;
      if (isNamed) this.#written.add(name);
      this.#sqlite.exec(`CREATE INDEX mutant.${q(isNamed ? name : own)} ON ${q(target)} (${columns.join(', ')})`);
    }
  }

  #indexByText(name: string, target: string, table: string, plans: readonly ColumnPlan[]): void {
    const sql = this.#sqlite.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?').pluck().get(name) as string;
    const text = indexFor(sql, this.#origin, target, (ref) => {
      const { originalName } = columnAt(this.#origin, ref);
      return planOf(plans, table, originalName)?.name ?? null;
    });
    if (text === null) return;
    this.#written.add(name);
    this.#sqlite.exec(text);
  }

  /** How each column of a table is created. */
  #plan(id: string, { originalName, columns }: Table, content: TableContent): readonly ColumnPlan[] {
    const results = this.#sqlite.prepare(content.select).columns();
    const plans = columns.map((column, c): ColumnPlan => {
      const { table, column: source, type } = itemAt(results, c);
      const from = table === null || source === null ? null : { table: foldName(table), column: foldName(source) };
      const collation = from === null ? null : (this.#collations.get(originKey(from.table, from.column)) ?? null);
      // Numbers that a relation gives have no column to take a type from.
      const known = from === null && column.type === 'number' ? 'INTEGER' : '';
      const declared = content.types?.[column.originalName] ?? type;
      return { name: column.originalName, type: declared ?? known, collation, from, made: null };
    });
    const wanted = content.made ?? [];
    if (wanted.length === 0) return plans;
    const sample = this.#sample(content, plans, wanted);
    return plans.map((plan, c) => {
      if (!wanted.includes(plan.name)) return plan;
      const { name, type } = itemAt(columns, c);
      const request = { name, type, sourceValues: [], table: sample, target: '' };
      const rng = createRng(0, `${id}/${originalName}.${plan.name}`);
      const { declaredType, values } = createAddedValues(request, rng);
      return { ...plan, type: declaredType, made: values };
    });
  }

  /** The table without the columns whose values are still to be made. */
  #sample({ select }: TableContent, plans: readonly ColumnPlan[], made: readonly string[]): TableSample {
    const rows = this.#sqlite.prepare(`SELECT * FROM (${select}) LIMIT ${SAMPLED_ROWS}`).raw().safeIntegers().all();
    const rowCount = this.#sqlite.prepare(`SELECT count(*) FROM (${select})`).pluck().get() as number;
    const columns = plans.flatMap(({ name, type }, c) => {
      if (made.includes(name)) return [];
      const cells = (rows as SqlValue[][]).map((row) => row[c] ?? null);
      return [{ name, declaredType: type, cells, nullShare: 0 }];
    });
    return { rowCount, strict: false, columns };
  }

  #primaryKey({ primaryKeys }: Database, t: number, plans: readonly ColumnPlan[]): readonly string[] {
    const key = primaryKeys.filter(({ table }) => table === t).map(({ column }) => itemAt(plans, column));
    if (key.length === 0) return [];
    const table = itemAt(key, 0).from?.table;
    const declared = table === undefined ? undefined : this.#keys.get(table);
    const isOrigins =
      declared?.size === key.length &&
      key.every(({ from }) => from !== null && from.table === table && declared.has(from.column));
    const isComputed = key.every(({ from }) => from === null);
    return isOrigins || isComputed ? [`PRIMARY KEY (${key.map(({ name }) => q(name)).join(', ')})`] : [];
  }
}

/** A copy that can be changed, in memory or, of a large file, in a folder of its own. @throws InputFormatError when the file is no SQLite database */
function openCopy(file: string, scratch: string): Sqlite.Database {
  try {
    if (statSync(file).size > MOST_IN_MEMORY) {
      makeFolder(scratch);
      const copy = join(mkdtempSync(join(scratch, 'mutants-')), 'origin.sqlite');
      copyDatabase(file, copy);
      const sqlite = openConnection(copy);
      // The content of a write-ahead log comes into the file, from which huge cells are read.
      sqlite.pragma('journal_mode = DELETE');
      mendSchema(sqlite);
      return sqlite;
    }
    const source = openUntouched(file);
    try {
      return openConnection(source.serialize());
    } finally {
      source.close();
    }
  } catch (cause) {
    throw new InputFormatError('the file can’t be read as a SQLite database', {
      where: { file },
      fix: 'Check that --databases holds this data set’s own files.',
      cause,
    });
  }
}

/** The column that has the values of a column of the origin. */
function planOf(plans: readonly ColumnPlan[], table: string, column: string): ColumnPlan | undefined {
  return plans.find(({ from }) => from?.table === table && from.column === foldName(column));
}

function foreignKeys({ tables, foreignKeys: keys }: Database, t: number): readonly string[] {
  const nameOf = ({ table, column }: ColumnRef): string =>
    q(itemAt(itemAt(tables, table).columns, column).originalName);
  return keys
    .filter(({ from }) => from.table === t)
    .map(({ from, to }) => {
      return `FOREIGN KEY (${nameOf(from)}) REFERENCES ${q(itemAt(tables, to.table).originalName)} (${nameOf(to)})`;
    });
}

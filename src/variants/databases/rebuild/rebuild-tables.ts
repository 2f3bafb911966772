import type Sqlite from 'better-sqlite3';
import type { CarriedCell } from '../../../rows/cells/carry-cells.js';
import { InternalError } from '../../../errors.js';
import { orderTerm } from '../../../rows/keyed-table.js';
import { itemAt, zip } from '../../../present.js';
import { foreignKeyClauses, linksOf } from '../../../sql/create-tables.js';
import { columnAt, type ColumnRef, type Database, type PlacedTable, type Table } from '../../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../../sql/dialect.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import { columnsOf, foreignKeysOf, listTables, rowidOf } from '../../../sql/execution/table-pragmas.js';
import {
  type ContentTable,
  contentTables,
  isSystemTable,
  isUntouched,
  type MutatedSchema,
  type TableContent,
  tablesRead,
} from '../mutated-schema.js';
import { partialCondition } from '../../../sql/definitions/create-text.js';
import { createIfPossible, dropNamed, KeptObjects, lostViews, WatchedViews } from './kept-objects.js';
import { declaration, StagedTables } from './staged-tables.js';
import { type AddedValues, createAddedValues } from '../../../rows/values/added-values.js';
import type { TableSample } from '../../../rows/values/table-sample.js';
import { createRng } from '../../../seeded-rng.js';

/** Rows that made values are fitted to. */
const SAMPLED_ROWS = 2000;

/** The declared types of a table's columns, as far as its query and its relation tell them. */
function declaredTypes(sqlite: Sqlite.Database, { columns }: Table, content: TableContent): readonly string[] {
  const results = sqlite.prepare(content.select).columns();
  return zip(columns, results).map(([{ originalName, type }, { column, type: declared }]) => {
    // Numbers that a relation gives have no column to take a type from.
    return content.types?.[originalName] ?? declared ?? (column === null && type === 'number' ? 'INTEGER' : '');
  });
}

/** The rows of a table, without the columns whose values are still to be made. */
function sampleOf(sqlite: Sqlite.Database, table: Table, content: TableContent, made: readonly string[]): TableSample {
  const types = declaredTypes(sqlite, table, content);
  const rows = sqlite.prepare(`SELECT * FROM (${content.select}) LIMIT ${SAMPLED_ROWS}`).raw().safeIntegers().all();
  const rowCount = sqlite.prepare(`SELECT count(*) FROM (${content.select})`).pluck().get() as number;
  const columns = zip(table.columns, types).flatMap(([{ originalName: name }, declaredType], c) => {
    if (made.includes(name)) return [];
    const cells = (rows as SqlValue[][]).map((row) => row[c] ?? null);
    return [{ name, declaredType, cells, nullShare: 0 }];
  });
  return { rowCount, strict: false, columns };
}

/** Types and values of the columns that a relation leaves to be made, by identifier; one value per row of the query. */
export function makeValues(
  sqlite: Sqlite.Database,
  schemaId: string,
  table: Table,
  content: TableContent,
): ReadonlyMap<string, AddedValues> {
  const { made = [] } = content;
  if (made.length === 0) return new Map();
  const sample = sampleOf(sqlite, table, content, made);
  return new Map(
    table.columns.flatMap(({ name, originalName, type }) => {
      if (!made.includes(originalName)) return [];
      const request = { name, type, sourceValues: [], table: sample, target: '' };
      const rng = createRng(0, `${schemaId}/${table.originalName}.${originalName}`);
      return [[originalName, createAddedValues(request, rng)] as const];
    }),
  );
}

/** Name of the function that gives made values. */
const MADE_VALUE = 'perturbql_made_value';

/** A column of a rebuilt table that is to be created. */
interface ColumnPlan {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  /** The file's table and column that its values come from, folded; null for computed and made ones. */
  readonly from: { readonly table: string; readonly column: string } | null;
  /** One value per row in the order of the rows; null = those of the query. */
  readonly made: readonly SqlValue[] | null;
}

/** A table that has its rows. */
interface WrittenTable extends PlacedTable {
  readonly plans: readonly ColumnPlan[];
}

const NAME = /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[\w$]+/.source;
/** The head of an index's definition as SQLite stores it, up to its table; what is caught stands before the table. */
const INDEX_HEAD = new RegExp(`^\\s*CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+((?:${NAME})\\s+ON\\s*)(?:${NAME})`, 'i');

const q = (name: string): string => quoteIdentifier(name);

/** The keys of a table, by names. */
function keysOf(database: Database, t: number): string {
  const nameOf = (ref: ColumnRef): string => columnAt(database, ref).originalName;
  const primary = database.primaryKeys.filter(({ table }) => table === t).map(nameOf);
  return JSON.stringify([primary, ...foreignKeyClauses(database, t, q)]);
}

/** Checks whether an open file has a table of a schema with just its columns, in their order, and its foreign keys. */
export function isInFile(
  sqlite: Sqlite.Database,
  database: Database,
  { t, table: { originalName, columns } }: PlacedTable,
): boolean {
  const own = columnsOf(sqlite, originalName).map(({ name }) => foldName(name));
  if (own.join('\0') !== columns.map((column) => foldName(column.originalName)).join('\0')) return false;
  const linkOf = (...names: readonly string[]): string => names.map(foldName).join('\0');
  const declared = foreignKeysOf(sqlite, originalName).flatMap(({ parent, columns: pairs }) =>
    pairs.map(({ from, to }) => linkOf(from, parent, to ?? '')),
  );
  const wanted = linksOf(database, t).map((names) => linkOf(...names));
  return declared.every((link) => wanted.includes(link)) && wanted.every((link) => declared.includes(link));
}

/** Thrown for views that read the new tables but give other rows than before; their folded names. */
export class AlteredViews extends Error {
  constructor(readonly names: readonly string[]) {
    super(`views give other rows: ${names.join(', ')}`);
  }
}

/** Rebuilds tables of one open file; made for one use by {@link rebuildTables}. */
class TableRebuilder {
  readonly #sqlite: Sqlite.Database;
  readonly #origin: Database;
  readonly #schema: Database;
  readonly #rebuilt: readonly ContentTable[];
  readonly #staged: StagedTables;
  #made: Iterator<SqlValue, undefined> = new Array<SqlValue>().values();

  /** `asTables`: folded names of views that would give other rows, and are built as tables. */
  constructor(sqlite: Sqlite.Database, origin: Database, mutated: MutatedSchema, asTables: ReadonlySet<string>) {
    this.#sqlite = sqlite;
    this.#origin = origin;
    this.#schema = mutated.schema;
    const all = contentTables(mutated);
    const isAsTable = ({ table }: ContentTable): boolean => asTables.has(foldName(table.originalName));
    const changed = all.filter((one) => isAsTable(one) || !this.#isKept(one));
    const lost = lostViews(
      sqlite,
      this.#gone(changed),
      changed.map(({ table: { originalName: name, columns } }) => {
        return { name, columns: columns.map(({ originalName }) => originalName) };
      }),
    );
    // A view that can't read the new tables has its rows in a table of its name.
    this.#rebuilt = all.filter((one) => changed.includes(one) || lost.has(foldName(one.table.originalName)));
    this.#staged = new StagedTables(
      sqlite,
      this.#rebuilt.every(
        ({ table: { columns } }) => rowidOf(columns.map(({ originalName: name }) => ({ name }))) !== null,
      ),
    );
    sqlite.function(MADE_VALUE, () => this.#made.next().value ?? null);
  }

  #isKept(one: ContentTable): boolean {
    const { t, table, content } = one;
    const own = this.#origin.tables.findIndex(({ originalName }) => originalName === table.originalName);
    return (
      own >= 0 &&
      isUntouched(this.#origin, table.originalName, content) &&
      keysOf(this.#schema, t) === keysOf(this.#origin, own) &&
      isInFile(this.#sqlite, this.#schema, one)
    );
  }

  run(): readonly CarriedCell[] {
    this.#sqlite.exec('BEGIN');
    const read = new Set(this.#rebuilt.flatMap(({ content }) => tablesRead(content, this.#origin)));
    for (const table of read) if (!isSystemTable(table)) this.#staged.stage(table);
    const gone = this.#gone(this.#rebuilt);
    const views = new WatchedViews(this.#sqlite, this.#schema.tables, gone);
    const kept = new KeptObjects(this.#sqlite, gone);
    for (const name of gone) dropNamed(this.#sqlite, name);
    const written = this.#rebuilt.map((one) => this.#rebuild(one));
    const huge = written.flatMap(({ table, plans }) => this.#staged.huge.carriedTo(table.originalName, plans));
    this.#staged.drop();
    kept.putBack();
    this.#checkTables();
    // Indexes first: views that sort nothing have their rows in the order that these give.
    for (const one of written) this.#index(one);
    const altered = views.changed();
    if (altered.length > 0) throw new AlteredViews(altered);
    this.#sqlite.exec('COMMIT');
    return huge;
  }

  #checkTables(): void {
    const there = new Set(listTables(this.#sqlite).map(({ name }) => foldName(name)));
    const missing = this.#schema.tables.filter(
      (table) => !isSystemTable(table) && !there.has(foldName(table.originalName)),
    );
    if (missing.length === 0) return;
    throw new InternalError(
      `rebuilt tables are missing: ${missing.map(({ originalName }) => originalName).join(', ')}`,
    );
  }

  /** Folded names of the tables that go when some are rebuilt, and of those that come in their place. */
  #gone(rebuilt: readonly ContentTable[]): ReadonlySet<string> {
    const left = new Set(this.#schema.tables.map(({ originalName }) => foldName(originalName)));
    const removed = this.#origin.tables.filter(
      (table) => !isSystemTable(table) && !left.has(foldName(table.originalName)),
    );
    return new Set(
      [...rebuilt.map(({ table }) => table), ...removed].map(({ originalName }) => foldName(originalName)),
    );
  }

  /** Writes a table, but for its indexes, and for huge cells that are still to be carried. */
  #rebuild({ t, table, content }: ContentTable): WrittenTable {
    const plans = this.#plan(table, content);
    const columns = plans.map(({ name, type, collation }) => declaration(name, type, collation));
    const keys = [...this.#primaryKey(t, plans), ...foreignKeyClauses(this.#schema, t, q)];
    const target = `main.${q(table.originalName)}`;
    this.#sqlite.exec(`CREATE TABLE ${target} (${[...columns, ...keys].join(', ')})`);
    this.#sqlite.exec(`INSERT INTO ${target} ${content.select}`);
    for (const { name, made } of plans) {
      if (made === null) continue;
      this.#made = made.values();
      this.#sqlite.exec(`UPDATE ${target} SET ${q(name)} = ${MADE_VALUE}()`);
    }
    return { t, table, plans };
  }

  /** How each column of a table is created. */
  #plan(table: Table, content: TableContent): readonly ColumnPlan[] {
    const types = declaredTypes(this.#sqlite, table, content);
    const made = makeValues(this.#sqlite, this.#schema.id, table, content);
    const results = this.#sqlite.prepare(content.select).columns();
    return zip(table.columns, zip(types, results)).map(
      ([{ originalName: name }, [type, { table: origin, column }]]) => {
        const from = origin === null || column === null ? null : { table: foldName(origin), column: foldName(column) };
        const collation = from === null ? null : (this.#staged.get(from.table)?.collations.get(from.column) ?? null);
        const values = made.get(name);
        return { name, type: values?.declaredType ?? type, collation, from, made: values?.values ?? null };
      },
    );
  }

  /** A key where the file declares it or the relation made it, as rows may break what a schema says. */
  #primaryKey(t: number, plans: readonly ColumnPlan[]): readonly string[] {
    const key = this.#schema.primaryKeys.filter(({ table }) => table === t).map(({ column }) => itemAt(plans, column));
    const [first] = key;
    if (first === undefined) return [];
    const table = first.from?.table ?? '';
    const declared = this.#staged.get(table)?.key;
    const isOrigins =
      declared?.size === key.length &&
      key.every(({ from }) => from !== null && from.table === table && declared.has(from.column));
    const isComputed = key.every(({ from }) => from === null);
    return isOrigins || isComputed ? [`PRIMARY KEY (${key.map(({ name }) => q(name)).join(', ')})`] : [];
  }

  /**
   * The indexes of the tables that rows come from, as far as their columns are there: SQLite then reads rows as it does
   * on the origin. One that a statement made and that is gone keeps its name, on the first table that has any of its
   * columns.
   */
  #index({ t, table: { originalName: target }, plans }: WrittenTable): void {
    const sources = new Set(plans.flatMap(({ from }) => from?.table ?? []));
    const indexes = [...sources].flatMap((table) =>
      (this.#staged.get(table)?.indexes ?? []).map((index) => ({ table, ...index })),
    );
    let number = 0;
    for (const { table, name, partial, origin, terms, sql } of indexes) {
      const holder = this.#holderOf(name);
      const keepsName = origin === 'c' && holder === undefined;
      if (partial === 1 || terms.some(({ cid }) => cid < 0)) {
        if (keepsName && sql !== null) this.#createOn(target, name, plans, sql);
        continue;
      }
      if (holder === target) continue;
      const place = `perturbql_${t}_${number++}`;
      const columns = terms.flatMap((term) => {
        const plan = plans.find(({ from }) => from?.table === table && from.column === foldName(term.name ?? ''));
        return plan === undefined ? [] : [orderTerm(q(plan.name), term)];
      });
      if (columns.length === 0 || (columns.length < terms.length && !keepsName)) continue;
      this.#sqlite.exec(`CREATE INDEX main.${q(keepsName ? name : place)} ON ${q(target)} (${columns.join(', ')})`);
    }
  }

  /**
   * Creates a partial index, or one over expressions, on a table of another name, where that has its columns. A partial
   * index whose columns are gone, but not those of its condition, is over the table's first: a query may name it.
   */
  #createOn(target: string, name: string, [first]: readonly ColumnPlan[], sql: string): void {
    const there = sql.replace(INDEX_HEAD, (_, head: string) => `CREATE INDEX ${head}${q(target)}`);
    if (createIfPossible(this.#sqlite, there) || first === undefined) return;
    const condition = partialCondition(sql);
    if (condition === null) return;
    const head = `CREATE INDEX main.${q(name)} ON ${q(target)} (${q(first.name)})`;
    createIfPossible(this.#sqlite, `${head} WHERE ${condition}`);
  }

  /** The table that has the index of a name. */
  #holderOf(index: string): string | undefined {
    const select = "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'index' AND name = ?";
    return this.#sqlite.prepare(select).pluck().get(index) as string | undefined;
  }
}

/**
 * Rebuilds the tables of an open database that differ from the origin's in more than the names of their columns: from
 * the queries of their rows, with the declared types and collations of the columns that values come from. Foreign keys
 * are declared as the schema has them; indexes stay where their columns do, but enforce nothing, and other constraints
 * go. Gives back the cells that are still to be carried. Whoever calls throws the file away when this fails.
 * @param asTables folded names of views whose rows go into tables of their names
 * @throws SqliteError when SQLite refuses a query or a row; AlteredViews for views that must be among `asTables`, too
 */
export function rebuildTables(
  sqlite: Sqlite.Database,
  origin: Database,
  mutated: MutatedSchema,
  asTables: ReadonlySet<string>,
): readonly CarriedCell[] {
  return new TableRebuilder(sqlite, origin, mutated, asTables).run();
}

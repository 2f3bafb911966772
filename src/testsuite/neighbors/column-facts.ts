import type Sqlite from 'better-sqlite3';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { type Affinity, affinityOf } from '../../sql/affinity.js';
import { quoteIdentifier } from '../../sql/dialect.js';
import { columnNamed, refNamed, tableNamed } from '../../sql/schema-names.js';
import {
  type ColumnInfo,
  columnsOf,
  foreignKeysOf,
  indexesOf,
  keyColumns,
  pragmaRows,
} from '../../sql/execution/table-pragmas.js';
import type { RowConstraint } from '../../rows/constraints/row-constraint.js';

/** A declared foreign key: a row whose columns are not NULL has its parent. */
interface Reference {
  readonly from: readonly ColumnRef[];
  readonly to: readonly ColumnRef[];
}

/**
 * The facts that hold in every database of a suite, as proofs of equivalence need them; columns by `columnKey`.
 * Spider's tables.json doesn't say: it has no NOT NULL, one type for all numbers, and of a composite key often one
 * column only.
 */
export interface ColumnFacts {
  /** Columns that hold integers and NULL only. */
  readonly integer: ReadonlySet<string>;
  /** Columns that hold no NULL. */
  readonly notNull: ReadonlySet<string>;
  /** Sets of columns of one table of which no two rows have the same values, but for NULL. */
  readonly keys: readonly (readonly ColumnRef[])[];
  /** The affinity of the declared type, of columns whose texts are equal only when they are the same. */
  readonly affinities: ReadonlyMap<string, Affinity>;
  /** Foreign keys that hold where values are compared by `=`, too. */
  readonly references: readonly Reference[];
  /**
   * Pairs of columns, `pairKey`, of which one refers to the other and writes its values as the other does: a number
   * that is referred to by a text is never both '1' and '01'.
   */
  readonly writtenAlike: ReadonlySet<string>;
}

/** A pair of columns in either sequence. */
export function pairKey(a: ColumnRef, b: ColumnRef): string {
  return [columnKey(a), columnKey(b)].sort().join(' ');
}

/** Facts where nothing but the names and Spider's types are known. */
export const NO_FACTS: ColumnFacts = {
  integer: new Set(),
  notNull: new Set(),
  keys: [],
  affinities: new Map(),
  references: [],
  writtenAlike: new Set(),
};

/** In SQLite an INTEGER PRIMARY KEY is the row id. https://sqlite.org/lang_createtable.html */
function isRowId({ type, pk }: ColumnInfo, keyed: number): boolean {
  return pk > 0 && keyed === 1 && type.toUpperCase() === 'INTEGER';
}

/** Reads what one SQLite file says of a schema's columns. */
class FactReader {
  readonly #sqlite: Sqlite.Database;
  readonly #database: Database;
  readonly #facts = {
    integer: new Set<string>(),
    notNull: new Set<string>(),
    keys: [] as ColumnRef[][],
    affinities: new Map<string, Affinity>(),
    references: [] as Reference[],
    writtenAlike: new Set<string>(),
  };

  constructor(sqlite: Sqlite.Database, database: Database) {
    this.#sqlite = sqlite;
    this.#database = database;
  }

  read(): ColumnFacts {
    for (const table of this.#database.tables.keys()) this.#readTable(table);
    for (const table of this.#database.tables.keys()) this.#readReferences(table);
    return this.#facts;
  }

  #nameOf(table: number): string {
    return this.#database.tables[table]?.originalName ?? '';
  }

  #refOf(table: number, name: string): ColumnRef {
    return { table, column: columnNamed(this.#database, table, name) };
  }

  #readTable(table: number): void {
    const declared = columnsOf(this.#sqlite, this.#nameOf(table));
    const { integer, notNull, keys, affinities } = this.#facts;
    const collates = this.#collates(this.#nameOf(table));
    const key = keyColumns(declared).map(({ name }) => name);
    const uniques = [key, ...this.#uniqueIndexes(table)].filter((names) => names.length > 0);
    keys.push(...uniques.map((names) => names.map((name) => this.#refOf(table, name))));
    for (const info of declared) {
      const id = columnKey(this.#refOf(table, info.name));
      const affinity = affinityOf(info.type);
      if (!collates) affinities.set(id, affinity);
      if (affinity === 'INTEGER') integer.add(id);
      const isFull = info.notnull === 1 || isRowId(info, key.length) || (info.pk > 0 && !this.#holdsNull(table, info));
      if (isFull) notNull.add(id);
    }
  }

  #uniqueIndexes(table: number): string[][] {
    const indexes = indexesOf(this.#sqlite, this.#nameOf(table));
    const names = indexes
      .filter(({ unique, partial }) => unique === 1 && partial === 0)
      .map(({ terms }) => terms.map(({ name }) => name));
    return names.filter((parts): parts is string[] => !parts.includes(null));
  }

  /** SQLite lets a primary key hold NULL; random databases never have it there, the file may. */
  #holdsNull(table: number, { name }: ColumnInfo): boolean {
    const [from, column] = [quoteIdentifier(this.#nameOf(table)), quoteIdentifier(name)];
    return this.#sqlite.prepare(`SELECT 1 FROM ${from} WHERE ${column} IS NULL LIMIT 1`).get() !== undefined;
  }

  #readReferences(table: number): void {
    const name = this.#nameOf(table);
    if (!this.#referencesHold(table)) return;
    for (const { parent, columns } of foreignKeysOf(this.#sqlite, name)) {
      const other = tableNamed(this.#database, parent);
      const from = columns.map((column) => this.#refOf(table, column.from));
      const to = columns.map((column) => this.#refOf(other, column.to ?? ''));
      const isKnown = other >= 0 && [...from, ...to].every(({ column }) => column >= 0);
      if (!isKnown || [name, parent].some((each) => this.#collates(each))) continue;
      this.#facts.references.push({ from, to });
      const [child, parentColumn, column] = [from[0], to[0], columns[0]];
      if (from.length !== 1 || child === undefined || parentColumn === undefined || column === undefined) continue;
      if (this.#isWrittenAlike(name, column.from)) this.#facts.writtenAlike.add(pairKey(child, parentColumn));
    }
  }

  /**
   * Checks whether no text of a column writes a number otherwise than SQLite does; random databases copy what is
   * referred to.
   */
  #isWrittenAlike(table: string, name: string): boolean {
    const [from, column] = [quoteIdentifier(table), quoteIdentifier(name)];
    const number = `CAST(${column} AS NUMERIC)`;
    const other = `typeof(${column}) = 'text' AND ${column} = ${number} AND ${column} IS NOT CAST(${number} AS TEXT)`;
    return this.#sqlite.prepare(`SELECT 1 FROM ${from} WHERE ${other} LIMIT 1`).get() === undefined;
  }

  /** Checks whether a table may take texts for equal that are not the same. */
  #collates(table: string): boolean {
    const sql = this.#sqlite.prepare('SELECT sql FROM main.sqlite_schema WHERE lower(name) = lower(?)').pluck();
    return sql.all(table).some((text) => /\bCOLLATE\b/iu.test(String(text)));
  }

  /** The file may break what it declares; then its suite does, too. */
  #referencesHold(table: number): boolean {
    try {
      return pragmaRows(this.#sqlite, 'foreign_key_check', this.#nameOf(table)).length === 0;
    } catch {
      // SQLite refuses to check a foreign key to what is no key.
      return false;
    }
  }
}

/**
 * Reads the facts that the declarations of a SQLite file promise about a schema's columns, if values are of the types
 * declared. Random databases keep to these promises; if the file itself breaks one, it is no fact.
 */
export function readColumnFacts(sqlite: Sqlite.Database, database: Database): ColumnFacts {
  return new FactReader(sqlite, database).read();
}

function refsOf(database: Database, table: string, columns: readonly string[]): readonly ColumnRef[] | null {
  const refs = columns.flatMap((name) => refNamed(database, table, name) ?? []);
  return refs.length < columns.length ? null : refs;
}

/** Facts together with what the constraints of a suite add: proofs by them hold on databases that keep these. */
export function factsUnderData(
  facts: ColumnFacts,
  constraints: readonly RowConstraint[],
  database: Database,
): ColumnFacts {
  const [integer, notNull] = [new Set(facts.integer), new Set(facts.notNull)];
  const [keys, references] = [[...facts.keys], [...facts.references]];
  for (const constraint of constraints) {
    const { kind, table, columns } = constraint;
    const refs = refsOf(database, table, columns);
    if (refs === null) continue;
    if (kind === 'not-null') for (const ref of refs) notNull.add(columnKey(ref));
    else if (kind === 'values' && constraint.storage === 'integer') for (const ref of refs) integer.add(columnKey(ref));
    else if (kind === 'unique') keys.push(refs);
    else if (kind === 'reference' && constraint.exceptions === 0) {
      const to = refsOf(database, constraint.parent, constraint.parentColumns);
      if (to !== null) references.push({ from: refs, to });
    }
  }
  return { ...facts, integer, notNull, keys, references };
}

import type Sqlite from 'better-sqlite3';
import { isSqliteError, whileOpen } from '../../sql/execution/open-connection.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { foldName, quoteIdentifier } from '../../sql/dialect.js';
import { columnsOf, countFilled, foreignKeysOf, keyColumns, tableNames } from '../../sql/execution/table-pragmas.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';
import { refNamed } from '../../sql/schema-names.js';
import { emptyDatabase, unreadableDatabase } from '../fuzz/empty-database.js';
import { queryConstants, type QueryConstants } from '../fuzz/query-constants.js';
import {
  type ConstraintEvidence,
  danglingQuery,
  type DataLevel,
  looselyDanglingQuery,
  type NamedReference,
  type RowConstraint,
} from './row-constraint.js';
import { type ColumnRule, impliesRule, mineColumn } from './column-rule.js';

/** The source that constraints are mined from. */
export interface ConstraintSource {
  readonly database: Database;
  /** The original SQLite file; null where there is none. */
  readonly file: string | null;
  readonly level: DataLevel;
  /** Gold queries of the schema. */
  readonly golds: readonly string[];
}

/** A foreign key that is no constraint, as too many rows of the original break it. */
interface BrokenReference extends NamedReference {
  /** Of the rows that refer to something, those without a parent, as a share; where these are most, spaces and letter case around aside. */
  readonly share: number;
}

/** The constraints on the rows of all databases of a schema. */
export interface MinedConstraints {
  readonly level: DataLevel;
  readonly list: readonly RowConstraint[];
  /** The rules that values satisfy, by `columnPlace`. */
  readonly rules: ReadonlyMap<string, ColumnRule>;
  readonly broken: readonly BrokenReference[];
}

/** Nothing but what SQLite itself asks for. */
export const NO_CONSTRAINTS: MinedConstraints = { level: 'any', list: [], rules: new Map(), broken: [] };

/** A column of a file by the names of its table and its own, whatever their case. */
export function columnPlace(table: string, column: string): string {
  return `${foldName(table)}\0${foldName(column)}`;
}

/** Rows of a table that are looked at: of larger tables the first. */
const MOST_ROWS = 200_000;
/** The share of rows up to which a foreign key is broken by them; above it, all its values are written otherwise. */
const MOST_BROKEN = 0.5;
/** Of a foreign key, the share of rows without a parent that counts as mistakes in the data. */
const MOST_STRAYS = 0.05;

/** The foreign keys that the file declares and those of the data set's schema, each once. */
function referencesOf(sqlite: Sqlite.Database, { tables, foreignKeys }: Database): readonly NamedReference[] {
  const nameOf = ({ table, column }: ColumnRef): readonly [string, string] => {
    const own = tables[table];
    return [own?.originalName ?? '', own?.columns[column]?.originalName ?? ''];
  };
  const declared = tableNames(sqlite).flatMap((table) =>
    foreignKeysOf(sqlite, table).map(({ parent, columns }): NamedReference => {
      return {
        table,
        columns: columns.map(({ from }) => from),
        parent,
        parentColumns: columns.map(({ to }) => to ?? ''),
      };
    }),
  );
  const known = foreignKeys.map(({ from, to }): NamedReference => {
    const [[table, column], [parent, parentColumn]] = [nameOf(from), nameOf(to)];
    return { table, columns: [column], parent, parentColumns: [parentColumn] };
  });
  const keyOf = (one: NamedReference): string =>
    [one.table, ...one.columns, one.parent, ...one.parentColumns].map(foldName).join('\0');
  return [...new Map([...declared, ...known].map((one) => [keyOf(one), one])).values()];
}

/** Reads one file's constraints. */
class ConstraintMiner {
  readonly list: RowConstraint[] = [];
  readonly rules = new Map<string, ColumnRule>();
  readonly broken: BrokenReference[] = [];
  readonly #sqlite: Sqlite.Database;
  readonly #database: Database;
  readonly #level: DataLevel;
  /** The constants of the gold queries. */
  readonly #goldConstants: QueryConstants;
  readonly #references: readonly NamedReference[];
  readonly #names: readonly string[];
  readonly #rows: ReadonlyMap<string, number>;

  constructor(sqlite: Sqlite.Database, { database, level, golds }: Omit<ConstraintSource, 'file'>) {
    this.#sqlite = sqlite;
    this.#database = database;
    this.#level = level;
    this.#goldConstants = queryConstants(golds, database).all;
    this.#names = tableNames(sqlite);
    this.#references = referencesOf(sqlite, database).filter((reference) => this.#isWhole(reference));
    this.#rows = new Map(
      this.#names.map((name) => [foldName(name), this.#number(`SELECT count(*) FROM ${this.#some(name)}`)]),
    );
  }

  mine(): MinedConstraints {
    for (const table of this.#names) {
      this.#mineNulls(table);
      if (this.#level === 'observed') this.#mineRows(table);
      this.#mineValues(table);
    }
    for (const reference of this.#references) this.#mineReference(reference);
    const rules = this.#keptRules();
    const isKept = ({ table, columns: [column] }: RowConstraint): boolean =>
      rules.has(columnPlace(table, column ?? ''));
    const list = this.list.filter((one) => (one.kind !== 'values' && one.kind !== 'letter-case') || isKept(one));
    return { level: this.#level, list, rules, broken: this.broken };
  }

  /**
   * A column that refers holds what its parents hold: its rule is kept where one of theirs, kept itself, implies it.
   */
  #keptRules(): ReadonlyMap<string, ColumnRule> {
    const referring = this.#parentsOfReferring();
    const kept = new Map([...this.rules].filter(([place]) => !referring.has(place)));
    for (let before = -1; before < kept.size;) {
      before = kept.size;
      for (const [place, parents] of referring) {
        const rule = this.rules.get(place);
        const theirs = parents.flatMap((parent) => kept.get(parent) ?? []);
        if (rule !== undefined && theirs.some((their) => impliesRule(their, rule))) kept.set(place, rule);
      }
    }
    return kept;
  }

  /** By the place of a column that refers to others, the places of those. */
  #parentsOfReferring(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const one of this.list) {
      if (one.kind !== 'reference') continue;
      for (const [part, column] of one.columns.entries()) {
        const place = columnPlace(one.table, column);
        found.set(place, [...(found.get(place) ?? []), columnPlace(one.parent, one.parentColumns[part] ?? '')]);
      }
    }
    return found;
  }

  #rowsOf(table: string): number {
    return this.#rows.get(foldName(table)) ?? 0;
  }

  #evidenceOf(table: string): Exclude<ConstraintEvidence, 'declared'> {
    return this.#rowsOf(table) === 0 ? 'assumed' : 'observed';
  }

  #some(table: string): string {
    return `(SELECT * FROM main.${quoteIdentifier(table)} LIMIT ${MOST_ROWS})`;
  }

  #number(sql: string): number {
    return this.#sqlite.prepare(sql).pluck().get() as number;
  }

  /** Columns that can be written. */
  #columns(table: string): ReturnType<typeof columnsOf> {
    return columnsOf(this.#sqlite, table).filter(({ hidden }) => hidden === 0);
  }

  #isWhole({ table, columns, parent, parentColumns }: NamedReference): boolean {
    const has = (name: string, wanted: readonly string[]): boolean => {
      const own = new Set(columnsOf(this.#sqlite, name).map((column) => foldName(column.name)));
      return wanted.every((column) => own.has(foldName(column)));
    };
    return has(table, columns) && has(parent, parentColumns);
  }

  #mineNulls(table: string): void {
    const [columns, rows] = [this.#columns(table), this.#rowsOf(table)];
    if (columns.length === 0) return;
    const counts = columns.map(({ name }) => countFilled(quoteIdentifier(name))).join(', ');
    const filled = this.#sqlite
      .prepare(`SELECT ${counts} FROM ${this.#some(table)}`)
      .raw()
      .get() as number[];
    for (const [c, { name, notnull, pk }] of columns.entries()) {
      const isDeclared = notnull === 1 || pk > 0;
      const ref = refNamed(this.#database, table, name);
      // A gold query that tests for NULL is evidence that there may be one.
      const isTested = ref !== null && this.#goldConstants.nullTested.has(columnKey(ref));
      if (filled[c] !== rows || (!isDeclared && (isTested || this.#level === 'declared'))) continue;
      const evidence = isDeclared ? 'declared' : this.#evidenceOf(table);
      this.list.push({ kind: 'not-null', table, columns: [name], evidence, rows });
    }
  }

  /** Checks whether rows repeat, and whether there are any. */
  #mineRows(table: string): void {
    const [columns, rows] = [this.#columns(table), this.#rowsOf(table)];
    const evidence = this.#evidenceOf(table);
    const isRowless = [...this.#rows.values()].every((count) => count === 0);
    if (rows > 0 || isRowless) this.list.push({ kind: 'filled', table, columns: [], evidence, rows });
    if (columns.length === 0 || keyColumns(columns).length > 0) return;
    const names = columns.map(({ name }) => name);
    const shown = names.map((name) => quoteIdentifier(name)).join(', ');
    if (rows > 0 && this.#number(`SELECT count(*) FROM (SELECT DISTINCT ${shown} FROM ${this.#some(table)})`) < rows)
      return;
    this.list.push({ kind: 'unique', table, columns: names, evidence, rows });
  }

  #mineValues(table: string): void {
    const columns = columnsOf(this.#sqlite, table);
    const keys = new Set(keyColumns(columns).map(({ name }) => name));
    const rows = this.#rowsOf(table);
    for (const { name, type } of this.#columns(table)) {
      const ref = refNamed(this.#database, table, name);
      const constants = ref === null ? undefined : this.#goldConstants.byColumn.get(columnKey(ref));
      const mined = mineColumn(this.#sqlite, {
        from: this.#some(table),
        name,
        declaredType: type,
        rows: this.#level === 'observed' ? rows : 0,
        type: ref === null ? null : (this.#database.tables[ref.table]?.columns[ref.column]?.type ?? null),
        constants: constants?.values ?? [],
        isKey: keys.has(name) || this.#isReferenceEnd(table, name),
      });
      if (mined === null) continue;
      this.rules.set(columnPlace(table, name), mined.rule);
      const { storage, least, most, format } = mined.rule;
      const evident = { table, columns: [name], evidence: mined.evidence, rows };
      const isTime = storage === 'time';
      const bounds = { least: isTime ? null : least, most: isTime ? null : most, format: format?.template ?? null };
      if (storage !== null) this.list.push({ kind: 'values', ...evident, storage, ...bounds });
      if (mined.rule.spellings !== null) this.list.push({ kind: 'letter-case', ...evident });
    }
  }

  #isReferenceEnd(table: string, column: string): boolean {
    const isOwn = (name: string, names: readonly string[]): boolean =>
      foldName(name) === foldName(table) && names.some((other) => foldName(other) === foldName(column));
    return this.#references.some((one) => isOwn(one.table, one.columns) || isOwn(one.parent, one.parentColumns));
  }

  #mineReference(reference: NamedReference): void {
    const { table, columns, parent, parentColumns } = reference;
    const rows = this.#rowsOf(table);
    const exceptions = this.#level === 'observed' && rows > 0 ? this.#strays(reference) : 0;
    if (exceptions > MOST_STRAYS * rows) {
      this.broken.push({ ...reference, share: this.#brokenShare(reference) });
      return;
    }
    const evidence = this.#level === 'declared' ? 'declared' : this.#evidenceOf(table);
    this.list.push({ kind: 'reference', table, columns, parent, parentColumns, evidence, rows, exceptions });
  }

  /**
   * Of the rows that refer to something, those without a parent; where these are most, with spaces and letter case
   * overlooked, in which columns as a whole differ.
   */
  #brokenShare(reference: NamedReference): number {
    const from = this.#some(reference.table);
    const filled = reference.columns.map((column) => `${quoteIdentifier(column)} IS NOT NULL`).join(' AND ');
    const referring = this.#number(`SELECT count(*) FROM ${from} WHERE ${filled}`);
    const shareOf = (query: string): number => this.#number(`SELECT count(*) FROM (${query})`) / referring;
    const share = shareOf(danglingQuery(reference, from));
    return share <= MOST_BROKEN ? share : shareOf(looselyDanglingQuery(reference, from));
  }

  /** Rows without a parent. */
  #strays(reference: NamedReference): number {
    return this.#number(`SELECT count(*) FROM (${danglingQuery(reference, this.#some(reference.table))})`);
  }
}

/**
 * Mines the constraints on the rows of every database of a schema, at a level: those that the schema declares, and if
 * `observed` those that all rows of the original keep, or of a foreign key nearly all. A table without rows shows
 * nothing: there the constraints of most data are assumed (no NULL, no two rows alike, foreign keys that hold). Gold
 * queries count as evidence: a column that one tests for NULL may hold it, and their constants widen a column's range.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function mineConstraints({ file, ...source }: ConstraintSource): MinedConstraints {
  if (source.level === 'any') return NO_CONSTRAINTS;
  if (file !== null) {
    try {
      return readUntouched(file, (sqlite) => new ConstraintMiner(sqlite, source).mine());
    } catch (cause) {
      if (!isSqliteError(cause)) throw cause;
      throw unreadableDatabase(file, cause);
    }
  }
  return whileOpen(emptyDatabase(null, source.database), (sqlite) => new ConstraintMiner(sqlite, source).mine());
}

import type Sqlite from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/dialect.js';

/** The constraints on generated databases: those in data and schema, the schema's declared ones, or its keys alone. */
export const DATA_LEVELS = ['observed', 'declared', 'any'] as const;
export type DataLevel = (typeof DATA_LEVELS)[number];

/** `declared` by the schema; `observed` in every row of the original; `assumed` of a table without rows. */
export type ConstraintEvidence = 'declared' | 'observed' | 'assumed';

/** The kinds of values in a column. */
export const STORAGE_KINDS = ['integer', 'number', 'numeric-text', 'time', 'text'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

interface Evident {
  readonly table: string;
  readonly columns: readonly string[];
  readonly evidence: ConstraintEvidence;
  /** Rows of the table in the original. */
  readonly rows: number;
}

/** A constraint on every row of a schema's databases, by the names in the SQLite file. */
export type RowConstraint =
  | (Evident & { readonly kind: 'not-null' })
  /** No two rows of the table have the same values in these columns. */
  | (Evident & { readonly kind: 'unique' })
  | (Evident & {
      readonly kind: 'reference';
      readonly parent: string;
      readonly parentColumns: readonly string[];
      /** Rows of the original that break it, few: made databases keep it all the same. */
      readonly exceptions: number;
    })
  /** `least` and `most` of numbers; `format` of times, as "YYYY-MM-DD". */
  | (Evident & {
      readonly kind: 'values';
      readonly storage: StorageKind;
      readonly least: number | null;
      readonly most: number | null;
      readonly format: string | null;
    })
  /** No two values differ in letter case alone. */
  | (Evident & { readonly kind: 'letter-case' })
  /** The table has a row; it has no columns here. */
  | (Evident & { readonly kind: 'filled' });

/** A reference between columns of two tables, by name. */
export interface NamedReference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

/** A query that gives a row for each of a child's rows, which `from` selects, that has no parent. */
export function danglingQuery({ table, columns, parent, parentColumns }: NamedReference, from?: string): string {
  const child = from ?? `main.${quoteIdentifier(table)}`;
  const pairs = columns.map((column, part) => {
    return `child.${quoteIdentifier(column)} = parent.${quoteIdentifier(parentColumns[part] ?? '')}`;
  });
  const filled = columns.map((column) => `child.${quoteIdentifier(column)} IS NOT NULL`);
  return `SELECT 1 FROM ${child} AS child LEFT JOIN main.${quoteIdentifier(parent)} AS parent ON ${pairs.join(' AND ')}
    WHERE ${filled.join(' AND ')} AND parent.${quoteIdentifier(parentColumns[0] ?? '')} IS NULL`;
}

/** As `danglingQuery`, but a parent that differs in spaces around it and letter case alone is one. */
export function looselyDanglingQuery({ table, columns, parent, parentColumns }: NamedReference, from?: string): string {
  const loose = (column: string): string => `lower(trim(${quoteIdentifier(column)}))`;
  const [own, theirs] = [columns.map(loose), parentColumns.map(loose)].map((list) => list.join(', '));
  const filled = columns.map((column) => `${quoteIdentifier(column)} IS NOT NULL`);
  const known = parentColumns.map((column) => `${quoteIdentifier(column)} IS NOT NULL`);
  return `SELECT 1 FROM ${from ?? `main.${quoteIdentifier(table)}`} WHERE ${filled.join(' AND ')}
    AND (${own}) NOT IN (SELECT ${theirs} FROM main.${quoteIdentifier(parent)} WHERE ${known.join(' AND ')})`;
}

const SQLITE_TYPES: Readonly<Record<StorageKind, string>> = {
  integer: "'integer'",
  number: "'integer', 'real'",
  'numeric-text': "'text'",
  time: "'text'",
  text: "'text'",
};

function outsideQuery({ table, columns, storage, least, most }: Extract<RowConstraint, { kind: 'values' }>): string {
  const column = quoteIdentifier(columns[0] ?? '');
  const number = `CAST(${column} AS REAL)`;
  const bounds = [least === null ? [] : [`${number} < ${least}`], most === null ? [] : [`${number} > ${most}`]].flat();
  const wrong = [`typeof(${column}) NOT IN (${SQLITE_TYPES[storage]})`, ...bounds].join(' OR ');
  return `SELECT 1 FROM main.${quoteIdentifier(table)} WHERE ${column} IS NOT NULL AND (${wrong}) LIMIT 1`;
}

/** A query that gives a row where a database breaks a constraint; null where SQL alone can't tell. */
function breachQuery(constraint: RowConstraint): string | null {
  const table = `main.${quoteIdentifier(constraint.table)}`;
  const columns = constraint.columns.map((column) => quoteIdentifier(column));
  switch (constraint.kind) {
    case 'not-null':
      return `SELECT 1 FROM ${table} WHERE ${columns.map((column) => `${column} IS NULL`).join(' OR ')} LIMIT 1`;
    case 'unique':
      return `SELECT 1 FROM ${table} GROUP BY ${columns.join(', ')} HAVING count(*) > 1 LIMIT 1`;
    case 'reference':
      return `${danglingQuery(constraint)} LIMIT 1`;
    case 'values':
      return outsideQuery(constraint);
    case 'filled':
      return `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${table})`;
    default:
      return null;
  }
}

/**
 * Checks whether a database breaks a constraint, as far as SQL tells: formats of times and letter case are not looked
 * at.
 */
export function breaksConstraint(sqlite: Sqlite.Database, constraint: RowConstraint): boolean {
  const query = breachQuery(constraint);
  return query !== null && sqlite.prepare(query).get() !== undefined;
}

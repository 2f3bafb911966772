import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { formatCount } from '../../counts.js';
import { InputFormatError } from '../../errors.js';
import { type Affinity, affinityOf } from '../../sql/affinity.js';

/**
 * How perturbed databases are written: `copy`, a SQLite file each; `views`, a script each that is played as TEMP views
 * in front of the original; `none`, not at all.
 */
export const MATERIALIZE_MODES = ['copy', 'views', 'none'] as const;
export type MaterializeMode = (typeof MATERIALIZE_MODES)[number];

/** How the schemas of mutants are written with their rows: `migrations`, a SQL script each that is played on the original. */
export const MUTANT_MODES = ['copy', 'views', 'migrations'] as const;
export type MutantMode = (typeof MUTANT_MODES)[number];

/** A column of a SQLite table that gets another name (RPL); identifiers as the file's schema spells them. */
export interface ColumnRename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** A column that a SQLite table gets in addition (ADD). */
export interface ColumnAddition {
  readonly table: string;
  readonly name: string;
  /** Declared type, "TEXT"; empty = none. */
  readonly declaredType: string;
  /** The column that it is put before, by its name before any rename; null = it comes last. */
  readonly before: string | null;
  /** One value per row, in order of rowid (of the primary key for a table WITHOUT ROWID). */
  readonly values: readonly SqlValue[];
}

/** The differences of a perturbed database from the original. Additions before one column are in their order here. */
export interface DatabaseChange {
  readonly renames: readonly ColumnRename[];
  readonly additions: readonly ColumnAddition[];
}

function fits(value: SqlValue, affinity: Affinity): boolean {
  if (value === null) return true;
  if (affinity === 'INTEGER') return typeof value === 'bigint';
  if (affinity === 'REAL') return typeof value === 'bigint' || typeof value === 'number';
  return affinity === 'TEXT' ? typeof value === 'string' : value instanceof Uint8Array;
}

/**
 * The type that an added column is declared with. A STRICT table only takes types of its own and values that fit them:
 * there it is the one of the same affinity, else ANY.
 */
export function declaredTypeOf({ declaredType, values }: ColumnAddition, strict: boolean): string {
  if (!strict) return declaredType;
  const affinity = affinityOf(declaredType);
  return affinity !== 'NUMERIC' && values.every((value) => fits(value, affinity)) ? affinity : 'ANY';
}

/** @throws InputFormatError when a table has another number of rows than an added column has values */
export function checkCounts(table: string, additions: readonly ColumnAddition[], rows: number): void {
  const wrong = additions.find(({ values }) => values.length !== rows);
  if (wrong === undefined) return;
  throw new InputFormatError(
    `the table has ${formatCount(rows)} rows, but ${wrong.name} comes with ${formatCount(wrong.values.length)} values`,
    { where: { id: table }, fix: 'Check that the database has not changed since the run began.' },
  );
}

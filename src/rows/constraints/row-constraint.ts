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

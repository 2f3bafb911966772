import { FUNCTION_WORDS } from '../../reranker/function-words.js';
import { expandAbbreviations } from '../../schema/abbreviations.js';
import { columnKey, type ColumnRef, type ColumnType, type Database } from '../../schema/schema.js';
import { stemOf } from './question-words.js';

/** A column as the parser sees it. */
export interface SchemaColumn {
  readonly ref: ColumnRef;
  readonly type: ColumnType;
  readonly stems: readonly string[];
  readonly isPrimary: boolean;
  readonly isForeign: boolean;
}

/** The names of a schema as stems; `columns` in the order of the tables. */
export interface SchemaWords {
  readonly database: Database;
  readonly columns: readonly SchemaColumn[];
  /** Stems of each table's name. */
  readonly tables: readonly (readonly string[])[];
  /** Position in `columns` of each table's first column. */
  readonly firstColumns: readonly number[];
}

function nameStems(name: string): readonly string[] {
  const words = expandAbbreviations(name)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const content = words.filter((word) => !FUNCTION_WORDS.has(word));
  return (content.length === 0 ? words : content).map(stemOf);
}

function createSchemaWords(database: Database): SchemaWords {
  const primary = new Set(database.primaryKeys.map(columnKey));
  const foreign = new Set(database.foreignKeys.map(({ from }) => columnKey(from)));
  const columns = database.tables.flatMap((table, t) =>
    table.columns.map(({ name, type }, c): SchemaColumn => {
      const ref = { table: t, column: c };
      const key = columnKey(ref);
      return { ref, type, stems: nameStems(name), isPrimary: primary.has(key), isForeign: foreign.has(key) };
    }),
  );
  let next = 0;
  const firstColumns = database.tables.map((table) => (next += table.columns.length) - table.columns.length);
  return { database, columns, tables: database.tables.map(({ name }) => nameStems(name)), firstColumns };
}

const known = new WeakMap<Database, SchemaWords>();

/** The names of a database as stems; made once for each. */
export function schemaWords(database: Database): SchemaWords {
  let words = known.get(database);
  if (words === undefined) known.set(database, (words = createSchemaWords(database)));
  return words;
}

/** Position of a column in `SchemaWords.columns`. */
export function columnIndex({ firstColumns }: SchemaWords, { table, column }: ColumnRef): number {
  return (firstColumns[table] ?? 0) + column;
}

/** How much of two names is the same, from 0 to 1: shared stems over all stems. */
export function nameOverlap(left: readonly string[], right: readonly string[]): number {
  const shared = left.filter((stem) => right.includes(stem)).length;
  return shared === 0 ? 0 : shared / (left.length + right.length - shared);
}

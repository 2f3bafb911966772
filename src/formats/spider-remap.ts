import { type Column, columnKey, type ColumnRef, type ColumnType } from '../schema/schema.js';
import { isOriginal, type OutputSchema } from './output-set.js';
import { columnTypesOf } from './spider-tables.js';
import { itemAt, mustGet } from '../present.js';
import { groupBy } from '../run/group-by.js';

/** The sure content of a record in the form of Spider's `tables.json`; types may be words of another data set's. */
interface TablesRecord {
  readonly table_names: readonly string[];
  readonly column_names: readonly (readonly [number, string])[];
  readonly column_names_original: readonly (readonly [number, string])[];
  readonly column_types: readonly string[];
  readonly primary_keys: readonly (number | readonly number[])[];
  readonly foreign_keys: readonly (readonly [number, number])[];
}

interface FlatColumn {
  /** Index in the record; null for an added column. */
  readonly from: number | null;
  readonly table: number;
  readonly column: Column;
}

/** Index in the record of each column of the original, by `columnKey`. */
function recordIndices(record: TablesRecord): ReadonlyMap<string, number> {
  const listed = record.column_names.map(([table], index) => ({ table, index })).slice(1);
  const byTable = groupBy(listed, ({ table }) => table);
  return new Map(
    [...byTable.values()].flatMap((own) =>
      own.map(({ table, index }, column) => [columnKey({ table, column }), index] as const),
    ),
  );
}

function flatColumns({ schema, columns }: OutputSchema, indices: ReadonlyMap<string, number>): readonly FlatColumn[] {
  return schema.tables.flatMap((table, t) =>
    table.columns.map((column, c): FlatColumn => {
      const source = columns[t]?.[c] ?? null;
      const from =
        source === null ? null : mustGet(indices.get(columnKey({ table: t, column: source })), 'indices.get()');
      return { from, table: t, column };
    }),
  );
}

/** Readers make natural names of what a record holds: that of a kept column is written as the record has it. */
function naturalNameOf(record: TablesRecord, { from, column }: FlatColumn): string {
  if (from === null || itemAt(record.column_names_original, from)[1] !== column.originalName) return column.name;
  return itemAt(record.column_names, from)[1];
}

function remapRecord(record: TablesRecord, output: OutputSchema, typeName: (type: ColumnType) => string): unknown {
  const types = columnTypesOf(record);
  const flat = flatColumns(output, recordIndices(record));
  const moved = new Map(flat.map(({ from }, index) => [from, index + 1]));
  const move = (index: number): number => mustGet(moved.get(index), 'moved.get(index)');
  return {
    ...record,
    ...ownTableFields(record, output),
    db_id: output.schema.id,
    column_names: [record.column_names[0], ...flat.map((one) => [one.table, naturalNameOf(record, one)])],
    column_names_original: [
      record.column_names_original[0],
      ...flat.map(({ table, column }) => [table, column.originalName]),
    ],
    column_types: [types[0], ...flat.map(({ from, column }) => (from === null ? typeName(column.type) : types[from]))],
    primary_keys: record.primary_keys.map((key) => (typeof key === 'number' ? move(key) : key.map(move))),
    foreign_keys: record.foreign_keys.map((key) => key.map(move)),
  };
}

/**
 * The record of a schema that is written: an original's as it was. That of a perturbed one is made from its original's:
 * names that did not change are written as they were, composite keys and unknown fields stay, indices follow their
 * columns. Columns come in the order of their tables. `records` are those of the input by database id; `typeName` is
 * the data set's word for the type of an added column.
 */
export function remapTables(
  records: ReadonlyMap<string, unknown>,
  output: OutputSchema,
  typeName: (type: ColumnType) => string = (type) => type,
): unknown {
  const original = records.get(output.origin);
  return isOriginal(output) ? original : remapRecord(original as TablesRecord, output, typeName);
}

/** Fields of Spider's `tables.json`, which are made of the schema. */
const SPIDER_FIELDS: ReadonlySet<string> = new Set([
  'db_id',
  'table_names',
  'table_names_original',
  'column_names',
  'column_names_original',
  'column_types',
  'primary_keys',
  'foreign_keys',
]);

/** Returns an added column's entry in a list of the data set's own: nothing, in the shape of the other entries. */
function emptyEntry(like: unknown, table: number): unknown {
  if (typeof like === 'string') return '';
  if (!Array.isArray(like)) return null;
  const [first, second] = like as readonly unknown[];
  return typeof first === 'number' && typeof second === 'string' ? [table, ''] : [];
}

/**
 * The fields of a record that are none of Spider's, for a schema that was made from it: a list with an entry per
 * column, such as descriptions, follows the columns, all else stays. Entries that begin with a table's index keep it.
 */
export function ownTableFields(given: unknown, output: OutputSchema): Readonly<Record<string, unknown>> {
  const record = given as TablesRecord;
  return ownFields(record, (entries) => {
    const moved = flatColumns(output, recordIndices(record)).map(({ from, table }) =>
      from === null ? emptyEntry(entries[1], table) : entries[from],
    );
    return [entries[0], ...moved];
  });
}

/** The fields of a record that are none of Spider's; lists with an entry per column as `follow` gives them. */
function ownFields(
  record: TablesRecord,
  follow: (entries: readonly unknown[]) => readonly unknown[],
): Readonly<Record<string, unknown>> {
  const own = Object.entries(record).filter(([field]) => !SPIDER_FIELDS.has(field));
  return Object.fromEntries(
    own.map(([field, value]: [string, unknown]) =>
      Array.isArray(value) && value.length === record.column_names.length ? [field, follow(value)] : [field, value],
    ),
  );
}

/** As `ownTableFields`, for a schema with more columns after its own; `tables` are theirs. */
export function extendedTableFields(given: unknown, tables: readonly number[]): Readonly<Record<string, unknown>> {
  return ownFields(given as TablesRecord, (entries) => [
    ...entries,
    ...tables.map((table) => emptyEntry(entries[1], table)),
  ]);
}

/** An entry that begins with its table's index, with another one. */
function entryOf(entry: unknown, from: number, table: number): unknown {
  const isPair = Array.isArray(entry) && entry.length > 1 && entry[0] === from;
  return isPair ? [table, ...(entry as readonly unknown[]).slice(1)] : entry;
}

/** As `ownTableFields`, for a schema whose columns may have moved to other tables; `sources` by table and column. */
export function movedTableFields(
  given: unknown,
  sources: readonly (readonly (ColumnRef | null)[])[],
): Readonly<Record<string, unknown>> {
  const record = given as TablesRecord;
  const indices = recordIndices(record);
  return ownFields(record, (entries) => {
    const moved = sources.flatMap((columns, table) =>
      columns.map((source) => {
        const from = source === null ? undefined : indices.get(columnKey(source));
        if (source === null || from === undefined) return emptyEntry(entries[1], table);
        return entryOf(entries[from], source.table, table);
      }),
    );
    return [entries[0], ...moved];
  });
}

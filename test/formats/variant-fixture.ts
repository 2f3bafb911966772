import { type Dataset, groupExamples } from '../../src/formats/dataset.js';
import type { OutputExample, OutputSchema, OutputSet } from '../../src/formats/output-set.js';
import { columnKey, type Column, type Database } from '../../src/schema/schema.js';
import { renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { outputSetOf, type HandmadeVariant } from './output-set-fixture.js';

/** A schema made by hand, and how gold queries follow it. */
export interface HandmadeSchema {
  readonly kind: 'RPL' | 'ADD';
  readonly schema: OutputSchema;
  readonly rewrite: (query: string) => string;
}

const identity = (database: Database): (number | null)[][] =>
  database.tables.map(({ columns }) => columns.map((_, c) => c));

/** Renames one column. */
export function renamed(database: Database, table: number, column: number, name: string, to: string): HandmadeSchema {
  const tables = database.tables.map((one, t) => ({
    ...one,
    columns: one.columns.map((old, c) => (t === table && c === column ? { ...old, name, originalName: to } : old)),
  }));
  return {
    kind: 'RPL',
    schema: {
      schema: { ...database, tables, id: `${database.id}__rpl_1` },
      origin: database.id,
      columns: identity(database),
    },
    rewrite: (query) => renameColumns(query, database, new Map([[columnKey({ table, column }), to]])).sql,
  };
}

/** Adds one column before the one at a position. */
export function added(database: Database, table: number, position: number, column: Column): HandmadeSchema {
  const columns = identity(database);
  columns[table]!.splice(position, 0, null);
  const tables = database.tables.map((one, t) => ({
    ...one,
    columns: columns[t]!.map((source) => (source === null ? column : one.columns[source]!)),
  }));
  const move = (ref: { table: number; column: number }): { table: number; column: number } => ({
    ...ref,
    column: columns[ref.table]!.indexOf(ref.column),
  });
  const schema: Database = {
    id: `${database.id}__add_1`,
    tables,
    primaryKeys: database.primaryKeys.map(move),
    foreignKeys: database.foreignKeys.map(({ from, to }) => ({ from: move(from), to: move(to) })),
  };
  return {
    kind: 'ADD',
    schema: { schema, origin: database.id, columns },
    rewrite: (query) => rewriteForAdded(query, database, new Map([[table, [column.originalName]]])).sql,
  };
}

/** The originals, and after each group its examples on every schema made by hand of their database. */
export function setWith(
  input: Dataset,
  schemas: readonly HandmadeSchema[],
  files: Record<string, string> = {},
): OutputSet {
  const variants = schemas.map(({ kind, schema }): HandmadeVariant => {
    const file = files[schema.schema.id];
    return { source: '', kind, schema, query: '', ...(file === undefined ? {} : { file }) };
  });
  const set = outputSetOf(input, variants);
  const originals = new Map([...set.examples()].map((one) => [one.source.id, one]));
  return {
    ...set,
    *examples(): Generator<OutputExample> {
      for (const group of groupExamples(input.examples())) {
        for (const { id } of group) yield originals.get(id)!;
        for (const { kind, schema, rewrite } of schemas.filter((one) => one.schema.origin === group[0].dbId)) {
          for (const source of group) yield { source, kind, schema, query: rewrite(source.query) };
        }
      }
    },
  };
}

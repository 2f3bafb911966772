import type Sqlite from 'better-sqlite3';
import { type AddedValues, createAddedValues } from '../../../rows/values/added-values.js';
import type { TableSample } from '../../../rows/values/table-sample.js';
import { zip } from '../../../present.js';
import type { Table } from '../../../schema/schema.js';
import { createRng } from '../../../seeded-rng.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { TableContent } from '../mutated-schema.js';

/** Rows that made values are fitted to. */
const SAMPLED_ROWS = 2000;

/** The declared types of a table's columns, as far as its query and its relation tell them. */
export function declaredTypes(sqlite: Sqlite.Database, { columns }: Table, content: TableContent): readonly string[] {
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

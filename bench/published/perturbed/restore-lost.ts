import type { GoldUse } from '../../../src/variants/relations/schema/gold-use.js';
import { itemAt } from '../../../src/present.js';
import { columnKey, type Database } from '../../../src/schema/schema.js';
import { foldName } from '../../../src/sql/dialect.js';
import type { SchemaMapping } from './schema-mapping.js';

/** The new schema with the columns that a gold needs and that its table lost on the way. */
interface RestoredSchema {
  readonly database: Database;
  readonly mapping: SchemaMapping;
  /** Those columns as they are called now: "merged_table.league_id". */
  readonly restored: readonly string[];
}

function freeName(names: readonly string[], table: string, column: string): string {
  const taken = new Set(names.map(foldName));
  const candidates = [column, `${table}_${column}`];
  for (let n = 2; ; n++) {
    const name = candidates.shift() ?? `${table}_${column}_${n}`;
    if (!taken.has(foldName(name))) return name;
  }
}

/**
 * Gives a new schema back the columns of a gold that renaming or merging tables lost: two columns under one name, keys
 * that a merged table leaves out. Tables that are gone stay so.
 */
export function restoreLost(before: Database, after: Database, mapping: SchemaMapping, use: GoldUse): RestoredSchema {
  const tables = [...after.tables];
  const columns = mapping.columns.map((fates) => [...fates]);
  const restored: string[] = [];
  before.tables.forEach((table, t) => {
    const heir = mapping.tables[t] ?? null;
    if (heir === null) return;
    table.columns.forEach((column, c) => {
      const isLost = columns[t]?.[c]?.kind === 'gone' && use.columns.has(columnKey({ table: t, column: c }));
      if (!isLost) return;
      const now = itemAt(tables, heir);
      const names = now.columns.map(({ originalName }) => originalName);
      const name = freeName(names, table.originalName, column.originalName);
      tables[heir] = { ...now, columns: [...now.columns, { ...column, originalName: name }] };
      itemAt(columns, t)[c] = { kind: 'kept', name };
      restored.push(`${now.originalName}.${name}`);
    });
  });
  if (restored.length === 0) return { database: after, mapping, restored };
  return { database: { ...after, tables }, mapping: { ...mapping, columns }, restored };
}

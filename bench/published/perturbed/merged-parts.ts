import { rewriteGold } from '../../../src/variants/relations/evolution/gold-rewriter.js';
import type { SubqueryReading } from '../../../src/variants/relations/evolution/source-reading.js';
import { itemAt } from '../../../src/present.js';
import type { Database, Table } from '../../../src/schema/schema.js';
import { renderIdentifier, SQLITE } from '../../../src/sql/dialect.js';
import { type GoldStage, Underivable, useOn } from './underivable.js';

/** The columns that tell the rows of a table apart: its key, else all. */
function keyOf({ primaryKeys }: Database, t: number, { columns }: Table): readonly number[] {
  const own = primaryKeys.filter(({ table }) => table === t).map(({ column }) => column);
  return own.length === 0 ? [...columns.keys()] : own;
}

/** Each part of a merged table read for itself: its rows, each once. */
function partOf(database: Database, t: number, merged: string, used: readonly number[]): SubqueryReading {
  const table = itemAt(database.tables, t);
  const key = keyOf(database, t, table);
  const named = (c: number): string => renderIdentifier(itemAt(table.columns, c).originalName);
  const columns = [
    ...new Set([...used, ...key.filter((c) => !itemAt(table.columns, c).originalName.startsWith('gone '))]),
  ];
  const isThere = key.map(named).map((name) => `${name} IS NOT NULL`);
  const condition = isThere.length === 1 ? (isThere[0] ?? '') : isThere.join(' OR ');
  const select = `SELECT DISTINCT ${columns.map(named).join(', ')} FROM ${renderIdentifier(merged)} WHERE ${condition}`;
  return { kind: 'subquery', select, columns };
}

/**
 * A gold on merged tables that nothing links: each is read out of the merged one. @throws Underivable where a gold needs
 * row ids
 */
export function readParts(stage: GoldStage, after: Database, heirs: readonly (number | null)[]): GoldStage {
  const { database } = stage;
  const isShared = (heir: number | null): heir is number =>
    heir !== null && heirs.filter((one) => one === heir).length > 1;
  const parts = new Set([...heirs.keys()].filter((t) => isShared(heirs[t] ?? null)));
  const kept = database.tables.filter((_, t) => !parts.has(t));
  const merged = [...new Set(heirs.filter(isShared))].map((heir) => itemAt(after.tables, heir));
  const changed = { ...database, tables: [...kept, ...merged], primaryKeys: [], foreignKeys: [] };
  const sql = rewriteGold({
    gold: useOn(stage),
    database,
    changed,
    dialect: SQLITE,
    tables: parts,
    read: ({ source: { relation }, columns }) => {
      const t = relation.table ?? 0;
      return partOf(database, t, itemAt(after.tables, heirs[t] ?? 0).originalName, columns);
    },
  });
  if (typeof sql !== 'string') throw new Underivable(`it can’t be said on the merged table: ${sql.reason}`);
  return { sql, database: changed };
}

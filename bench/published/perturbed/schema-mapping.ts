import type { PerturbedPair, PublishedMapping } from '../../../src/formats/dataset.js';
import { itemAt } from '../../../src/present.js';
import type { Database, Table } from '../../../src/schema/schema.js';
import { foldName } from '../../../src/sql/dialect.js';
import { alignColumns, type ColumnFate } from './align-columns.js';
import { mergedFates } from './merged-columns.js';

/** Share of a table's columns that another one must have, to be the same under another name. */
const SAME_TABLE = 0.5;

/** How one schema became another, table by table and column by column. */
export interface SchemaMapping {
  /** Position in the new schema of each old table; null where it is gone. */
  readonly tables: readonly (number | null)[];
  readonly columns: readonly (readonly ColumnFate[])[];
}

const namesOf = ({ columns }: Table): readonly string[] => columns.map(({ originalName }) => foldName(originalName));

function overlap(old: Table, now: Table): number {
  const names = new Set(namesOf(now));
  return namesOf(old).filter((name) => names.has(name)).length / Math.max(1, old.columns.length);
}

/** The table of the new schema that an old one became. */
function heirOf(t: number, before: Database, after: Database, { tables: said }: PublishedMapping): number | null {
  const old = itemAt(before.tables, t);
  const at = (name: string): number =>
    after.tables.findIndex(({ originalName }) => foldName(originalName) === foldName(name));
  const told = [...said].find(([name]) => foldName(name) === foldName(old.originalName))?.[1];
  const places = [told === undefined ? -1 : at(told), at(old.originalName)];
  const named = places.find((place) => place >= 0);
  if (named !== undefined) return named;
  const isNew = (now: Table): boolean =>
    !before.tables.some(({ originalName }) => foldName(originalName) === foldName(now.originalName));
  const alike = after.tables
    .map((now, place) => ({ place, now, share: overlap(old, now) }))
    .filter(({ now, share }) => isNew(now) && (share >= SAME_TABLE || now.columns.length === old.columns.length))
    .sort((a, b) => b.share - a.share);
  return alike[0]?.place ?? null;
}

/** How the old schema of a published example became the new one, as both and the example's record tell. */
export function mapSchemas(pair: PerturbedPair, before: Database, after: Database): SchemaMapping {
  const tables = before.tables.map((_, t) => heirOf(t, before, after, pair.mapping));
  const columns = before.tables.map((old, t): readonly ColumnFate[] => {
    const heir = tables[t] ?? null;
    if (heir === null) return old.columns.map(() => ({ kind: 'gone' }));
    const now = itemAt(after.tables, heir);
    const parts = [...tables.keys()].filter((other) => tables[other] === heir);
    if (parts.length > 1) return itemAt(mergedFates(before, parts, now, pair.mapping), parts.indexOf(t));
    return alignColumns(old, now, pair.mapping);
  });
  return { tables, columns };
}

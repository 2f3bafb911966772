import { SqlRewriteError } from '../../../src/errors.js';
import type { ReadAffinity } from '../../../src/variants/relations/evolution/source-reading.js';
import { rewriteGold } from '../../../src/variants/relations/evolution/gold-rewriter.js';
import { followTableNames } from '../../../src/variants/relations/evolution/table-naming.js';
import { goldUse, type GoldUse } from '../../../src/variants/relations/schema/gold-use.js';
import { itemAt } from '../../../src/present.js';
import { type Column, columnKey, type Database } from '../../../src/schema/schema.js';
import { foldName, SQLITE } from '../../../src/sql/dialect.js';
import { rewriteQuery } from '../../../src/sql/query-rewriter.js';
import { changeSchema, NO_CHANGE } from '../../../src/sql/schema-change.js';
import type { ColumnRecoding } from './align-columns.js';
import { columnForm } from './column-forms.js';
import { mergeTables, type TableMerge } from './merge-gold.js';
import { restoreLost } from './restore-lost.js';
import { type GoldStage, type RepairRefusal, Underivable, useOn } from './underivable.js';
import type { SchemaMapping } from './schema-mapping.js';

/** A gold on the new schema, which is complete here: what it had lost of the gold's columns is there again. */
export interface DerivedGold {
  readonly sql: string;
  readonly database: Database;
  readonly mapping: SchemaMapping;
  /** Columns that the schema got back. */
  readonly restored: readonly string[];
  /** How tables became one, in order; null where they are read side by side. */
  readonly merges: readonly TableMerge[] | null;
}

/** The identifier of a column that is gone, which no other column can have. */
export const goneName = (table: number, column: number): string => `gone ${table}.${column}`;

function checkNeeds({ columns, tables }: GoldUse, database: Database, mapping: SchemaMapping): void {
  for (const [t, { originalName, columns: own }] of database.tables.entries()) {
    if (mapping.tables[t] === null && tables.has(t)) throw new Underivable(`it needs table ${originalName}`, 'gone');
    const lost = own.find((_, c) => {
      return columns.has(columnKey({ table: t, column: c })) && mapping.columns[t]?.[c]?.kind === 'gone';
    });
    if (lost !== undefined) throw new Underivable(`it needs column ${originalName}.${lost.originalName}`, 'gone');
  }
}

/** Columns of the new schema that no old one became, by old table. */
function addedColumns(
  before: Database,
  after: Database,
  mapping: SchemaMapping,
): ReadonlyMap<number, readonly string[]> {
  const added = before.tables.map((_, t): readonly [number, readonly string[]] => {
    const heir = mapping.tables[t] ?? null;
    const isShared = mapping.tables.filter((other) => other === heir).length > 1;
    if (heir === null || isShared) return [t, []];
    const fates = mapping.columns[t] ?? [];
    const known = fates.flatMap((fate) =>
      fate.kind === 'kept' ? [fate.name] : fate.kind === 'recoded' ? fate.recoding.now : [],
    );
    const names = itemAt(after.tables, heir).columns.map(({ originalName }) => originalName);
    return [t, names.filter((name) => !known.includes(name))];
  });
  return new Map(added.filter(([, names]) => names.length > 0));
}

/** The gold with its columns under their new names, in the old tables. */
function renameAll(stage: GoldStage, after: Database, mapping: SchemaMapping): GoldStage {
  const { database, sql } = stage;
  const renames = new Map<string, string>();
  database.tables.forEach(({ columns }, t) => {
    columns.forEach(({ originalName }, c) => {
      const fate = mapping.columns[t]?.[c];
      const name = fate?.kind === 'kept' ? fate.name : fate?.kind === 'gone' ? goneName(t, c) : originalName;
      if (name !== originalName) renames.set(columnKey({ table: t, column: c }), name);
    });
  });
  const change = { ...NO_CHANGE, renames, added: addedColumns(database, after, mapping) };
  return { sql: rewriteQuery(sql, database, change).sql, database: changeSchema(database, change) };
}

const AFFINITIES: Readonly<Record<Column['type'], ReadAffinity>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'NUMERIC with texts',
  boolean: 'NUMERIC',
  others: null,
};

function recodedColumns(columns: readonly Column[], { old, now }: ColumnRecoding): readonly Column[] {
  const made = now.map((name): Column => ({ name: name.toLowerCase(), originalName: name, type: 'text' }));
  return columns.flatMap((column, c) => (c === old[0] ? made : old.includes(c) ? [] : [column]));
}

/** The gold where columns of one table are in another form. */
function recode(stage: GoldStage, table: number, recoding: ColumnRecoding): GoldStage {
  const { database } = stage;
  const own = itemAt(database.tables, table);
  const names = own.columns.map(({ originalName }) => originalName);
  const form = columnForm(
    recoding.old.map((c) => itemAt(names, c)),
    recoding.now,
    names,
  );
  const columns = recodedColumns(own.columns, recoding);
  const changed = {
    ...database,
    tables: database.tables.with(table, { ...own, columns }),
    primaryKeys: [],
    foreignKeys: [],
  };
  const readings = new Map(
    recoding.old.map((c, i) => {
      const sql = (column: (name: string) => string): string => itemAt(form.old(recoding.now.map(column), column), i);
      return [c, { affinity: AFFINITIES[itemAt(own.columns, c).type], sql }] as const;
    }),
  );
  const sql = rewriteGold({
    gold: useOn(stage),
    database,
    changed,
    dialect: SQLITE,
    tables: new Set([table]),
    read: () => ({ kind: 'table', table: own.originalName, columns: readings, joined: null }),
  });
  if (typeof sql !== 'string') throw new Underivable(sql.reason);
  return { sql, database: changed };
}

function recodeAll(stage: GoldStage, mapping: SchemaMapping): GoldStage {
  const met = new Set<ColumnRecoding>();
  const recodings = mapping.columns.flatMap((fates, t) =>
    fates.flatMap((fate) => {
      if (fate.kind !== 'recoded' || met.has(fate.recoding)) return [];
      met.add(fate.recoding);
      return [[t, fate.recoding] as const];
    }),
  );
  // From the right, so that positions of the others stay.
  const ordered = recodings.sort(([, a], [, b]) => itemAt(b.old, 0) - itemAt(a.old, 0));
  return ordered.reduce((made, [t, recoding]) => recode(made, t, recoding), stage);
}

/** The gold with tables under their new names; tables that became one keep theirs. */
function renameTables(stage: GoldStage, after: Database, { tables }: SchemaMapping): GoldStage {
  const { database } = stage;
  const names = new Map<number, Database['tables'][number]>();
  tables.forEach((heir, t) => {
    const isShared = tables.filter((other) => other === heir).length > 1;
    if (heir === null || isShared) return;
    const now = itemAt(after.tables, heir);
    if (foldName(now.originalName) !== foldName(itemAt(database.tables, t).originalName)) names.set(t, now);
  });
  if (names.size === 0) return stage;
  const renamed = database.tables.map((table, t) => ({
    ...table,
    originalName: names.get(t)?.originalName ?? table.originalName,
  }));
  const changed = { ...database, tables: renamed };
  const sql = followTableNames(useOn(stage), { database, changed }, names, SQLITE);
  if (typeof sql !== 'string') throw new Underivable(sql.reason);
  return { sql, database: changed };
}

/**
 * Derives the gold of a new schema from that of the old one: names are changed at the tree, columns in another form
 * become what restores their values, joins of tables that are one now fall. Where nothing is meant to be removed, the
 * schema gets back columns of the gold that it lost.
 */
export function deriveGold(
  query: string,
  before: Database,
  published: Database,
  said: SchemaMapping,
  isRemoval: boolean,
): DerivedGold | RepairRefusal {
  try {
    const stage = { sql: query, database: before };
    const use = useOn(stage);
    const none = { database: published, mapping: said, restored: [] };
    const { database: after, mapping, restored } = isRemoval ? none : restoreLost(before, published, said, use);
    checkNeeds(use, before, mapping);
    const renamed = renameTables(recodeAll(renameAll(stage, after, mapping), mapping), after, mapping);
    const { sql, merges } = mergeTables(renamed, after, mapping.tables);
    if (goldUse(sql, after, SQLITE) === null) return { refused: 'inexpressible', reason: 'it does not bind there' };
    return { sql, database: after, mapping, restored, merges };
  } catch (error) {
    if (error instanceof Underivable) return { refused: error.refused, reason: error.message };
    if (error instanceof SqlRewriteError) return { refused: 'inexpressible', reason: error.message };
    throw error;
  }
}

import { itemAt } from '../../../present.js';
import { type Column, columnAt, type Database, type ForeignKey, type Table } from '../../../schema/schema.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import { expandStars } from '../../../sql/rename-columns.js';
import type { NotApplicable } from '../relation.js';
import { type Flattened, flattenQuery } from '../schema/flatten-query.js';
import { goldUse, type GoldUse, Inexpressible } from '../schema/gold-use.js';
import { rewriteGold } from './gold-rewriter.js';
import { type ColumnReading, renamedTable, type SourceReading, type SourceUse } from './source-reading.js';
import { soleKeyOf } from '../schema/usable-columns.js';
import type { TableName } from './table-naming.js';

/** Two tables that become one along a key, a row of the first with its row of the second. */
export interface TableMergePlan {
  readonly key: ForeignKey;
  readonly first: Table;
  readonly second: Table;
  readonly merged: TableName;
  /** The second table's columns as the merged one has them; its key is the first one's column. */
  readonly columns: readonly Column[];
  /** The declared types of both tables' columns, in order; null for those that have none. */
  readonly types: readonly (string | null)[];
  /**
   * True if rows of the second table have no row of the first: they are in the merged table with nothing in its
   * columns.
   */
  readonly hasLonely: boolean;
  /** True if each row of the second table is in one row of the merged table only. */
  readonly isOneToOne: boolean;
  /** True if rows of the first table have no row of the second. */
  readonly hasNulls: boolean;
}

type Follow = (gold: GoldUse, changed: Database) => string | NotApplicable;

/** The schema where the second table is gone and its columns are in the first, which has its own name still. */
function flattenedSchema(database: Database, { key: { from, to }, first, columns }: TableMergePlan): Database {
  const table = { ...first, columns: [...first.columns, ...columns.toSpliced(to.column, 1)] };
  const tables = database.tables.with(from.table, table).toSpliced(to.table, 1);
  return { ...database, tables, primaryKeys: [], foreignKeys: [] };
}

/** The merged table has row ids of its own. */
function refuseRowids({ usesRowid }: SourceUse): void {
  if (usesRowid) throw new Inexpressible('row-id');
}

/** Follows gold queries of two tables onto the one that they were merged into; made once per merge. */
class MergeFollower {
  readonly #database: Database;
  readonly #plan: TableMergePlan;
  readonly #dialect: SqlDialect;
  readonly #flat: Database;

  constructor(database: Database, plan: TableMergePlan, dialect: SqlDialect) {
    this.#database = database;
    this.#plan = plan;
    this.#dialect = dialect;
    this.#flat = flattenedSchema(database, plan);
  }

  follow(gold: GoldUse, changed: Database): string | NotApplicable {
    const joined = this.#followJoin(gold, changed);
    if (joined !== null) return joined;
    const { from, to } = this.#plan.key;
    return rewriteGold({
      gold,
      changed,
      database: this.#database,
      dialect: this.#dialect,
      tables: new Set([from.table, to.table]),
      read: (use) => (use.source.relation.table === from.table ? this.#readFirst(use) : this.#readSecond(use)),
    });
  }

  /** A gold that joins the two along the key, without the join; null where it does anything else with them. */
  #followJoin(gold: GoldUse, changed: Database): string | null {
    const { key, columns, hasLonely, hasNulls, merged } = this.#plan;
    const [main, dropped] = [key.from.table, key.to.table];
    if (hasLonely || !gold.tables.has(main) || !gold.tables.has(dropped)) return null;
    const spelled = goldUse(expandStars(gold.sql, this.#database, this.#dialect).sql, this.#database, this.#dialect);
    if (spelled === null) return null;
    const names = columns.map(({ originalName }) => originalName);
    const flattened: Flattened = {
      main,
      dropped,
      keys: [{ from: key.from.column, to: key.to.column, names, guarded: hasNulls }],
    };
    const flat = flattenQuery(spelled, this.#database, this.#flat, flattened, this.#dialect);
    const use = typeof flat === 'string' ? goldUse(flat, this.#flat, this.#dialect) : null;
    if (use === null) return null;
    const renamed = rewriteGold({
      gold: use,
      database: this.#flat,
      changed,
      dialect: this.#dialect,
      tables: new Set([main > dropped ? main - 1 : main]),
      read: (use) => {
        refuseRowids(use);
        return renamedTable(merged.originalName);
      },
    });
    return typeof renamed === 'string' ? renamed : null;
  }

  #readFirst(use: SourceUse): SourceReading {
    const { key, first: table, hasLonely, merged } = this.#plan;
    refuseRowids(use);
    if (!hasLonely) return renamedTable(merged.originalName);
    const own = soleKeyOf(this.#database, key.from.table) ?? 0;
    const columns = use.columns.length === 0 ? [own] : use.columns;
    const list = columns.map((c) => this.#render(itemAt(table.columns, c).originalName)).join(', ');
    const isOwn = `${this.#render(itemAt(table.columns, own).originalName)} IS NOT NULL`;
    return {
      kind: 'subquery',
      select: `SELECT ${list} FROM ${this.#render(merged.originalName)} WHERE ${isOwn}`,
      columns,
    };
  }

  #readSecond(use: SourceUse): SourceReading {
    const { key, isOneToOne, hasNulls, merged } = this.#plan;
    const { columns: used } = use;
    refuseRowids(use);
    if (isOneToOne && !hasNulls) {
      const readings = new Map(used.flatMap((c) => this.#renamedColumn(c)));
      return { kind: 'table', table: merged.originalName, columns: readings, joined: null };
    }
    const columns = isOneToOne && used.length > 0 ? used : [...new Set([...used, key.to.column])];
    const { originalName: link } = columnAt(this.#database, key.from);
    const list = columns.map((c) => this.#selected(c)).join(', ');
    const rows = `FROM ${this.#render(merged.originalName)} WHERE ${this.#render(link)} IS NOT NULL`;
    return { kind: 'subquery', select: `SELECT ${isOneToOne ? '' : 'DISTINCT '}${list} ${rows}`, columns };
  }

  #names(c: number): readonly [before: string, now: string] {
    const { second, columns } = this.#plan;
    return [itemAt(second.columns, c).originalName, itemAt(columns, c).originalName];
  }

  #renamedColumn(c: number): readonly (readonly [number, ColumnReading])[] {
    const [before, now] = this.#names(c);
    return before === now ? [] : [[c, { affinity: null, sql: (column) => column(now) }]];
  }

  #selected(c: number): string {
    const [before, now] = this.#names(c);
    return before === now ? this.#render(now) : `${this.#render(now)} AS ${this.#render(before)}`;
  }

  #render(name: string): string {
    return renderIdentifier(name, this.#dialect);
  }
}

/** Says how gold queries of two tables are written on the one that they were merged into. */
export function followMerge(database: Database, plan: TableMergePlan, dialect: SqlDialect): Follow {
  const follower = new MergeFollower(database, plan, dialect);
  return (gold, changed) => follower.follow(gold, changed);
}

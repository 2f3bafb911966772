import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Column, ColumnRef, Database, Table } from '../../src/schema/schema.js';
import { quoteIdentifier } from '../../src/sql/dialect.js';
import type {
  SpiderColumnUnit,
  SpiderConditions,
  SpiderSql,
  SpiderValue,
  SpiderValueUnit,
} from '../../src/sql/spider-sql.js';

/** A database of the example data set, in memory, to be changed at will. */
export function openCopy(folder: string, dbId: string): SqliteDatabase.Database {
  return new SqliteDatabase(readFileSync(join(folder, dbId, `${dbId}.sqlite`)));
}

/** One column of a variant and where it stood before: null where it was added. */
interface Moved {
  readonly column: Column;
  readonly from: number | null;
}

/** Columns of a perturbed table matched to the original's: renamed ones by position, added ones by name. */
function matchTable(before: Table, after: Table): readonly Moved[] {
  if (before.columns.length === after.columns.length) return after.columns.map((column, from) => ({ column, from }));
  return after.columns.map((column) => {
    const from = before.columns.findIndex(({ originalName }) => originalName === column.originalName);
    return { column, from: from < 0 ? null : from };
  });
}

/** How a perturbed schema came from the original. */
export class SchemaMatch {
  readonly #before: Database;
  readonly #tables: readonly (readonly Moved[])[];

  constructor(before: Database, after: Database) {
    this.#before = before;
    this.#tables = after.tables.map((table, t) => matchTable(before.tables[t]!, table));
  }

  /** Where a column of the original stands now. */
  move({ table, column }: ColumnRef): ColumnRef {
    return { table, column: this.#tables[table]!.findIndex(({ from }) => from === column) };
  }

  /** Where a column of the perturbed schema stood; null where it was added. */
  origin({ table, column }: ColumnRef): Column | null {
    const { from } = this.#tables[table]![column]!;
    return from === null ? null : this.#before.tables[table]!.columns[from]!;
  }

  /** Changes a copy of the original's database as the schema was changed. */
  apply(sqlite: SqliteDatabase.Database): void {
    this.#tables.forEach((columns, t) => {
      const { originalName: table, columns: before } = this.#before.tables[t]!;
      for (const { column, from } of columns) {
        const [name, was] = [column.originalName, from === null ? null : before[from]!.originalName];
        if (was === null)
          sqlite.exec(`ALTER TABLE ${quoteIdentifier(table)} ADD COLUMN ${quoteIdentifier(name)} DEFAULT 'added'`);
        else if (was !== name)
          sqlite.exec(
            `ALTER TABLE ${quoteIdentifier(table)} RENAME COLUMN ${quoteIdentifier(was)} TO ${quoteIdentifier(name)}`,
          );
      }
    });
  }
}

/** Column positions as Spider counts them: all tables through, from 1. */
export function flatColumns(database: Database): readonly ColumnRef[] {
  return database.tables.flatMap((table, t) => table.columns.map((_, c) => ({ table: t, column: c })));
}

/** Rebuilds a `sql` field with other column ids; visits every place that Spider's structure has for one. */
export function mapColumnIds(sql: SpiderSql, map: (id: number) => number): SpiderSql {
  const unit = ([aggregate, id, distinct]: SpiderColumnUnit): SpiderColumnUnit => [aggregate, map(id), distinct];
  const nested = (part: SpiderSql | null): SpiderSql | null => (part === null ? null : mapColumnIds(part, map));
  const value = (part: SpiderValue | null): SpiderValue | null => {
    if (part === null || typeof part !== 'object') return part;
    return 'from' in part ? mapColumnIds(part, map) : unit(part);
  };
  const valueUnit = ([operator, left, right]: SpiderValueUnit): SpiderValueUnit => [
    operator,
    unit(left),
    right === null ? null : unit(right),
  ];
  const conditions = (list: SpiderConditions): SpiderConditions =>
    list.map((part) =>
      typeof part === 'string' ? part : [part[0], part[1], valueUnit(part[2]), value(part[3]), value(part[4])],
    );
  const { from, select, where, groupBy, having, orderBy } = sql;
  return {
    from: {
      conds: conditions(from.conds),
      table_units: from.table_units.map((part) => (part[0] === 'sql' ? ['sql', mapColumnIds(part[1], map)] : part)),
    },
    select: [select[0], select[1].map(([aggregate, part]) => [aggregate, valueUnit(part)])],
    where: conditions(where),
    groupBy: groupBy.map(unit),
    having: conditions(having),
    orderBy: orderBy.length === 0 ? [] : [orderBy[0], orderBy[1].map(valueUnit)],
    limit: sql.limit,
    intersect: nested(sql.intersect),
    union: nested(sql.union),
    except: nested(sql.except),
  };
}

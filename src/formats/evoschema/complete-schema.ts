import { type Column, columnKey, type Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import { columnOf, listedName } from './evoschema-table.js';

const keyOf = ({ originalName }: Column): string => foldName(originalName);

/**
 * A schema with the columns that its record lists besides: where the two disagree, all are there. Types of columns that
 * only the list has are those of the schema before. The schema itself where nothing is missing.
 */
export function completeSchema(
  after: Database,
  before: Database | null,
  listed: ReadonlyMap<string, readonly string[]>,
): Database {
  const old = new Map((before?.tables ?? []).flatMap(({ columns }) => columns.map((one) => [keyOf(one), one])));
  const positions = new Map<string, number>();
  const tables = after.tables.map((table, t) => {
    const names = (listed.get(table.originalName) ?? []).map(listedName);
    const own = new Map(table.columns.map((column) => [keyOf(column), column]));
    const further = names.filter((name) => !own.has(foldName(name)));
    const columns = further.length === 0 ? table.columns : mergeLists(names, table.columns, old);
    columns.forEach((column, c) => positions.set(JSON.stringify([t, keyOf(column)]), c));
    return columns === table.columns ? table : { ...table, columns };
  });
  if (tables.every((table, t) => table === after.tables[t])) return after;
  const places = after.tables.flatMap(({ columns }, table) =>
    columns.map((column, c) => {
      const now = { table, column: positions.get(JSON.stringify([table, keyOf(column)])) ?? c };
      return [columnKey({ table, column: c }), now] as const;
    }),
  );
  const moved = new Map(places);
  return {
    ...after,
    tables,
    primaryKeys: after.primaryKeys.map((key) => moved.get(columnKey(key)) ?? key),
    foreignKeys: after.foreignKeys.map(({ from, to }) => ({
      from: moved.get(columnKey(from)) ?? from,
      to: moved.get(columnKey(to)) ?? to,
    })),
  };
}

/** The listed columns in their order, then those that only the schema has. */
function mergeLists(
  names: readonly string[],
  own: readonly Column[],
  old: ReadonlyMap<string, Column>,
): readonly Column[] {
  const known = new Map(own.map((column) => [keyOf(column), column]));
  const listed = [...new Map(names.map((name) => [foldName(name), name])).values()].map((name) => {
    const origin = old.get(foldName(name));
    return (
      known.get(foldName(name)) ?? { ...columnOf(name, ''), ...(origin === undefined ? {} : { type: origin.type }) }
    );
  });
  const keys = new Set(listed.map(keyOf));
  return [...listed, ...own.filter((column) => !keys.has(keyOf(column)))];
}

import { type Column, columnAt, columnKey, type ColumnRef, type Database, type Table } from './schema.js';

/** A column's new name, in natural words and as the identifier. */
export interface NewName {
  readonly name: string;
  readonly originalName: string;
}

/** Whether a column may be renamed or get a near one: neither machinery nor derived from another. */
export function isPerturbable(column: Column): boolean {
  return column.fixed !== true && (column.family?.suffix ?? '') === '';
}

/** A table none of whose columns can be perturbed. */
export function withFixedColumns(table: Table): Table {
  return { ...table, columns: table.columns.map((column) => ({ ...column, fixed: true as const })) };
}

/** A table of a schema as the view that it is. */
export function asView(table: Table): Table {
  return { ...withFixedColumns(table), isView: true };
}

/** Whether a column is in its table's header: derived columns and row numbers don't. */
export function isHeaderColumn({ family, fixed }: Column): boolean {
  return family === undefined ? fixed !== true : family.suffix === '';
}

/**
 * The columns that can be perturbed among those that a query mentions, each once in order of first mention: a derived
 * column stands for the first of its family, machinery for nothing.
 */
export function perturbableAmong(database: Database, refs: readonly ColumnRef[]): readonly ColumnRef[] {
  const firsts = new Map<string, ColumnRef>();
  for (const ref of allColumns(database)) {
    const { family } = columnAt(database, ref);
    if (family?.suffix === '') firsts.set(family.key, ref);
  }
  const meant = refs.flatMap((ref) => {
    const column = columnAt(database, ref);
    const first = column.family === undefined ? ref : firsts.get(column.family.key);
    return first === undefined || !isPerturbable(columnAt(database, first)) ? [] : [first];
  });
  return [...new Map(meant.map((ref) => [columnKey(ref), ref])).values()];
}

function allColumns(database: Database): readonly ColumnRef[] {
  return database.tables.flatMap((table, t) => table.columns.map((_, c) => ({ table: t, column: c })));
}

/** A derived column's name under a new name of the first of its family. */
function derivedName({ name, originalName }: NewName, suffix: string): NewName {
  const words = suffix.replace(/_+/gu, ' ').trim();
  return { name: `${name} ${words}`.trim(), originalName: `${originalName}${suffix}` };
}

/**
 * New names with those of derived columns, so that no old name stays: where the first of a family is renamed, the
 * others follow it, in all tables. Keyed by `columnKey`; what is no family stays as given.
 */
export function renameFamilies(
  database: Database,
  renames: ReadonlyMap<string, NewName>,
): ReadonlyMap<string, NewName> {
  const byFamily = new Map<string, NewName>();
  const refs = allColumns(database);
  for (const ref of refs) {
    const [{ family }, renamed] = [columnAt(database, ref), renames.get(columnKey(ref))];
    if (renamed !== undefined && family?.suffix === '') byFamily.set(family.key, renamed);
  }
  const all = new Map(renames);
  for (const ref of refs) {
    const { family } = columnAt(database, ref);
    if (family === undefined || family.suffix === '') continue;
    const first = byFamily.get(family.key);
    if (first !== undefined) all.set(columnKey(ref), derivedName(first, family.suffix));
  }
  return all;
}

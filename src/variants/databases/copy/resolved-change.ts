import { InputFormatError } from '../../../errors.js';
import { columnKey, type Database } from '../../../schema/schema.js';
import { foldName } from '../../../sql/dialect.js';
import { changeSchema, NO_CHANGE, type SchemaChange } from '../../../sql/schema-change.js';
import { cursorOver } from '../../../sql/definitions/create-text.js';
import { parseCastType } from '../../../sql/type-parser.js';
import { itemAt } from '../../../present.js';
import { type ColumnAddition, type DatabaseChange, declaredTypeOf } from '../database-change.js';
import type { CatalogTable, SchemaCatalog } from './schema-catalog.js';
import { columnNamed, tableNamed } from '../../../sql/schema-names.js';

/** A change by the indexes of the catalog's tables and columns. */
export interface ResolvedChange {
  readonly schema: SchemaChange;
  /** The catalog's schema after it; added columns come last. */
  readonly changed: Database;
  /** Additions by table, and the column that each is put before; its number of columns for the last place. */
  readonly additions: ReadonlyMap<number, readonly PlacedAddition[]>;
  /** Folded names of the tables that change. */
  readonly tables: ReadonlySet<string>;
}

/** An addition with its place, and the type that its table can declare. */
export interface PlacedAddition extends ColumnAddition {
  readonly place: number;
}

const FIX = 'Check that the database is the one that the schema was read from, or leave the column out.';
const KINDS: Readonly<Record<Exclude<CatalogTable['kind'], 'table'>, string>> = {
  virtual: 'a virtual table',
  shadow: 'a part of a virtual table',
  system: 'one of SQLite’s own tables',
  view: 'a view',
};

function findTable(catalog: SchemaCatalog, name: string): number {
  const index = tableNamed(catalog.database, name);
  const kind = catalog.tables[index]?.kind;
  if (kind === 'table') return index;
  const reason =
    kind === undefined ? 'the database has no such table' : `it is ${KINDS[kind]}: its columns can’t be changed`;
  throw new InputFormatError(reason, { where: { id: name }, fix: FIX });
}

function findColumn(catalog: SchemaCatalog, table: number, name: string): number {
  const index = columnNamed(catalog.database, table, name);
  if (index >= 0) return index;
  const id = catalog.tables[table]?.name ?? '';
  throw new InputFormatError(`the table has no column ${JSON.stringify(name)}`, { where: { id }, fix: FIX });
}

/** Checks whether a text is a type as CREATE TABLE takes it: names, then numbers in parentheses. */
function isTypeName(text: string): boolean {
  const cursor = cursorOver(text);
  return cursor.isName() && parseCastType(cursor) !== '' && cursor.peek().kind === 'end';
}

function checkType({ table, name, declaredType }: ColumnAddition): void {
  if (declaredType === '') return;
  const fault = (cause?: unknown): Error =>
    new InputFormatError(`the added column ${name} has a type that can’t be declared: ${declaredType}`, {
      where: { id: table },
      fix: 'Name a type such as TEXT or VARCHAR(20).',
      cause,
    });
  try {
    if (isTypeName(declaredType)) return;
  } catch (cause) {
    throw fault(cause);
  }
  throw fault();
}

function resolveRenames(catalog: SchemaCatalog, { renames }: DatabaseChange): Map<string, string> {
  const resolved = new Map<string, string>();
  for (const { table: name, from, to } of renames) {
    const table = findTable(catalog, name);
    const key = columnKey({ table, column: findColumn(catalog, table, from) });
    if (resolved.has(key)) {
      throw new InputFormatError(`column ${from} is renamed twice`, { where: { id: name }, fix: FIX });
    }
    resolved.set(key, to);
  }
  return resolved;
}

function resolveAdditions(catalog: SchemaCatalog, { additions }: DatabaseChange): Map<number, PlacedAddition[]> {
  const resolved = new Map<number, PlacedAddition[]>();
  for (const addition of additions) {
    checkType(addition);
    const table = findTable(catalog, addition.table);
    const { columns, strict } = itemAt(catalog.tables, table);
    const place = addition.before === null ? columns.length : findColumn(catalog, table, addition.before);
    const declaredType = declaredTypeOf(addition, strict);
    resolved.set(table, [...(resolved.get(table) ?? []), { ...addition, declaredType, place }]);
  }
  return resolved;
}

/**
 * Finds the tables and columns of a change in a database.
 * @throws InputFormatError when one is missing, is renamed twice or can't be changed, or a type is none
 * @throws SqlRewriteError when two columns of a table would have the same name
 */
export function resolveChange(catalog: SchemaCatalog, change: DatabaseChange): ResolvedChange {
  const renames = resolveRenames(catalog, change);
  const additions = resolveAdditions(catalog, change);
  const added = new Map([...additions].map(([table, list]) => [table, list.map(({ name }) => name)]));
  const schema: SchemaChange = { ...NO_CHANGE, renames, added };
  const names = [...change.renames, ...change.additions].map(({ table }) => foldName(table));
  return { schema, changed: changeSchema(catalog.database, schema), additions, tables: new Set(names) };
}

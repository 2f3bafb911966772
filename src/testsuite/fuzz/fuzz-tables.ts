import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Catalog, CatalogColumn, CatalogKey, CatalogTable } from '../fill/table-catalog.js';
import type { QueryConstants } from './query-constants.js';

/** Values of the original that a column's random ones are mixed with, at most. */
const MOST_ORIGINALS = 200;

/** What a column may hold, and what makes its values tell queries apart. */
export interface FuzzColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly kind: 'number' | 'text' | 'time';
  readonly isReal: boolean;
  readonly isStrict: boolean;
  /** Whether it stands for the row id, which is an integer. */
  readonly isInteger: boolean;
  readonly isNullable: boolean;
  /** Whether it alone is a key. */
  readonly isUnique: boolean;
  readonly isGenerated: boolean;
  readonly constants: readonly SqlValue[];
  readonly patterns: readonly string[];
  readonly originals: readonly SqlValue[];
}

export interface FuzzTable {
  readonly name: string;
  readonly columns: readonly FuzzColumn[];
  readonly uniques: readonly (readonly number[])[];
  readonly foreignKeys: readonly CatalogKey[];
  /** Columns whose values are taken from another table's without a foreign key that asks for it: queries join them. */
  readonly links: readonly CatalogKey[];
}

function kindOf({ affinity, type, declaredType }: CatalogColumn): FuzzColumn['kind'] {
  if (affinity === 'INTEGER' || affinity === 'REAL') return 'number';
  if (type === 'time' || /DATE|TIME/iu.test(declaredType)) return 'time';
  return affinity !== 'TEXT' && type !== 'text' ? 'number' : 'text';
}

function originalsOf({ rows }: CatalogTable, position: number): readonly SqlValue[] {
  const values = new Set(rows.map((row) => row[position] ?? null));
  return [...values].filter((value) => value !== null).slice(0, MOST_ORIGINALS);
}

/** Positions in a file of the columns of a schema, -1 where it has none of that name. */
class Places {
  readonly #places: ReadonlyMap<string, readonly [table: number, column: number]>;

  constructor(catalog: Catalog, database: Database) {
    const places = database.tables.flatMap((table, t) => {
      const at = catalog.find(table.originalName);
      return table.columns.map((column, c) => {
        const columns = catalog.tables[at]?.columns ?? [];
        const position = columns.findIndex(({ name }) => foldName(name) === foldName(column.originalName));
        return [columnKey({ table: t, column: c }), [at, position] as const] as const;
      });
    });
    this.#places = new Map(places.filter(([, place]) => !place.includes(-1)));
  }

  of(ref: ColumnRef): readonly [table: number, column: number] | undefined {
    return this.#places.get(columnKey(ref));
  }
}

const isKey = ({ uniques }: CatalogTable, column: number): boolean =>
  uniques.some((unique) => unique.length === 1 && unique[0] === column);

/** A pair of columns as a reference from the one that is no key to the other one; null where a foreign key rules it. */
function linkOf(
  tables: readonly CatalogTable[],
  [a, b]: readonly (readonly [table: number, column: number])[],
): readonly [child: number, link: CatalogKey] | null {
  const isFirstKey = isKey(tables[a![0]]!, a![1]);
  const [from, to] = isFirstKey ? [b!, a!] : [a!, b!];
  const child = tables[from[0]]!;
  if (isKey(child, from[1]) || from[0] === to[0]) return null;
  if (child.foreignKeys.some(({ columns }) => columns.includes(from[1]))) return null;
  return [from[0], { columns: [from[1]], parent: to[0], parentColumns: [to[1]] }];
}

/** The tables of a file as a fuzzer fills them; references of the schema that the file does not declare are links. */
export function fuzzTables(catalog: Catalog, database: Database, queries: QueryConstants): readonly FuzzTable[] {
  const places = new Places(catalog, database);
  const pairs = [...database.foreignKeys.map(({ from, to }) => [from, to] as const), ...queries.links];
  const links = new Map<string, readonly [number, CatalogKey]>();
  for (const pair of pairs) {
    const ends = pair.flatMap((ref) => [places.of(ref) ?? []].filter((place) => place.length > 0));
    const link = ends.length === 2 ? linkOf(catalog.tables, ends as (readonly [number, number])[]) : null;
    const key = link === null ? '' : `${link[0]}.${link[1].columns.join()}`;
    if (link !== null && !links.has(key)) links.set(key, link);
  }
  const constants = new Map(
    database.tables.flatMap((table, t) =>
      table.columns.map((_, c) => {
        const ref = { table: t, column: c };
        return [places.of(ref)?.join('.') ?? '', queries.byColumn.get(columnKey(ref))] as const;
      }),
    ),
  );
  return catalog.tables.map((table, t) => ({
    name: table.name,
    columns: table.columns.map((column, c) => fuzzColumn(table, column, c, constants.get(`${t}.${c}`))),
    uniques: table.uniques,
    foreignKeys: table.foreignKeys,
    links: [...links.values()].flatMap(([child, link]) => (child === t ? [link] : [])),
  }));
}

function fuzzColumn(
  table: CatalogTable,
  column: CatalogColumn,
  position: number,
  constants: { readonly values: readonly SqlValue[]; readonly patterns: readonly string[] } | undefined,
): FuzzColumn {
  const isUnique = isKey(table, position);
  return {
    name: column.name,
    declaredType: column.declaredType,
    kind: kindOf(column),
    isReal: column.affinity !== 'INTEGER',
    isStrict: table.strict,
    isInteger: (isUnique || table.strict) && /^INT(?:EGER)?$/iu.test(column.declaredType),
    isNullable: !column.notNull && !column.generated && !table.primaryKey.includes(position),
    isUnique,
    isGenerated: column.generated,
    constants: constants?.values ?? [],
    patterns: constants?.patterns ?? [],
    originals: originalsOf(table, position),
  };
}

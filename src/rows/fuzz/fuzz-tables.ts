import type { NamedReference, RowConstraint, StorageKind } from '../constraints/row-constraint.js';
import { columnPlace, type MinedConstraints } from '../constraints/mine-constraints.js';
import { itemAt, zip } from '../../present.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Catalog, CatalogColumn, CatalogKey, CatalogTable } from './table-catalog.js';
import type { FuzzColumn, FuzzTable } from './fuzz-table.js';
import type { RowPlace } from './witness-rows.js';
import type { ColumnConstants, QueryConstants } from './query-constants.js';

const KINDS = {
  integer: 'number',
  number: 'number',
  'numeric-text': 'number',
  time: 'time',
  text: 'text',
} as const satisfies Record<StorageKind, FuzzColumn['kind']>;

/** Of columns that queries join, how many cells come from the other one's. */
const LINKED = 0.85;
/** The same of a foreign key that the original breaks, at least: where no row had a parent, joins would find nothing. */
const LEAST_LINKED = 0.25;

/** Values of the original that a column's random ones are mixed with, at most. */
const MOST_ORIGINALS = 200;

function kindOf({ affinity, type, declaredType }: CatalogColumn, rule: FuzzColumn['rule']): FuzzColumn['kind'] {
  if (rule !== null && rule.storage !== null) return KINDS[rule.storage];
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

const isKey = ({ uniques }: Pick<FuzzTable, 'uniques'>, column: number): boolean =>
  uniques.some((unique) => unique.length === 1 && unique[0] === column);

/** A pair of columns as a reference from the one that is no key to the other one; null where a foreign key rules it. */
function linkOf(
  tables: readonly FuzzTable[],
  [a, b]: readonly [Place, Place],
): readonly [child: number, link: CatalogKey] | null {
  const [from, to] = isKey(itemAt(tables, a[0]), a[1]) ? [b, a] : [a, b];
  const child = itemAt(tables, from[0]);
  if (isKey(child, from[1]) || from[0] === to[0]) return null;
  if (child.foreignKeys.some(({ columns }) => columns.includes(from[1]))) return null;
  return [from[0], { columns: [from[1]], parent: to[0], parentColumns: [to[1]] }];
}

const NONE: ColumnConstants = { values: [], patterns: [] };

type Place = readonly [table: number, column: number];

const linkKey = (child: number, { columns, parent, parentColumns }: CatalogKey): string =>
  JSON.stringify([child, columns, parent, parentColumns]);

const placeKey = (place: readonly number[]): string => place.join('.');

/** By column, those that it refers to. */
function referencesOf(tables: readonly FuzzTable[]): ReadonlyMap<string, readonly string[]> {
  const references = new Map<string, string[]>();
  for (const [table, { foreignKeys, links }] of tables.entries()) {
    for (const { columns, parent, parentColumns } of [...foreignKeys, ...links]) {
      for (const [column, parentColumn] of zip(columns, parentColumns)) {
        const from = placeKey([table, column]);
        references.set(from, [...(references.get(from) ?? []), placeKey([parent, parentColumn])]);
      }
    }
  }
  return references;
}

/** Constants that a column is compared with go to the columns that it refers to, whose values it takes. */
function spread(
  tables: readonly FuzzTable[],
  constants: ReadonlyMap<string, ColumnConstants>,
): ReadonlyMap<string, ColumnConstants> {
  const references = referencesOf(tables);
  const all = new Map(constants);
  for (const [from, { values, patterns }] of constants) {
    const reached = new Set([from]);
    for (const column of reached) for (const parent of references.get(column) ?? []) reached.add(parent);
    reached.delete(from);
    for (const column of reached) {
      const own = all.get(column) ?? NONE;
      all.set(column, { values: [...own.values, ...values], patterns: [...own.patterns, ...patterns] });
    }
  }
  return all;
}

/** The tables of a file as a fuzzer fills them; references of the schema that the file does not declare are links. */
export class FuzzTables {
  readonly #catalog: Catalog;
  readonly #database: Database;
  readonly #places: Places;
  readonly #bare: readonly FuzzTable[];
  readonly #rowPlaces: readonly RowPlace[];
  /** Of foreign keys that the original breaks, how many rows have a parent, by their `linkKey`. */
  readonly #shares: ReadonlyMap<string, number>;

  constructor(catalog: Catalog, database: Database, constraints: MinedConstraints) {
    this.#catalog = catalog;
    this.#database = database;
    this.#places = new Places(catalog, database);
    this.#bare = catalog.tables.map((table) => fuzzTable(table, catalog, constraints));
    this.#shares = new Map(
      constraints.broken.map((one) => {
        const child = catalog.find(one.table);
        const key = catalogKey(catalog, catalog.tables[child], one);
        return [linkKey(child, key), Math.max(LEAST_LINKED, 1 - one.share)];
      }),
    );
    this.#rowPlaces = database.tables.map(({ columns }, table) => {
      const places = columns.map((_, column) => this.#places.of({ table, column }));
      return {
        table: places.find((place) => place !== undefined)?.[0] ?? -1,
        columns: places.map((place) => place?.[1] ?? -1),
      };
    });
  }

  /** The tables with the constants of certain queries, and links between the columns that these compare. */
  of(queries: QueryConstants): readonly FuzzTable[] {
    const links = this.#links(queries);
    const linked = this.#bare.map((table, t) => ({
      ...table,
      links: links.flatMap(([child, link]) => {
        return child === t ? [{ ...link, share: this.#shares.get(linkKey(child, link)) ?? LINKED }] : [];
      }),
    }));
    const constants = new Map<string, ColumnConstants>();
    this.#database.tables.forEach((table, t) =>
      table.columns.forEach((_, c) => {
        const [own, place] = [
          queries.byColumn.get(columnKey({ table: t, column: c })),
          this.#places.of({ table: t, column: c }),
        ];
        if (own !== undefined && place !== undefined) constants.set(placeKey(place), own);
      }),
    );
    const known = spread(linked, constants);
    return linked.map((table, t) => ({
      ...table,
      // All columns alike, for the compiler's sake: objects of two shapes make it start again.
      columns: table.columns.map((column, c) => {
        const { values, patterns } = known.get(placeKey([t, c])) ?? NONE;
        return { ...column, constants: values, patterns };
      }),
    }));
  }

  /** Where rows of a table of the schema go. */
  placeOf(table: number): RowPlace {
    return itemAt(this.#rowPlaces, table);
  }

  /** Of several columns that one could be linked to, the first: those that queries compare it with come before. */
  #links(queries: QueryConstants): readonly (readonly [child: number, link: CatalogKey])[] {
    const compared = [...queries.links, ...this.#database.foreignKeys.map(({ from, to }) => [from, to] as const)];
    const pairs = compared.map((pair) => pair.map((ref) => this.#places.of(ref)));
    // Foreign keys of the file that its own rows break.
    const broken = this.#catalog.tables.flatMap(({ foreignKeys }, child) =>
      foreignKeys
        .filter(({ columns }) => columns.length === 1)
        .map(({ columns: [from = -1], parent, parentColumns: [to = -1] }): Place[] => [
          [child, from],
          [parent, to],
        ]),
    );
    const links = new Map<string, readonly [number, CatalogKey]>();
    for (const [a, b] of [...pairs, ...broken]) {
      const link = a !== undefined && b !== undefined ? linkOf(this.#bare, [a, b]) : null;
      const key = link === null ? '' : `${link[0]}.${link[1].columns.join()}`;
      if (link !== null && !links.has(key)) links.set(key, link);
    }
    return [...links.values()];
  }
}

/** References that the constraints hold, as positions in the file; without constraints, those that the file declares. */
function referencesIn(table: CatalogTable, catalog: Catalog, { level, list }: MinedConstraints): readonly CatalogKey[] {
  if (level === 'any') return table.foreignKeys;
  const own = list.filter((one): one is Extract<RowConstraint, { kind: 'reference' }> => {
    return one.kind === 'reference' && foldName(one.table) === foldName(table.name);
  });
  return own.flatMap((reference) => {
    const key = catalogKey(catalog, table, reference);
    return [key.parent, ...key.columns, ...key.parentColumns].includes(-1) ? [] : [key];
  });
}

/** A reference of a table by positions in the file, -1 where it has none of a name. */
function catalogKey(
  catalog: Catalog,
  table: CatalogTable | undefined,
  { columns, parent, parentColumns }: NamedReference,
): CatalogKey {
  const at = catalog.find(parent);
  return {
    columns: columns.map((name) => positionOf(table, name)),
    parent: at,
    parentColumns: parentColumns.map((name) => positionOf(catalog.tables[at], name)),
  };
}

function positionOf(table: CatalogTable | undefined, name: string): number {
  return table?.columns.findIndex((column) => foldName(column.name) === foldName(name)) ?? -1;
}

function fuzzTable(table: CatalogTable, catalog: Catalog, constraints: MinedConstraints): FuzzTable {
  const own = constraints.list.filter((one) => foldName(one.table) === foldName(table.name));
  const foreignKeys = referencesIn(table, catalog, constraints);
  const referring = new Set(foreignKeys.flatMap(({ columns }) => columns));
  const filled = new Set(own.flatMap(({ kind, columns }) => (kind === 'not-null' ? columns.map(foldName) : [])));
  return {
    name: table.name,
    columns: table.columns.map((column, position) => {
      const rule = referring.has(position)
        ? null
        : (constraints.rules.get(columnPlace(table.name, column.name)) ?? null);
      return fuzzColumn(table, column, { position, rule, isFilled: filled.has(foldName(column.name)) });
    }),
    uniques: table.uniques,
    foreignKeys,
    links: [],
    hasDistinctRows: own.some(({ kind }) => kind === 'unique'),
    isFilled: own.some(({ kind }) => kind === 'filled'),
  };
}

function fuzzColumn(
  table: CatalogTable,
  column: CatalogColumn,
  {
    position,
    rule,
    isFilled,
  }: { readonly position: number; readonly rule: FuzzColumn['rule']; readonly isFilled: boolean },
): FuzzColumn {
  const isUnique = isKey(table, position);
  return {
    name: column.name,
    declaredType: column.declaredType,
    kind: kindOf(column, rule),
    isReal: column.affinity !== 'INTEGER',
    isStrict: table.strict,
    isInteger: (isUnique || table.strict) && /^INT(?:EGER)?$/iu.test(column.declaredType),
    isNullable: !isFilled && !column.notNull && !column.generated && !table.primaryKey.includes(position),
    isUnique,
    isGenerated: column.generated,
    constants: [],
    patterns: [],
    originals: originalsOf(table, position),
    rule,
  };
}

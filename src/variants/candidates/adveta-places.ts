import type { AdvetaCandidate } from '../../formats/adveta-release.js';
import { groupBy } from '../../run/group-by.js';
import { isHeaderColumn } from '../../schema/column-family.js';
import { identifierKey, spacedName } from '../../schema/name-identity.js';
import { naturalHeaders } from '../../schema/natural-name.js';
import type { Column, Database, Table } from '../../schema/schema.js';
import { formatCount } from '../../counts.js';
import type { RunHost } from '../../run/run-host.js';

/** The names in a candidate that place it. */
export type PlacedNames = Pick<AdvetaCandidate, 'dbId' | 'table' | 'column' | 'columnOriginal' | 'otherIds' | 'header'>;

/** Why a candidate belongs nowhere: the data set has no such table, several tables of its header, or no such column. */
export type Absence = 'table' | 'several' | 'column';

/** Where a candidate belongs. */
export interface Place {
  readonly database: Database;
  readonly table: Table;
  /** Null where the candidate's own names tell the column, or nothing does. */
  readonly column: Column | null;
  readonly by: 'id' | 'header';
}

/** A column that is in a table's header, and its table: SQUALL's lists are tables of their own. */
interface HeaderColumn {
  readonly table: Table;
  readonly column: Column;
}

/** The columns of a header: without row numbers, and without what is derived from another. */
function headerColumns({ tables }: Database): readonly HeaderColumn[] {
  return tables.flatMap((table) => table.columns.filter(isHeaderColumn).map((column) => ({ table, column })));
}

/** Checks whether a database is one table of the web, which is known by its id and header and not by its name. */
function isWebTable({ tables }: Database): boolean {
  return tables.length === 1 || tables.some(({ columns }) => columns.some(({ family }) => family !== undefined));
}

/** Letters and digits alone: the release's files differ in marks, `school/club team` and `school club team`. */
function bareName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\n', ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** From exact to loose; a column has a name if its natural or its original name does. */
const NAME_KEYS = [spacedName, bareName] as const;

/** The column that has a name: the one at its place in the header, else the only one. */
function columnNamed(columns: readonly HeaderColumn[], names: readonly string[], position: number): number | null {
  for (const keyOf of NAME_KEYS) {
    const keys = new Set(names.map(keyOf));
    const found = [...columns.entries()].filter(
      ([, { column }]) => keys.has(keyOf(column.originalName)) || keys.has(keyOf(column.name)),
    );
    if (found.some(([c]) => c === position)) return position;
    if (found.length === 1 && !keys.has('')) return found[0]?.[0] ?? null;
  }
  return null;
}

/**
 * The column of each name of a header. Where as many names as columns are known, those found are each at its own place,
 * and they are half of them at least, the others are known by their places too.
 */
function alignHeader(header: readonly string[], columns: readonly HeaderColumn[]): readonly (HeaderColumn | null)[] {
  // Without units, as the data sets' natural names are.
  const naturals = naturalHeaders(header);
  const found = header.map((name, position) => columnNamed(columns, [name, naturals[position] ?? name], position));
  const isInOrder = found.every((c, position) => c === null || c === position);
  const count = found.filter((c) => c !== null).length;
  const byPlace = header.length === columns.length && isInOrder && 2 * count >= header.length;
  return found.map((c, position) => columns[c ?? (byPlace ? position : -1)] ?? null);
}

/**
 * The column of a table that a candidate means by a name that is not quite its own; null where it is one's own, or no
 * one's.
 */
function otherwiseNamed(table: Table, { column: name, columnOriginal }: PlacedNames): Column | null {
  const isOwn = ({ name: natural, originalName }: Column): boolean =>
    originalName === columnOriginal || spacedName(natural) === spacedName(name);
  if (table.columns.some(isOwn)) return null;
  return (
    alignHeader(
      [name],
      table.columns.map((column) => ({ table, column })),
    )[0]?.column ?? null
  );
}

/** An id however a release writes it: `204_590`, `csv/204-csv/590.csv`; `1-10-2`, `table_1_10_2`. */
function idKey(id: string): string {
  return id
    .toLowerCase()
    .replace(/\.[a-z]+$/u, '')
    .replace(/-csv(?=[/_]|$)/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_?(?:table|csv)_|_$/gu, '');
}

/** Ids of one kind have one shape: `1_10_2` and `2_7_13`. */
function shapeOf(key: string): string {
  return key.replace(/\d+/gu, '0');
}

/** A header however it is written; units in parentheses set aside, as the data sets' natural names do. */
function headerKey(header: readonly string[]): string {
  return JSON.stringify(naturalHeaders(header).map(bareName));
}

/** Databases by a key that belongs to one of them alone; null where it belongs to several. */
function byOwnKey(keyed: Iterable<readonly [string, Database]>): ReadonlyMap<string, Database | null> {
  const found = new Map<string, Database | null>();
  for (const [key, database] of keyed) found.set(key, found.has(key) ? null : database);
  return found;
}

/** How many tables of the candidates have each header; candidates of a table share theirs. */
function countClaims(candidates: readonly PlacedNames[]): ReadonlyMap<string, number> {
  const headers = new Map(candidates.flatMap(({ dbId, header }) => (header === undefined ? [] : [[dbId, header]])));
  const claims = groupBy([...headers.values()], headerKey);
  return new Map([...claims].map(([key, all]) => [key, all.length]));
}

/**
 * Finds what candidates are about in a data set. A table that has a name is found by it in its database. One that has
 * none (ADVETA's WikiSQL and WTQ) is found by any of its ids; where these are of another kind than the data set's, by
 * its header, if it is that of one table on either side.
 */
export class AdvetaPlaces {
  readonly #databases: ReadonlyMap<string, Database>;
  readonly #byId: ReadonlyMap<string, Database | null>;
  readonly #shapes: ReadonlySet<string>;
  readonly #byHeader: ReadonlyMap<string, Database | null>;
  /** How many tables of the candidates have a header. */
  readonly #claims: ReadonlyMap<string, number>;
  /** The columns found for each header, which candidates share. */
  readonly #aligned = new WeakMap<readonly string[], WeakMap<Database, readonly (HeaderColumn | null)[]>>();

  constructor(databases: ReadonlyMap<string, Database>, candidates: readonly PlacedNames[]) {
    this.#databases = databases;
    const tables = [...databases.values()].filter(isWebTable);
    this.#byId = byOwnKey(tables.map((one) => [idKey(one.id), one]));
    this.#shapes = new Set([...this.#byId.keys()].map(shapeOf));
    this.#byHeader = byOwnKey(
      tables.map((one) => [headerKey(headerColumns(one).map(({ column }) => column.name)), one]),
    );
    this.#claims = countClaims(candidates);
  }

  /** Where a candidate belongs, or why nowhere. */
  of(candidate: PlacedNames): Place | Absence {
    const { dbId, table: name, header } = candidate;
    const database = this.#databases.get(dbId);
    const table = database?.tables.find(({ originalName }) => identifierKey(originalName) === identifierKey(name));
    const isHeaded = database !== undefined && header !== undefined && name === dbId && isWebTable(database);
    if (database !== undefined && table !== undefined && !isHeaded) {
      return { database, table, column: otherwiseNamed(table, candidate), by: 'id' };
    }
    if (name !== dbId) return 'table';
    const found = this.#webTable(candidate);
    if (typeof found === 'string') return found;
    const column = this.#column(candidate, found.database);
    return column === null ? 'column' : { ...found, ...column };
  }

  #webTable({ dbId, otherIds = [], header }: PlacedNames): Pick<Place, 'database' | 'by'> | Absence {
    const keys = [dbId, ...otherIds].map(idKey);
    const own = this.#databases.get(dbId);
    const byId = own !== undefined && isWebTable(own) ? own : keys.map((key) => this.#byId.get(key)).find(Boolean);
    if (byId) return { database: byId, by: 'id' };
    if (header === undefined || keys.some((key) => this.#shapes.has(shapeOf(key)))) return 'table';
    const key = headerKey(header);
    const byHeader = this.#byHeader.get(key);
    if (byHeader === undefined) return 'table';
    return byHeader === null || (this.#claims.get(key) ?? 1) > 1 ? 'several' : { database: byHeader, by: 'header' };
  }

  #column({ column, header }: PlacedNames, database: Database): HeaderColumn | null {
    const position = header?.indexOf(column) ?? -1;
    if (header === undefined || position < 0) return alignHeader([column], headerColumns(database))[0] ?? null;
    return this.#align(header, database)[position] ?? null;
  }

  #align(header: readonly string[], database: Database): readonly (HeaderColumn | null)[] {
    const known = this.#aligned.get(header) ?? new WeakMap<Database, readonly (HeaderColumn | null)[]>();
    this.#aligned.set(header, known);
    const aligned = known.get(database) ?? alignHeader(header, headerColumns(database));
    known.set(database, aligned);
    return aligned;
  }
}

/** Counts of tables, columns and names of people's candidates that a data set has, and of those it lacks, by cause. */
export interface FoundCandidates {
  readonly tables: {
    readonly byId: number;
    readonly byHeader: number;
    /** The data set has no such table. */
    readonly absent: number;
    /** Found by a header that several tables have. */
    readonly ambiguous: number;
  };
  /** Columns of the tables that were found. */
  readonly columns: { readonly found: number; readonly absent: number };
  readonly candidates: { readonly found: number; readonly leftOut: number };
}

type Outcome = 'id' | 'header' | Absence;

const counted = (count: number, what: string): string =>
  `${formatCount(count)} ${count === 1 ? what.replace(/^(table|column|name)s/u, '$1') : what}`;

/** Describes the found and the missing in one line; causes that did not occur are left out. */
export function describeFound({ tables, columns, candidates }: FoundCandidates): string {
  const parts = [
    counted(tables.byId, 'tables found by id'),
    ...(tables.byHeader === 0 ? [] : [counted(tables.byHeader, 'by header')]),
    ...(tables.ambiguous === 0 ? [] : [counted(tables.ambiguous, 'left out as several tables have their header')]),
    ...(tables.absent === 0 ? [] : [counted(tables.absent, 'not in this data set')]),
    counted(columns.found, 'columns found'),
    ...(columns.absent === 0 ? [] : [counted(columns.absent, 'not in their table')]),
    counted(candidates.found, 'names taken'),
    ...(candidates.leftOut === 0 ? [] : [counted(candidates.leftOut, 'left out')]),
  ];
  return `people’s candidates: ${parts.join(', ')}`;
}

/** Tells a host of people's candidates where some were left out, or found by less than an id. */
export function noteFound(host: RunHost): (found: FoundCandidates) => void {
  return (found) => {
    if (found.candidates.leftOut + found.tables.byHeader > 0) host.note(describeFound(found));
  };
}

/** Counts what became of candidates; tables and columns count once. */
export class FoundCandidatesTally {
  readonly #tables = new Map<string, Outcome>();
  readonly #columns = new Map<string, boolean>();
  readonly #candidates = { found: 0, leftOut: 0 };

  /** `found` is the name of the column as the data set has it. */
  add({ dbId, table, column }: AdvetaCandidate, outcome: Outcome, found = column): void {
    const isFound = outcome === 'id' || outcome === 'header';
    this.#candidates[isFound ? 'found' : 'leftOut']++;
    const key = JSON.stringify([dbId, table]);
    // A column is absent from a table that is there.
    if (outcome !== 'column' || !this.#tables.has(key)) this.#tables.set(key, outcome);
    if (isFound || outcome === 'column') this.#columns.set(JSON.stringify([dbId, table, found]), isFound);
  }

  get found(): FoundCandidates {
    const tables = [...this.#tables.values()];
    const count = (...outcomes: readonly Outcome[]): number => tables.filter((one) => outcomes.includes(one)).length;
    const columns = [...this.#columns.values()].filter((isFound) => isFound).length;
    return {
      tables: {
        byId: count('id', 'column'),
        byHeader: count('header'),
        absent: count('table'),
        ambiguous: count('several'),
      },
      columns: { found: columns, absent: this.#columns.size - columns },
      candidates: { ...this.#candidates },
    };
  }
}

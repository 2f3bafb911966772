import type { RunManifest } from '../../run/run-folder.js';
import { VERSION } from '../../version.js';
import { storedBytes } from '../suite/open-suite.js';
import type { WrittenConstraint } from '../suite/suite-manifest.js';
import { countedNeighbors, countNeighbors, type NeighborCounts, shareLeft } from '../suite/suite-counts.js';
import type { SuiteGold, SuiteSchemaFile } from '../suite/suite-manifest.js';
import { joinCurves, type SharePoint } from './joined-curve.js';
import { isReliable } from './reliable-gold.js';

/** A neighbor that no database tells from its gold, with that. */
export interface ReportedNeighbor {
  readonly dbId: string;
  readonly gold: string;
  readonly neighbor: string;
  readonly kind: string;
  readonly detail: string;
  readonly reason: string;
}

/** Counts of a schema, or of all. */
export interface SuiteCounts extends NeighborCounts {
  /** In [0, 1], of the neighbors not shown to be equivalent; null where there is none. */
  readonly shareLeft: number | null;
  readonly databases: number;
  /** Mean over the golds of the databases that a prediction is compared on. */
  readonly databasesPerGold: number;
  /** Of all SQLite files, and as they are packed. */
  readonly bytes: number;
  readonly packedBytes: number;
  /** Golds of whose result nothing is known to be independent of the order of rows on any database. */
  readonly indeterminate: number;
  /** Golds that are judged by a part of their result on some database: the order of rows decides the rest. */
  readonly partial: number;
  /** Golds that find no row on any database. */
  readonly empty: number;
  /** Golds that can be judged reliably: Test-suite accuracy, Table 4. */
  readonly reliable: number;
  readonly unread: number;
}

export interface ReportedSchema extends SuiteCounts {
  readonly dbId: string;
  readonly carriedFrom: string | null;
  /** The constraints that all of its databases satisfy. */
  readonly constraints: readonly WrittenConstraint[];
  /** Share of neighbors left by databases tried. */
  readonly curve: readonly SharePoint[];
  /** Golds that are worth a look, as they are executed. */
  readonly indeterminateGolds: readonly string[];
  readonly partialGolds: readonly string[];
  readonly emptyGolds: readonly string[];
  readonly unreadGolds: readonly { readonly sql: string; readonly reason: string }[];
}

/** The contents of a suite: `report.json`. It has no times: the same suite gives the same report. */
export interface SuiteReport {
  readonly perturbql: string;
  readonly seed: number;
  /** The settings that the suite was made with. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly totals: SuiteCounts;
  /** All schemas together: Test-suite accuracy, Figure 5. */
  readonly curve: readonly SharePoint[];
  readonly schemas: readonly ReportedSchema[];
  readonly left: readonly ReportedNeighbor[];
  /** Neighbors that are equivalent under the data's constraints. */
  readonly equivalentUnderData: readonly ReportedNeighbor[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const isEmpty = ({ hasRows }: SuiteGold): boolean => !hasRows;
const isIndeterminate = (gold: SuiteGold): boolean => gold.isIndeterminate;
const isPartial = ({ partial = [] }: SuiteGold): boolean => partial.length > 0;
const databasesOf = ({ databases, partial = [] }: SuiteGold): number => databases.length + partial.length;

function countsOf(schema: SuiteSchemaFile, packedBytes: number): SuiteCounts {
  const { golds, databases, unread } = schema;
  const counts = countNeighbors(schema);
  return {
    ...counts,
    shareLeft: shareLeft(counts),
    databases: databases.length,
    databasesPerGold: golds.length === 0 ? 0 : sum(golds.map(databasesOf)) / golds.length,
    bytes: sum(databases.map(({ bytes }) => bytes)),
    packedBytes,
    indeterminate: golds.filter(isIndeterminate).length,
    partial: golds.filter(isPartial).length,
    empty: golds.filter(isEmpty).length,
    reliable: golds.filter(isReliable).length,
    unread: unread.length,
  };
}

function reportSchema(path: string, schema: SuiteSchemaFile): ReportedSchema {
  const { dbId, databases, golds, carriedFrom, unread } = schema;
  // A suite that was transferred has no databases of its own.
  const own = carriedFrom === null ? databases : [];
  const packed = sum(own.map(({ name }) => storedBytes(path, dbId, name)));
  const counts = countsOf(schema, packed);
  return {
    dbId,
    ...counts,
    carriedFrom,
    constraints: schema.constraints,
    curve: joinCurves([schema.curve], countedNeighbors(counts)),
    indeterminateGolds: golds.filter(isIndeterminate).map(({ sql }) => sql),
    partialGolds: golds.filter(isPartial).map(({ sql }) => sql),
    emptyGolds: golds.filter(isEmpty).map(({ sql }) => sql),
    unreadGolds: unread,
  };
}

function totalsOf(schemas: readonly ReportedSchema[]): SuiteCounts {
  const total = (key: keyof SuiteCounts): number => sum(schemas.map((one) => one[key] ?? 0));
  const counts = {
    golds: total('golds'),
    neighbors: total('neighbors'),
    equivalent: total('equivalent'),
    equivalentUnderData: total('equivalentUnderData'),
    left: total('left'),
  };
  const compared = sum(schemas.map(({ golds, databasesPerGold }) => golds * databasesPerGold));
  return {
    ...counts,
    shareLeft: shareLeft(counts),
    databases: total('databases'),
    databasesPerGold: counts.golds === 0 ? 0 : compared / counts.golds,
    bytes: total('bytes'),
    packedBytes: total('packedBytes'),
    indeterminate: total('indeterminate'),
    partial: total('partial'),
    empty: total('empty'),
    reliable: total('reliable'),
    unread: total('unread'),
  };
}

function listed({ dbId, golds }: SuiteSchemaFile, list: 'left' | 'equivalentUnderData'): readonly ReportedNeighbor[] {
  return golds.flatMap(({ sql, [list]: neighbors }) =>
    neighbors.map(({ sql: neighbor, kind, detail, reason }) => ({ dbId, gold: sql, neighbor, kind, detail, reason })),
  );
}

/**
 * Sums up a suite: what it holds, distinguishes, and leaves.
 * @throws InputFormatError when a database is missing
 */
export function reportSuite(
  path: string,
  { seed, settings }: Pick<RunManifest, 'seed' | 'settings'>,
  files: readonly SuiteSchemaFile[],
): SuiteReport {
  const schemas = files.map((file) => reportSchema(path, file));
  const totals = totalsOf(schemas);
  return {
    perturbql: VERSION,
    seed,
    settings,
    totals,
    curve: joinCurves(
      files.map(({ curve }) => curve),
      countedNeighbors(totals),
    ),
    schemas,
    left: files.flatMap((file) => listed(file, 'left')),
    equivalentUnderData: files.flatMap((file) => listed(file, 'equivalentUnderData')),
  };
}

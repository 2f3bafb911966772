import type { RowConstraint } from '../../rows/constraints/row-constraint.js';
import type { RunManifest } from '../../run/run-folder.js';
import { VERSION } from '../../version.js';
import { storedBytes } from '../suite/open-suite.js';
import {
  type CurvePoint,
  countedNeighbors,
  countNeighbors,
  type NeighborCounts,
  shareLeft,
  type SuiteGold,
  type SuiteSchemaFile,
} from '../suite/suite-manifest.js';
import { meaningfulTokens, type Token } from '../../sql/tokenizer.js';

/** A gold query with its neighbors that no database distinguishes. */
interface JudgedGold {
  readonly sql: string;
  readonly left: readonly { readonly sql: string }[];
  readonly isIndeterminate: boolean;
  readonly hasRows: boolean;
}

const CONDITION_CLAUSES = new Set(['where', 'on', 'having']);
const CLAUSES = new Set([...CONDITION_CLAUSES, 'select', 'from', 'join', 'group', 'order', 'limit']);

const meaningful = (sql: string): readonly Token[] => meaningfulTokens(sql);

/** Checks whether the first token in which a neighbor differs from its gold is part of WHERE, ON or HAVING there. */
function changesCondition(gold: string, neighbor: string): boolean {
  const [before, after] = [meaningful(gold), meaningful(neighbor)];
  const outer: string[] = [];
  let clause = '';
  for (const [i, { text }] of before.entries()) {
    const word = text.toLowerCase();
    if (CLAUSES.has(word)) clause = word;
    if (word !== after[i]?.text.toLowerCase()) return CONDITION_CLAUSES.has(clause);
    if (word === '(') outer.push(clause);
    if (word === ')') clause = outer.pop() ?? '';
  }
  return false;
}

/**
 * Checks whether a gold query can be judged reliably (test-suite accuracy A.2): it finds rows, in some sequence that
 * does not decide, and no neighbor is left that changes a condition. The paper's two causes of unreliable gold queries,
 * too many conditions and counts that no database reaches, both leave such a neighbor; it looked at them by hand.
 */
export function isReliable({ sql, left, isIndeterminate, hasRows }: JudgedGold): boolean {
  return hasRows && !isIndeterminate && left.every((neighbor) => !changesCondition(sql, neighbor.sql));
}

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
  /** Mean over the gold queries of the databases that a prediction is compared on. */
  readonly databasesPerGold: number;
  /** Of all SQLite files, and as they are packed. */
  readonly bytes: number;
  readonly packedBytes: number;
  /** Gold queries of whose result nothing is known to be independent of the order of rows on any database. */
  readonly indeterminate: number;
  /** Gold queries that are judged by a part of their result on some database: the order of rows decides the rest. */
  readonly partial: number;
  /** Gold queries that find no row on any database. */
  readonly empty: number;
  /** Gold queries that can be judged reliably: Test-suite accuracy, Table 4. */
  readonly reliable: number;
  readonly unread: number;
}

export interface ReportedSchema extends SuiteCounts {
  readonly dbId: string;
  readonly carriedFrom: string | null;
  /** The constraints that all of its databases satisfy. */
  readonly constraints: readonly RowConstraint[];
  /** Share of neighbors left by databases tried. */
  readonly curve: readonly SharePoint[];
  /** Gold queries that are worth a look, as they are executed. */
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

/** Share of neighbors, in [0, 1], that are left after so many databases: 0 is the original alone. */
interface SharePoint {
  readonly tried: number;
  readonly share: number;
}

/** Returns the number left in a curve after so many databases; it stays as it is after its last point. */
function leftAt(curve: readonly CurvePoint[], tried: number): number {
  return curve.findLast((point) => point.tried <= tried)?.left ?? 0;
}

/** Curves of several schemas as one, in shares of all their neighbors; without points that say nothing new. */
export function joinCurves(curves: readonly (readonly CurvePoint[])[], neighbors: number): readonly SharePoint[] {
  if (neighbors === 0) return [];
  const places = [...new Set(curves.flatMap((curve) => curve.map(({ tried }) => tried)))].sort((a, b) => a - b);
  const points = places.map((tried) => {
    const left = curves.reduce((sum, curve) => sum + leftAt(curve, tried), 0);
    return { tried, share: Number((left / neighbors).toFixed(6)) };
  });
  return points.filter(({ share }, i) => i === 0 || i === points.length - 1 || share !== points[i - 1]?.share);
}

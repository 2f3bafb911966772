import { zip } from '../../present.js';
import { sha256Of } from '../../run/sha256.js';
import type { ListedNeighbor, SuiteGold } from '../suite/suite-manifest.js';
import type { DistilledSchema, DistillState } from './distillation.js';
import { countPartial, type GoldJudgment, type JudgedDatabase, judgmentsByGold } from './judged-database.js';
import type { GoldCase, GoldCases, PlacedNeighbor } from './gold-cases.js';
import type { RowConstraint } from '../../rows/constraints/row-constraint.js';
import { neighborKey } from './neighbor-tally.js';

/** One gold query's results on the databases of the suite, by their position. */
interface GoldRecord {
  readonly gold: GoldCase;
  readonly judgments: readonly GoldJudgment[];
  readonly state: DistillState;
  /** Why neighbors that are left are equivalent under the data. */
  readonly relaxed: ReadonlyMap<PlacedNeighbor, string>;
}

// Stored in a suite’s files: the words stay as earlier versions wrote them.
function triedText({ gold, state }: GoldRecord, { place }: PlacedNeighbor): string {
  const built = state.targeted.find((target) => target.gold === gold.position && target.neighbor === place)?.built;
  const targeted =
    built === undefined ? '' : built === 0 ? '; rows could not be aimed' : `, ${built} of them aimed at it`;
  return `${state.tried + 1} databases tried${targeted}`;
}

function reasonOf(record: GoldRecord, neighbor: PlacedNeighbor): string {
  const { gold, judgments, state } = record;
  const tried = triedText(record, neighbor);
  const results = judgments.flatMap(({ result }) => result ?? []);
  if (results.length === 0) return `the gold query has no result within the limits (${tried})`;
  if (results.every(({ rows }) => rows === 0)) return `the gold query is always empty (${tried})`;
  const determinate = judgments.filter(({ isDeterminate, partial }) => isDeterminate || partial !== null);
  if (determinate.length === 0) {
    return `the gold query’s result always hangs on the order of rows (${tried})`;
  }
  if (state.doubtful.includes(neighborKey(gold, neighbor))) {
    return `it differs only where the gold query’s result hangs on the order of rows (${tried})`;
  }
  if (determinate.every(({ unknown }) => unknown.has(neighbor))) return `it takes too long to run (${tried})`;
  return `always the same result (${tried})`;
}

function listed({ sql, kind, detail }: PlacedNeighbor, reason: string): ListedNeighbor {
  return { sql, kind, detail, reason };
}

/** The neighbors that no database distinguishes. */
export function leftNeighbors({ open }: GoldCase, judgments: readonly GoldJudgment[]): readonly PlacedNeighbor[] {
  return open.filter((n) => !judgments.some(({ told }) => told.has(n)));
}

function leftOf(record: GoldRecord): readonly ListedNeighbor[] {
  const { gold, judgments, relaxed } = record;
  const left = leftNeighbors(gold, judgments).filter((one) => !relaxed.has(one));
  return left.map((one) => listed(one, reasonOf(record, one)));
}

function underDataOf({ gold, judgments, relaxed }: GoldRecord): readonly ListedNeighbor[] {
  const proven = [...gold.underData].map(([one, reason]) => listed(one, reason));
  const found = leftNeighbors(gold, judgments).flatMap((one) => {
    const reason = relaxed.get(one);
    return reason === undefined ? [] : [listed(one, reason)];
  });
  return [...proven, ...found];
}

function goldOf(record: GoldRecord, databases: readonly JudgedDatabase[]): SuiteGold {
  const { gold, judgments } = record;
  const withResult = zip(databases, judgments).flatMap(([{ size }, { result, isDeterminate, told }], database) =>
    result === null ? [] : [{ database, size, hash: result.hash, isDeterminate, told: told.size }],
  );
  const determinate = withResult.filter(({ isDeterminate }) => isDeterminate);
  const partial = judgments.flatMap(({ partial: part }, database) =>
    part === null ? [] : [{ database, denotation: part.hash }],
  );
  const isIndeterminate = determinate.length === 0 && partial.length === 0;
  const used = (isIndeterminate ? withResult : determinate).sort(
    (a, b) => b.told - a.told || a.size - b.size || a.database - b.database,
  );
  return {
    sql: gold.sql,
    sha256: sha256Of(gold.sql),
    mode: gold.mode,
    neighbors: gold.neighbors.length,
    equivalent: gold.neighbors.length - gold.open.length - gold.underData.size,
    left: leftOf(record),
    equivalentUnderData: underDataOf(record),
    databases: used.map(({ database }) => database),
    denotations: used.map(({ hash }) => hash),
    ...(partial.length > 0 && { partial }),
    isIndeterminate,
    hasRows: judgments.some(({ result }) => result !== null && result.rows > 0),
  };
}

/** The findings of a distillation besides its databases. */
export interface SchemaFindings {
  readonly state: DistillState;
  readonly constraints: readonly RowConstraint[];
  /** Why neighbors that are left are equivalent under the data. */
  readonly relaxed: ReadonlyMap<PlacedNeighbor, string>;
}

/**
 * The suite of a schema: the original, then the databases that distinguish most neighbors, of equal ones the smallest.
 */
export function assembleSchema(
  { cases, unread }: GoldCases,
  judged: readonly JudgedDatabase[],
  { state, constraints, relaxed }: SchemaFindings,
): DistilledSchema {
  const power = ({ origin, golds }: JudgedDatabase): number =>
    origin.kind === 'original' ? Infinity : golds.reduce((sum, { told }) => sum + told.size, 0);
  const databases = [...countPartial(judged)].sort((a, b) => {
    const [left, right] = [power(a), power(b)];
    return left === right ? a.size - b.size : right - left;
  });
  const goldQueries = zip(cases, judgmentsByGold(databases)).map(([gold, judgments]) =>
    goldOf({ gold, judgments, state, relaxed }, databases),
  );
  const leftInAll = goldQueries.reduce((sum, { left }) => sum + left.length, 0);
  return {
    databases: databases.map(({ origin, rows }) => ({ origin, rows })),
    golds: goldQueries,
    curve: state.curve.map(({ tried, left }, at) => {
      // Neighbors that turn out to be equivalent under the data were left all along.
      const others = left - relaxed.size;
      // Databases that stay whole may distinguish what the search left.
      return { tried, left: at === state.curve.length - 1 ? Math.min(others, leftInAll) : others };
    }),
    constraints,
    unread,
  };
}

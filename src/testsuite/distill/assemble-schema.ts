import { elementAt, present } from '../../present.js';
import type { DistilledGold, DistilledSchema, DistillState, LeftNeighbor } from './distillation.js';
import { countPartial } from './count-partial.js';
import type { GoldCase, GoldCases } from './gold-cases.js';
import type { GoldJudgment, JudgedDatabase } from './judged-database.js';
import { neighborKey } from './neighbor-tally.js';

/** What one gold met on the databases of the suite, by their position. */
interface GoldRecord {
  readonly gold: GoldCase;
  readonly judgments: readonly GoldJudgment[];
  readonly state: DistillState;
}

// Stored in a suite’s files: the words stay as earlier versions wrote them.
function triedText({ gold, state }: GoldRecord, neighbor: number): string {
  const built = state.aimed.find((target) => target.gold === gold.position && target.neighbor === neighbor)?.built;
  const targeted =
    built === undefined ? '' : built === 0 ? '; rows could not be aimed' : `, ${built} of them aimed at it`;
  return `${state.tried + 1} databases tried${targeted}`;
}

function reasonOf(record: GoldRecord, neighbor: number): string {
  const { gold, judgments, state } = record;
  const tried = triedText(record, neighbor);
  const results = judgments.flatMap(({ result }) => result ?? []);
  if (results.length === 0) return `the gold has no result within the limits (${tried})`;
  if (results.every(({ rows }) => rows === 0)) return `the gold is always empty (${tried})`;
  const determinate = judgments.filter(({ isDeterminate, partial }) => isDeterminate || partial !== null);
  if (determinate.length === 0) {
    return `the gold’s result always hangs on the order of rows (${tried})`;
  }
  if (state.doubtful.includes(neighborKey(gold, neighbor))) {
    return `it differs only where the gold’s result hangs on the order of rows (${tried})`;
  }
  if (determinate.every(({ unknown }) => unknown.has(neighbor))) return `it takes too long to run (${tried})`;
  return `always the same result (${tried})`;
}

function leftOf(record: GoldRecord): readonly LeftNeighbor[] {
  const { gold, judgments } = record;
  const left = gold.open.filter((n) => !judgments.some(({ told }) => told.has(n)));
  return left.map((n) => {
    const { sql, kind, detail } = elementAt(gold.neighbors, n);
    return { sql, kind, detail, reason: reasonOf(record, n) };
  });
}

function goldOf(record: GoldRecord, databases: readonly JudgedDatabase[]): DistilledGold {
  const { gold, judgments } = record;
  const withResult = [...judgments.keys()].filter((d) => elementAt(judgments, d).result !== null);
  const determinate = withResult.filter((d) => elementAt(judgments, d).isDeterminate);
  const partial = [...judgments.keys()].filter((d) => elementAt(judgments, d).partial !== null);
  const isIndeterminate = determinate.length === 0 && partial.length === 0;
  const used = (isIndeterminate ? withResult : determinate).sort(
    (a, b) =>
      elementAt(judgments, b).told.size - elementAt(judgments, a).told.size ||
      elementAt(databases, a).size - elementAt(databases, b).size ||
      a - b,
  );
  return {
    sql: gold.sql,
    mode: gold.mode,
    neighbors: gold.neighbors.length,
    equivalent: gold.neighbors.length - gold.open.length,
    left: leftOf(record),
    databases: used,
    denotations: used.map((d) => present(elementAt(judgments, d).result, 'judgments[d].result').hash),
    partial: partial.map((database) => {
      return { database, denotation: present(elementAt(judgments, database).partial, 'judgments[d].partial').hash };
    }),
    isIndeterminate,
    hasRows: judgments.some(({ result }) => result !== null && result.rows > 0),
  };
}

/**
 * The suite of a schema: the original, then the databases that distinguish most neighbors, of equal ones the smallest.
 */
export function assembleSchema(
  { cases, unread }: GoldCases,
  judged: readonly JudgedDatabase[],
  state: DistillState,
): DistilledSchema {
  const power = ({ origin, golds }: JudgedDatabase): number =>
    origin.kind === 'original' ? Infinity : golds.reduce((sum, { told }) => sum + told.size, 0);
  const databases = [...countPartial(judged)].sort((a, b) => {
    const [left, right] = [power(a), power(b)];
    return left === right ? a.size - b.size : right - left;
  });
  const golds = cases.map((gold, g) => {
    return goldOf({ gold, judgments: databases.map((database) => elementAt(database.golds, g)), state }, databases);
  });
  return {
    databases: databases.map(({ origin, rows }) => ({ origin, rows })),
    golds,
    curve: state.curve,
    unread,
  };
}

import { zip } from '../../present.js';
import { foldName } from '../../sql/dialect.js';
import type { TableRows } from '../../rows/fuzz/fuzzer.js';
import type { DatabaseMaker } from './database-maker.js';
import type { GoldCase, PlacedNeighbor } from './gold-cases.js';
import type { GoldJudgment, JudgedDatabase } from './judged-database.js';
import type { GoldResult, NeighborVerdict, TrialDatabase } from './trial-database.js';

/** Rows of one table that might go. */
interface Piece {
  readonly table: string;
  readonly start: number;
  readonly end: number;
}

const sizeOf = (rows: TableRows, table: string): number => rows.get(table)?.length ?? 0;

/** Each table in pieces of a share of its rows, the last rows first; tables created last first: they refer to others. */
function piecesOf(rows: TableRows, share: number): readonly Piece[] {
  return [...rows.keys()].reverse().flatMap((table) => {
    const size = sizeOf(rows, table);
    const length = Math.max(1, Math.ceil(size / share));
    const pieces = Array.from({ length: Math.ceil(size / length) }, (_, i) => {
      return { table, start: i * length, end: Math.min(size, (i + 1) * length) };
    });
    return pieces.reverse();
  });
}

function without(rows: TableRows, { table, start, end }: Piece): TableRows {
  const own = rows.get(table) ?? [];
  return new Map(rows).set(table, [...own.slice(0, start), ...own.slice(end)]);
}

/**
 * Fewer rows of which something holds that holds of all of them: delta debugging (Zeller and Hildebrandt 2002) by whole
 * tables, halves, quarters and so on down to single rows, until each row was looked at alone or `maxTries` sets were.
 */
export function reduceRows(rows: TableRows, holds: (rows: TableRows) => boolean, maxTries: number): TableRows {
  let [current, tries, areSingle] = [rows, 0, false];
  for (let share = 1; !areSingle; share *= 2) {
    areSingle = [...current.values()].every((own) => own.length <= share);
    for (const piece of piecesOf(current, share)) {
      if (tries === maxTries) return current;
      tries++;
      const fewer = without(current, piece);
      if (holds(fewer)) current = fewer;
    }
  }
  return current;
}

/**
 * A gold whose result counts, and the neighbors that lately were not distinguished by fewer rows, the last one first.
 */
interface KeptGold {
  readonly gold: GoldCase;
  readonly judgment: GoldJudgment;
  fragile: readonly PlacedNeighbor[];
}

const MOST_FRAGILE = 8;

/**
 * Neighbors that are run for the reduction of one database, which takes some seconds: queries by hundreds have 10,000.
 */
const MOST_RUNS = 100_000;

/** How many neighbors were run so far. */
interface Work {
  runs: number;
}

/**
 * How a neighbor is judged where all of the gold's result counts, or a part; null where that part is determinate no
 * more.
 */
function judgeNow(
  trial: TrialDatabase,
  { gold, judgment }: KeptGold,
  now: GoldResult,
): ((neighbor: string) => NeighborVerdict) | null {
  if (judgment.partial === null) return (neighbor) => trial.judge(gold, now, neighbor);
  const partial = trial.partialOf(gold, 'quick');
  return partial === null ? null : (neighbor) => trial.judgePartly(gold, partial, neighbor);
}

/** Checks whether a gold has rows where it had some, and all that was told from it still is. */
function staysTold(trial: TrialDatabase, kept: KeptGold, work: Work): boolean {
  const { gold, fragile } = kept;
  const { result, told } = kept.judgment;
  const now = trial.resultOf(gold);
  if (now === null || (result?.isEmpty === false && now.isEmpty)) return false;
  const judge = judgeNow(trial, kept, now);
  if (judge === null) return false;
  // Most sets of rows fail at what failed before.
  const order = new Set([...fragile.filter((one) => told.has(one)), ...told]);
  const lost = [...order].find(({ sql }) => {
    work.runs++;
    return judge(sql) !== 'told';
  });
  if (lost !== undefined) kept.fragile = [lost, ...fragile.filter((one) => one !== lost)].slice(0, MOST_FRAGILE);
  return lost === undefined;
}

function staysDeterminate(trial: TrialDatabase, { gold, judgment }: KeptGold): boolean {
  if (judgment.partial !== null) return true; // seen when it was judged
  const result = trial.resultOf(gold);
  return result !== null && trial.isDeterminate(gold, result, 'quick');
}

const changedTables = (before: TableRows, after: TableRows): readonly string[] =>
  [...after].flatMap(([table, rows]) => (rows === before.get(table) ? [] : [foldName(table)]));

/** Checks whether the gold's result may change where these tables do; a view's name says nothing of its tables. */
function isTouched({ reads }: GoldCase, changed: readonly string[], tables: ReadonlySet<string>): boolean {
  return changed.some((table) => reads.has(table)) || [...reads].some((name) => !tables.has(name));
}

/**
 * Checks whether a table lost its last row: `max(x)` and `ORDER BY x DESC LIMIT 1` differ on no rows, which tells no
 * reader a mistake.
 */
function isEmptied(before: TableRows, after: TableRows): boolean {
  return [...after].some(([table, rows]) => rows.length === 0 && (before.get(table) ?? []).length > 0);
}

/**
 * A database's rows without those that add nothing, as far as `maxTries` sets of rows and `MOST_RUNS` show: every
 * neighbor that it distinguishes it still distinguishes, every gold with a determinate result has one, with rows where
 * it had rows, references hold, and no table becomes empty.
 */
export function reduceDatabase(
  maker: DatabaseMaker,
  cases: readonly GoldCase[],
  { rows, golds }: JudgedDatabase,
  maxTries: number,
): TableRows {
  if (rows === null) throw new TypeError('the original is not reduced');
  const tables = new Set([...rows.keys()].map(foldName));
  let kept = zip(cases, golds).flatMap(([gold, judgment]): KeptGold[] => {
    const { isDeterminate, partial } = judgment;
    return isDeterminate || partial !== null ? [{ gold, judgment, fragile: [] }] : [];
  });
  if (maker.load(rows) === null) return rows;
  let current = rows;
  const work: Work = { runs: 0 };
  const holds = (fewer: TableRows): boolean => {
    if (isEmptied(current, fewer) || work.runs >= MOST_RUNS) return false;
    const trial = maker.load(fewer);
    if (trial === null) return false;
    const changed = changedTables(current, fewer);
    const touched = kept.filter(({ gold }) => isTouched(gold, changed, tables));
    const failed =
      touched.find((one) => !staysTold(trial, one, work)) ?? touched.find((one) => !staysDeterminate(trial, one));
    if (failed !== undefined) kept = [failed, ...kept.filter((one) => one !== failed)];
    else current = fewer;
    return failed === undefined;
  };
  return reduceRows(rows, holds, maxTries);
}

import { z } from 'zod';
import { takeOne, tally } from '../counts.js';
import {
  cellOf,
  type PlainResult,
  plainResult,
  type PlainValue,
  type QueryRows,
} from '../sql/execution/query-outcome.js';

/** Positions of rows. */
interface DifferingRows {
  readonly gold: ReadonlySet<number>;
  readonly predicted: ReadonlySet<number>;
}

/** Numbers to ten digits, as results are compared. */
function cellKey(value: PlainValue): string {
  return typeof value === 'number' ? `n${Number(value.toPrecision(10))}` : JSON.stringify(value);
}

function rowKeys({ rows }: PlainResult, isAnyColumn: boolean): string[] {
  return rows.map((row) => {
    const cells = row.map(cellKey);
    return (isAnyColumn ? cells.sort() : cells).join();
  });
}

/** Positions whose row the other side does not have as often. */
function missing(keys: readonly string[], others: readonly string[]): Set<number> {
  const left = tally(others);
  return new Set(keys.flatMap((key, i) => (takeOne(left, key) ? [] : [i])));
}

/** Which rows of two results the other one lacks; where both have the same ones, those that stand in another place. */
export function differingRows(gold: PlainResult, predicted: PlainResult, isAnyColumn: boolean): DifferingRows {
  const [ours, theirs] = [rowKeys(gold, isAnyColumn), rowKeys(predicted, isAnyColumn)];
  const lacking = { gold: missing(ours, theirs), predicted: missing(theirs, ours) };
  if (lacking.gold.size > 0 || lacking.predicted.size > 0) return lacking;
  const moved = new Set(ours.flatMap((key, i) => (theirs[i] === key ? [] : [i])));
  return { gold: moved, predicted: moved };
}

/** Size of results beyond which no rows are shown. */
export const SHOWN_SIZE = { maxRows: 2_000, maxBytes: 1 << 20 } as const;

const MOST_ROWS = 5;
/** Of a cell's text. */
const MOST_CHARACTERS = 200;

/** Some rows of a result, as they are shown: bytes as SQL writes them, long texts cut. */
export const shownRows = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** All rows, of which `rows` are some. */
  count: z.int().min(0),
  /** Positions in `rows` of those that the other result lacks, or has in another place. */
  differing: z.array(z.int()),
});

/** Where the result of a wrong answer differs from that of its gold query; in reports of runs that executed queries. */
export const resultDifference = z.object({ gold: shownRows, predicted: shownRows });
export type ResultDifference = z.infer<typeof resultDifference>;
type ShownRows = z.infer<typeof shownRows>;

function cutCell(value: PlainValue): string | number | null {
  const text = cellOf(value);
  return typeof text === 'string' && text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** The first rows that differ and, where there is room, the first of the others, in their order. */
function shown({ columns, rows, count }: PlainResult, differing: ReadonlySet<number>): ShownRows {
  const first = [...differing].slice(0, MOST_ROWS);
  const others = [...rows.keys()].slice(0, 2 * MOST_ROWS).filter((at) => !differing.has(at));
  const places = [...first, ...others.slice(0, MOST_ROWS - first.length)].sort((a, b) => a - b);
  return {
    columns: [...columns],
    rows: places.map((at) => (rows[at] ?? []).map(cutCell)),
    count,
    differing: places.flatMap((at, i) => (differing.has(at) ? [i] : [])),
  };
}

/** Some rows of two results that are not equal, those that differ marked. */
export function differenceOf(gold: QueryRows, predicted: QueryRows, isAnyColumn: boolean): ResultDifference {
  const [mine, theirs] = [plainResult(gold), plainResult(predicted)];
  const marks = differingRows(mine, theirs, isAnyColumn);
  return { gold: shown(mine, marks.gold), predicted: shown(theirs, marks.predicted) };
}

import { z } from 'zod';
import { cellOf, type PlainResult, plainResult, type PlainValue } from '../sql/execution/plain-value.js';
import type { QueryRows } from '../sql/execution/query-outcome.js';
import { differingRows } from './differing-rows.js';

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

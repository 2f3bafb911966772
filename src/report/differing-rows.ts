import type { PlainResult, PlainValue } from '../sql/execution/plain-value.js';

/** Positions of rows. */
export interface DifferingRows {
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
  const left = new Map<string, number>();
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
  return new Set(
    keys.flatMap((key, i) => {
      const have = left.get(key) ?? 0;
      left.set(key, have - 1);
      return have > 0 ? [] : [i];
    }),
  );
}

/** Which rows of two results the other one lacks; where both have the same ones, those that stand in another place. */
export function differingRows(gold: PlainResult, predicted: PlainResult, isAnyColumn: boolean): DifferingRows {
  const [ours, theirs] = [rowKeys(gold, isAnyColumn), rowKeys(predicted, isAnyColumn)];
  const lacking = { gold: missing(ours, theirs), predicted: missing(theirs, ours) };
  if (lacking.gold.size > 0 || lacking.predicted.size > 0) return lacking;
  const moved = new Set(ours.flatMap((key, i) => (theirs[i] === key ? [] : [i])));
  return { gold: moved, predicted: moved };
}

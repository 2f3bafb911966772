import type { TableRows } from '../../rows/fuzz/fuzzer.js';

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

import type { ValueMapping } from '../../formats/artifacts/mutants.js';
import type { QueryRows } from '../../sql/execution/query-outcome.js';

/** A result with the values that its original's database holds, by the mapping of a mutant, the last change first. */
export function restoreValues(result: QueryRows, mapping: readonly ValueMapping[] | null): QueryRows {
  return (mapping ?? []).reduceRight((rows, { values, results }) => {
    if (values === undefined || results === undefined || results.length === 0) return rows;
    const old = new Map<unknown, string | number>(values.map(([before, now]) => [now, before]));
    const restored = rows.rows.map((row) => {
      return row.map((cell, c) => (results.includes(c) ? (old.get(cell) ?? cell) : cell));
    });
    return { ...rows, rows: restored };
  }, result);
}

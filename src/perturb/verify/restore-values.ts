import { z } from 'zod';
import type { QueryRows } from '../../sql/execution/query-outcome.js';

const value = z.union([z.string(), z.number()]);

/** A column of the original whose values a changed database holds in another form. */
export const valueMapping = z.object({
  /** "singer.name". */
  column: z.string(),
  /** Where its values are now: ["singer.first_name", "singer.last_name"]. */
  now: z.array(z.string()).readonly(),
  /** SQL over those columns that gives the old value, exactly; golds have it in the place of the column. */
  restored: z.string().nullable(),
  /** Where the gold returns new values: each old value with its new one. */
  values: z
    .array(z.tuple([value, value]).readonly())
    .readonly()
    .exactOptional(),
  /** Positions of the result columns that hold new values. */
  results: z.array(z.number().int().nonnegative()).readonly().exactOptional(),
});

export type ValueMapping = Readonly<z.infer<typeof valueMapping>>;

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

import type { QueryRows, ResultValue, SqlRow } from '../../sql/execution/query-outcome.js';
import { valueKey } from '../../sql/execution/value-key.js';
import type { DenotationRunner } from '../denotation/denotation-runner.js';
import {
  cellOf,
  type CellPattern,
  PartialDenotation,
  type ResultSegment,
  type RowPattern,
} from '../denotation/partial-denotation.js';
import type { PartialPlan, PlannedColumn, RowWindow } from './partial-plan.js';

/** Rows of a gold without LIMIT that are compared at most. */
const MOST_PATTERNS = 5000;

type Run = (sql: string) => ReturnType<DenotationRunner['run']>;

/** A text that values share at least where a collation of SQLite takes them for one. */
function looseKey(value: ResultValue): string {
  return valueKey(typeof value === 'string' ? value.trimEnd().toLowerCase() : value, 'numeric');
}

const looseKeyOf = (row: SqlRow, columns: readonly number[]): string =>
  columns
    .map((c) => looseKey(row[c] ?? null))
    .map((key) => `${key.length}:${key}`)
    .join();

/** The values of each group, column by column of `valuesSql`. */
class GroupValues {
  readonly #groups = new Map<string, Map<number, Set<ResultValue>>>();
  readonly #keys: number;

  constructor({ rows, columns }: QueryRows, keys: number) {
    this.#keys = keys;
    for (const row of rows) {
      const key = this.#keyOf(row.slice(0, keys));
      const group = this.#groups.get(key) ?? new Map<number, Set<ResultValue>>();
      this.#groups.set(key, group);
      for (let c = keys; c < columns.length; c++) {
        const values = group.get(c) ?? new Set<ResultValue>();
        group.set(c, values.add(row[c] ?? null));
      }
    }
  }

  /** The values of a column in a group; without a row there is one group, of NULLs. */
  cell(group: SqlRow, at: number): CellPattern {
    return cellOf(this.#groups.get(this.#keyOf(group))?.get(at) ?? [null]);
  }

  #keyOf(group: SqlRow): string {
    return looseKeyOf(
      group,
      Array.from({ length: this.#keys }, (_, k) => k),
    );
  }
}

function patternOf(row: SqlRow, { columns, groupKeys }: PartialPlan, values: GroupValues | null): RowPattern {
  const group = groupKeys.map((c) => row[c] ?? null);
  return columns.map((column: PlannedColumn, c): CellPattern => {
    if (column.kind === 'determinate') return cellOf([row[c] ?? null]);
    return column.kind === 'any' || values === null ? null : values.cell(group, column.at);
  });
}

/** Rows one after another that nothing orders among themselves: at least those that are tied. */
function tiedRows({ rows }: QueryRows, orderKeys: readonly number[]): readonly (readonly SqlRow[])[] {
  const runs: SqlRow[][] = [];
  let last: string | null = null;
  for (const row of rows) {
    const key = looseKeyOf(row, orderKeys);
    if (key === last) runs.at(-1)?.push(row);
    else runs.push([row]);
    last = key;
  }
  return runs;
}

/** Returns the segments that LIMIT takes of each run of tied rows. */
function segmentsOf(
  runs: readonly (readonly SqlRow[])[],
  { count, offset }: RowWindow,
  patternOf: (row: SqlRow) => RowPattern,
): readonly ResultSegment[] {
  const end = count === null ? Infinity : offset + count;
  let begin = 0;
  return runs.flatMap((run): ResultSegment[] => {
    const start = begin;
    begin += run.length;
    const take = Math.min(begin, end) - Math.max(start, offset);
    return take > 0 ? [{ take, patterns: run.map(patternOf) }] : [];
  });
}

/**
 * Returns the part of a gold query's result that does not depend on the order of rows, asked of one database by its
 * plan; null if one of its queries gives no rows within the limits. The caller checks that the plan's queries
 * themselves are determinate there.
 */
export function readPartial(plan: PartialPlan, run: Run): PartialDenotation | null {
  const rows = run(plan.rowsSql);
  if (rows.kind !== 'rows' || rows.rows.length > MOST_PATTERNS) return null;
  const values = plan.valuesSql === null ? null : run(plan.valuesSql);
  if (values !== null && values.kind !== 'rows') return null;
  const groups = values === null ? null : new GroupValues(values, plan.groupKeys.length);
  const segments = segmentsOf(tiedRows(rows, plan.orderKeys), plan.window, (row) => patternOf(row, plan, groups));
  return new PartialDenotation(plan.columns.length, segments);
}

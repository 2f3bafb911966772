import { foldName } from '../../sql/dialect.js';
import type { Rng } from '../../stage.js';
import { itemAt, mustGet } from '../../present.js';
import { sampled } from '../../seeded-rng.js';
import { valueMakers, type AddedColumnRequest, type ValueMaker } from './value-makers.js';
import type { ColumnSample } from './table-sample.js';
import { declaredTypeFor, storedValue } from './declared-types.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

export type { AddedColumnRequest } from './value-makers.js';

/** The values that an added column is filled with. */
export interface AddedValues {
  /** In the style of the table's own declarations; empty = none. */
  readonly declaredType: string;
  /** One value per row, as SQLite stores it in a column of that type. */
  readonly values: readonly SqlValue[];
}

/** How often a column is drawn again per maker before another one is tried. */
const DRAWS = 6;
/** How often a number is drawn again that is the target's of the same row. */
const REDRAWS = 6;

function keyOf(value: SqlValue | undefined): string {
  if (value == null) return 'null';
  if (value instanceof Uint8Array) return `blob ${Buffer.from(value).toString('hex')}`;
  return typeof value === 'string' ? `text ${value}` : `number ${Number(value)}`;
}

/** Which rows are NULL: a random set with the wanted share, to the nearest row. */
function drawNulls(rows: number, share: number, rng: Rng): ReadonlySet<number> {
  return new Set(sampled([...Array(rows).keys()], Math.round(rows * share), rng));
}

function drawValue(maker: ValueMaker, row: number, target: ColumnSample | null, rng: Rng): SqlValue {
  const avoided = target?.cells[row];
  let value = maker.draw(row, rng);
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  for (let i = 0; i < REDRAWS && keyOf(value) === keyOf(avoided); i++) value = maker.draw(row, rng);
  return value;
}

function isSequence(keys: readonly string[], { cells }: ColumnSample): boolean {
  return cells.every((cell, row) => keyOf(cell) === keys[row]);
}

function isPermutation(keys: readonly string[], { cells }: ColumnSample): boolean {
  const own = keys.slice(0, cells.length).sort();
  return cells
    .map(keyOf)
    .sort()
    .every((key, row) => key === own[row]);
}

interface Judged {
  readonly values: AddedValues;
  /** 0 = like no column; 1 = as another column than the target; 2 = as the target. */
  readonly likeness: 0 | 1 | 2;
}

function judge(values: AddedValues, { table }: AddedColumnRequest, target: ColumnSample | null): Judged {
  const keys = values.values.map(keyOf);
  if (keys.every((key) => key === 'null')) return { values, likeness: 0 };
  if (target !== null && isPermutation(keys, target)) return { values, likeness: 2 };
  return { values, likeness: table.columns.some((column) => isSequence(keys, column)) ? 1 : 0 };
}

function drawColumn(
  maker: ValueMaker,
  request: AddedColumnRequest,
  target: ColumnSample | null,
  rng: Rng,
): AddedValues {
  const { table } = request;
  const nulls = drawNulls(table.rowCount, target?.nullShare ?? 0, rng);
  const raw = Array.from({ length: table.rowCount }, (_, row) =>
    nulls.has(row) ? null : drawValue(maker, row, target, rng),
  );
  // What the schema calls text is declared so, whatever the texts say.
  const isText = request.type === 'text' || request.type === 'others';
  const areWhole = maker.kind === 'real' && raw.length > 0 && raw.every((value) => typeof value === 'bigint');
  const kind = isText ? 'text' : areWhole ? 'integer' : maker.kind;
  const declaredType = declaredTypeFor(kind, raw, table, target, maker.donor);
  return { declaredType, values: raw.map((value) => storedValue(value, declaredType, table.strict)) };
}

/** Any value but this one, of its own kind; `draw` gives it as it is stored, since a text can become the same number. */
function otherThan(value: SqlValue, draw: () => SqlValue): SqlValue {
  for (let i = 0; i < DRAWS * REDRAWS; i++) {
    const other = draw();
    if (keyOf(other) !== keyOf(value)) return other;
  }
  if (typeof value === 'bigint') return value + 1n;
  return typeof value === 'number' ? value + 1 : `${String(value)} 2`;
}

/** One cell changed: no longer a permutation of what it was one of. */
function disturbed(
  { declaredType, values }: AddedValues,
  request: AddedColumnRequest,
  maker: ValueMaker,
  rng: Rng,
): AddedValues {
  const row = values.findIndex((value) => value !== null);
  const stored = (value: SqlValue) => storedValue(value, declaredType, request.table.strict);
  const other = otherThan(values[row] ?? null, () => stored(maker.draw(row, rng)));
  return { declaredType, values: values.with(row, stored(other)) };
}

/**
 * Values for an added column (ADD): drawn from the retrieved column's sample values where they are of the type, widened
 * in their own kind; else by the column's name and type in the style of the neighbors (date format, number range,
 * letter case, encoding of booleans). NULL is as frequent as in the target, to the nearest row. The values are never a
 * permutation of the target's and, where its type leaves a choice, not the sequence of any other column (both as far as
 * the sample goes; all-NULL columns aside); numbers shun the target's of their row. Deterministic: request and stream
 * decide.
 */
export function createAddedValues(request: AddedColumnRequest, rng: Rng): AddedValues {
  const target = request.table.columns.find(({ name }) => foldName(name) === foldName(request.target)) ?? null;
  const makers = valueMakers(request, target, rng);
  let best: Judged | null = null;
  for (const maker of makers) {
    for (let i = 0; i < DRAWS; i++) {
      const judged = judge(drawColumn(maker, request, target, rng), request, target);
      if (judged.likeness === 0) return judged.values;
      if (best === null || judged.likeness < best.likeness) best = judged;
    }
  }
  const { likeness, values } = mustGet(best, 'a maker of values');
  return likeness === 1 ? values : disturbed(values, request, itemAt(makers, makers.length - 1), rng);
}

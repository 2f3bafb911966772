import { takeOne, tally } from '../../counts.js';
import { getOrMake } from '../../present.js';
import type { QueryRows } from './query-outcome.js';
import { compareResults } from './result-comparison.js';
import { type ValueIdentity, valueKey } from './value-key.js';

/** Steps of the search for one pair; beyond them it is undecided. A step reads one column. */
const MAX_STEPS = 20_000;
/** Cells read in the search for one pair. */
const MAX_CELLS = 50_000_000;

/** The result of comparing two results in any order of columns; `undecided` if the search grew too large. */
export type ColumnMatch = 'equal' | 'different' | 'undecided';

/** Numbers for texts, the same for both sides. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    return getOrMake(this.#numbers, text, () => this.#numbers.size);
  }
}

/** A table of numbers by column; equal numbers are equal values. */
type Side = readonly (readonly number[])[];

function numbered({ columns, rows }: QueryRows, identity: ValueIdentity, numbering: Numbering): Side {
  return columns.map((_, c) => rows.map((row) => numbering.of(valueKey(row[c] ?? null, identity))));
}

const bagKey = (numbers: readonly number[]): string => [...numbers].sort((a, b) => a - b).join();

function sameBag(left: readonly number[], right: readonly number[]): boolean {
  const counts = tally(left);
  return right.every((number) => takeOne(counts, number));
}

/**
 * One round of refinement: a row's color by its values and their columns' colors, a column's by its values and their
 * rows'.
 */
function refine(side: Side, colors: readonly number[], numbering: Numbering): number[] {
  const height = side[0]?.length ?? 0;
  const rowColors = Array.from({ length: height }, (_, r) => {
    const cells = side.map((column, c) => numbering.of(`c${colors[c] ?? 0}:${column[r] ?? 0}`));
    return numbering.of(`r${bagKey(cells)}`);
  });
  return side.map((column, c) => {
    const cells = column.map((value, r) => numbering.of(`v${value}:${rowColors[r] ?? 0}`));
    return numbering.of(`k${colors[c] ?? 0}|${bagKey(cells)}`);
  });
}

/**
 * Colors of the columns of both sides: columns that correspond have the same. Null where no correspondence is possible.
 * Rounds go on while they distinguish more columns.
 */
function colorColumns(left: Side, right: Side): readonly [readonly number[], readonly number[]] | null {
  const first = new Numbering();
  let [ours, theirs] = [left, right].map((side) => side.map((column) => first.of(bagKey(column)))) as [
    number[],
    number[],
  ];
  for (let classes = 0; sameBag(ours, theirs);) {
    const now = new Set(ours).size;
    if (now === classes || now === ours.length) return [ours, theirs];
    classes = now;
    const next = new Numbering();
    [ours, theirs] = [refine(left, ours, next), refine(right, theirs, next)];
  }
  return null;
}

/**
 * Backtracking over the columns of the left: each takes one of the right with its color, so long as the rows so far
 * agree.
 */
class ColumnSearch {
  readonly #left: Side;
  readonly #right: Side;
  readonly #candidates: readonly (readonly number[])[];
  readonly #order: readonly number[];
  /** For each column of the right the first that is equal to it: of such only one is tried. */
  readonly #twins: readonly number[];
  readonly #taken = new Set<number>();
  #steps = 0;
  #cells = 0;

  constructor(left: Side, right: Side, colors: readonly [readonly number[], readonly number[]]) {
    const [ours, theirs] = colors;
    this.#left = left;
    this.#right = right;
    this.#candidates = ours.map((color) => theirs.flatMap((other, c) => (other === color ? [c] : [])));
    const sizeOf = (column: number): number => this.#candidates[column]?.length ?? 0;
    this.#order = left.map((_, c) => c).sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
    const firsts = new Map<string, number>();
    this.#twins = right.map((column, c) => {
      const text = column.join();
      const first = firsts.get(text) ?? c;
      firsts.set(text, first);
      return first;
    });
  }

  run(): ColumnMatch {
    const rows = new Array<number>(this.#left[0]?.length ?? 0).fill(0);
    return this.#place(0, rows, rows);
  }

  #place(depth: number, leftRows: readonly number[], rightRows: readonly number[]): ColumnMatch {
    const column = this.#order[depth];
    if (column === undefined) return 'equal';
    const tried = new Set<number>();
    for (const candidate of this.#candidates[column] ?? []) {
      const twin = this.#twins[candidate] ?? candidate;
      if (this.#taken.has(candidate) || tried.has(twin)) continue;
      tried.add(twin);
      this.#cells += 2 * leftRows.length;
      if ((this.#steps += 1) > MAX_STEPS || this.#cells > MAX_CELLS) return 'undecided';
      const numbering = new Numbering();
      const ours = extend(leftRows, this.#left[column] ?? [], numbering);
      const theirs = extend(rightRows, this.#right[candidate] ?? [], numbering);
      if (!sameBag(ours, theirs)) continue;
      this.#taken.add(candidate);
      const found = this.#place(depth + 1, ours, theirs);
      if (found !== 'different') return found;
      this.#taken.delete(candidate);
    }
    return 'different';
  }
}

/** Rows by what they hold in the columns so far and one more. */
function extend(rows: readonly number[], column: readonly number[], numbering: Numbering): number[] {
  return rows.map((row, r) => numbering.of(`${row}:${column[r] ?? 0}`));
}

/**
 * Checks whether two results hold the same rows, each as often, when the columns of one may be in another order.
 * Columns are distinguished by their values, then by the rows these are in; only among those that look alike is there a
 * search, which stops where the rows of the columns so far disagree. Time is in proportion to the cells times the
 * columns but for results made to mislead it, which end as `undecided`.
 */
export function matchColumns(left: QueryRows, right: QueryRows, identity: ValueIdentity): ColumnMatch {
  if (left.columns.length !== right.columns.length || left.rows.length !== right.rows.length) return 'different';
  if (compareResults(left, right, 'bag', identity) === null) return 'equal'; // mostly they are in the same order
  const numbering = new Numbering();
  const [ours, theirs] = [numbered(left, identity, numbering), numbered(right, identity, numbering)];
  const colors = colorColumns(ours, theirs);
  return colors === null ? 'different' : new ColumnSearch(ours, theirs, colors).run();
}

/**
 * Checks whether two results are the same rows in the same sequence, when the columns of one may be in another order.
 */
export function matchOrderedColumns(left: QueryRows, right: QueryRows, identity: ValueIdentity): boolean {
  if (left.columns.length !== right.columns.length || left.rows.length !== right.rows.length) return false;
  const texts = (result: QueryRows): string[] =>
    result.columns.map((_, c) => result.rows.map((row) => valueKey(row[c] ?? null, identity)).join()).sort();
  const [ours, theirs] = [texts(left), texts(right)];
  return ours.every((text, i) => text === theirs[i]);
}

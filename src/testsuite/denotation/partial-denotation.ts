import { hash } from 'node:crypto';
import type { QueryRows, ResultValue, SqlRow } from '../../sql/execution/query-outcome.js';
import { hasOneKey, type ResultEquality, sameValue } from '../../sql/execution/result-mode.js';
import { valueKey } from '../../sql/execution/value-key.js';

/** The values that a cell of a result may have, by their keys; null where it may have any. */
export type CellPattern = ReadonlyMap<string, ResultValue> | null;

/** The known values of one row of a result, column by column. */
export type RowPattern = readonly CellPattern[];

/** The pattern of a cell that has one of these values. */
export function cellOf(values: Iterable<ResultValue>): ReadonlyMap<string, ResultValue> {
  return new Map(Array.from(values, (value) => [valueKey(value, 'numeric'), value]));
}

const isNumber = (value: ResultValue): boolean => typeof value === 'number' || typeof value === 'bigint';

/** Checks whether a cell may have a value; numbers differ by at most the tolerance, as `sameResult` takes it. */
function allowsValue(cell: CellPattern, value: ResultValue, tolerance: number | null): boolean {
  if (cell === null || cell.has(valueKey(value, 'numeric'))) return true;
  if (!isNumber(value)) return false;
  for (const allowed of cell.values()) if (isNumber(allowed) && sameValue(value, allowed, tolerance)) return true;
  return false;
}

/** Checks whether a row fits a pattern. */
function fitsPattern(row: SqlRow, pattern: RowPattern, tolerance: number | null): boolean {
  return pattern.every((cell, c) => allowsValue(cell, row[c] ?? null, tolerance));
}

/** A text that two patterns share when they allow the same rows. */
function patternKey(pattern: RowPattern): string {
  const cells = pattern.map((cell) => (cell === null ? '*' : [...cell.keys()].sort().join('|')));
  return cells.map((text) => `${text.length}:${text}`).join();
}

/** Pairs of a row and a pattern that are looked at for one result; beyond them it is taken to fit. */
const MOST_PAIRS = 500_000;

/** Thrown where a search grows too large. */
class TooManyPairs extends Error {}

/** Counts the work of the comparisons of one result. */
class PairCount {
  #left = MOST_PAIRS;

  /** @throws TooManyPairs where there is no end to it */
  take(): void {
    if (this.#left-- <= 0) throw new TooManyPairs();
  }
}

/** How rows are compared with patterns. */
interface PatternFit {
  readonly tolerance: number | null;
  readonly pairs: PairCount;
}

/** Rows and patterns that may fit each other. */
interface Bucket {
  readonly rows: SqlRow[];
  readonly patterns: RowPattern[];
}

/** Columns in which each pattern has one value, and equal values share their key. */
function plainColumns(
  rows: readonly SqlRow[],
  patterns: readonly RowPattern[],
  tolerance: number | null,
): readonly number[] {
  const width = patterns[0]?.length ?? 0;
  const isPlain = (c: number): boolean =>
    patterns.every((pattern) => {
      const [only = null, ...others] = pattern[c]?.values() ?? [null, null];
      return others.length === 0 && hasOneKey(only, tolerance);
    }) && rows.every((row) => hasOneKey(row[c] ?? null, tolerance));
  return Array.from({ length: width }, (_, c) => c).filter(isPlain);
}

function bucketsOf(
  rows: readonly SqlRow[],
  patterns: readonly RowPattern[],
  tolerance: number | null,
): Iterable<Bucket> {
  const columns = plainColumns(rows, patterns, tolerance);
  const buckets = new Map<string, Bucket>();
  const bucketOf = (keys: readonly string[]): Bucket => {
    const key = keys.map((text) => `${text.length}:${text}`).join();
    const bucket = buckets.get(key) ?? { rows: [], patterns: [] };
    buckets.set(key, bucket);
    return bucket;
  };
  for (const row of rows) bucketOf(columns.map((c) => valueKey(row[c] ?? null, 'numeric'))).rows.push(row);
  for (const pattern of patterns)
    bucketOf(columns.map((c) => [...(pattern[c]?.keys() ?? [])].join())).patterns.push(pattern);
  return buckets.values();
}

/** One that is matched, with the positions of those that fit it. */
interface Matched {
  readonly edges: readonly number[];
}

/** Checks whether each of the first has one of the second for itself: a matching by augmenting paths (Kuhn 1955). */
function hasPartners<A, B>(all: readonly A[], partners: readonly B[], fits: (one: A, partner: B) => boolean): boolean {
  if (all.length > partners.length) return false;
  const taken = new Map<number, Matched>();
  const place = (one: Matched, seen: Set<number>): boolean => {
    const free = one.edges.find((p) => !taken.has(p));
    const partner =
      free ??
      one.edges.find((p) => {
        const holder = taken.get(p);
        if (holder === undefined || seen.has(p)) return false;
        seen.add(p);
        return place(holder, seen);
      });
    if (partner !== undefined) taken.set(partner, one);
    return partner !== undefined;
  };
  return all.every((one) =>
    place({ edges: partners.flatMap((partner, p) => (fits(one, partner) ? [p] : [])) }, new Set()),
  );
}

/**
 * Checks whether each row fits a pattern of its own.
 * @throws TooManyPairs
 */
function rowsFit(rows: readonly SqlRow[], patterns: readonly RowPattern[], { tolerance, pairs }: PatternFit): boolean {
  return [...bucketsOf(rows, patterns, tolerance)].every((bucket) =>
    hasPartners(bucket.rows, bucket.patterns, (row, pattern) => {
      pairs.take();
      return fitsPattern(row, pattern, tolerance);
    }),
  );
}

/**
 * Checks whether each pattern is met by a row of its own.
 * @throws TooManyPairs
 */
function patternsMet(
  rows: readonly SqlRow[],
  patterns: readonly RowPattern[],
  { tolerance, pairs }: PatternFit,
): boolean {
  return [...bucketsOf(rows, patterns, tolerance)].every((bucket) =>
    hasPartners(bucket.patterns, bucket.rows, (pattern, row) => {
      pairs.take();
      return fitsPattern(row, pattern, tolerance);
    }),
  );
}

/** Rows of a result that nothing orders among themselves: `take` of those that may be. */
export interface ResultSegment {
  readonly take: number;
  readonly patterns: readonly RowPattern[];
}

/** Sequences of columns that are tried for one result; beyond them it is taken to fit. */
const MOST_SEQUENCES = 1000;

/**
 * The part of a gold query's result on one database that is determinate whatever the order in which rows are found: the
 * number of rows, and for each the values that its cells may have; if LIMIT takes some of several tied rows, those that
 * it takes some of. Every result that the gold query may have fits it, and so does that of an equal query; not all that
 * fit are right.
 */
export class PartialDenotation {
  readonly columns: number;
  /** Rows of the result. */
  readonly rows: number;
  readonly #segments: readonly ResultSegment[];

  constructor(columns: number, segments: readonly ResultSegment[]) {
    this.columns = columns;
    this.rows = segments.reduce((sum, { take }) => sum + take, 0);
    this.#segments = segments;
  }

  /** True if LIMIT takes some of several rows that nothing orders. */
  get isCut(): boolean {
    return this.#segments.some(({ take, patterns }) => take < patterns.length);
  }

  /** A text that two partial denotations share when the same results fit. 128 bits of SHA-256. */
  get hash(): string {
    const segments = this.#segments.map(({ take, patterns }) => [take, patterns.map(patternKey).sort()]);
    return hash('sha256', JSON.stringify([this.columns, segments]), 'base64').slice(0, 22);
  }

  /** Checks whether a result may be the gold's; `isOrdered` is whether the gold orders its rows. */
  fits(result: QueryRows, { mode, tolerance }: ResultEquality, isOrdered: boolean): boolean {
    return this.misfit(result, { mode, tolerance }, isOrdered) === null;
  }

  /** Returns the trait of a result that rules it out, for people; null if it may be the gold query's. */
  misfit({ columns, rows }: QueryRows, { mode, tolerance }: ResultEquality, isOrdered: boolean): string | null {
    if (columns.length !== this.columns) return `it has ${columns.length} columns, the gold ${this.columns}`;
    const isSet = mode === 'set';
    if (!isSet && rows.length !== this.rows) {
      return `it has ${rows.length} rows, the gold query ${this.rows} in any order of rows`;
    }
    const isInOrder = isOrdered && mode.startsWith('ordered');
    const compare = isSet ? setFits : isInOrder ? sequenceFits : bagFits;
    const how = { segments: this.#segments, tolerance, pairs: new PairCount() };
    const sequences = mode.endsWith('-any-column-order') ? this.#sequences(rows, how) : [null];
    try {
      for (const sequence of sequences) {
        const arranged = sequence === null ? rows : rows.map((row) => sequence.map((c) => row[c] ?? null));
        if (compare(arranged, how)) return null;
      }
    } catch (error) {
      // A RangeError is a stack that a search has used up.
      if (error instanceof TooManyPairs || error instanceof RangeError) return null;
      throw error;
    }
    return 'it has rows that the gold does not have in any order of rows';
  }

  /** The sequences of a result's columns in which each has only values that the gold may have there. */
  *#sequences(rows: readonly SqlRow[], { tolerance, pairs }: PatternFit): Generator<readonly number[]> {
    const patterns = this.#segments.flatMap((segment) => segment.patterns);
    const all = Array.from({ length: this.columns }, (_, c) => c);
    const candidates = all.map((place) => {
      const cells = patterns.map((pattern) => pattern[place] ?? null);
      const cell = cells.includes(null) ? null : new Map(cells.flatMap((own) => [...(own ?? [])]));
      return all.filter((c) => rows.every((row) => allowsValue(cell, row[c] ?? null, tolerance)));
    });
    let tried = 0;
    for (const sequence of permutations(candidates, [], pairs)) {
      if (++tried > MOST_SEQUENCES) throw new TooManyPairs();
      yield sequence;
    }
  }
}

/** The segments that a result's rows are to fit. */
interface SegmentFit extends PatternFit {
  readonly segments: readonly ResultSegment[];
}

function* permutations(
  candidates: readonly (readonly number[])[],
  taken: readonly number[],
  pairs: PairCount,
): Generator<readonly number[]> {
  const own = candidates[taken.length];
  if (own === undefined) yield taken;
  for (const column of own ?? []) {
    pairs.take();
    if (!taken.includes(column)) yield* permutations(candidates, [...taken, column], pairs);
  }
}

/** Patterns that some row of every result meets. */
const certain = (segments: readonly ResultSegment[]): readonly RowPattern[] =>
  segments.flatMap(({ take, patterns }) => (take === patterns.length ? patterns : []));

function bagFits(rows: readonly SqlRow[], { segments, ...how }: SegmentFit): boolean {
  const all = segments.flatMap(({ patterns }) => patterns);
  if (!rowsFit(rows, all, how)) return false;
  const sure = certain(segments);
  // Where all are certain, there are as many rows. Otherwise a matching of these and one of those make one of both.
  return sure.length === all.length || patternsMet(rows, sure, how);
}

function sequenceFits(rows: readonly SqlRow[], { segments, ...how }: SegmentFit): boolean {
  let begin = 0;
  return segments.every(({ take, patterns }) => {
    const own = rows.slice(begin, begin + take);
    begin += take;
    return rowsFit(own, patterns, how);
  });
}

function setFits(rows: readonly SqlRow[], { segments, ...how }: SegmentFit): boolean {
  const fits = (row: SqlRow, pattern: RowPattern): boolean => {
    how.pairs.take();
    return fitsPattern(row, pattern, how.tolerance);
  };
  const all = segments.flatMap(({ patterns }) => patterns);
  const isSome = segments.some(({ take }) => take > 0);
  if (isSome !== rows.length > 0 || !rows.every((row) => all.some((pattern) => fits(row, pattern)))) return false;
  return certain(segments).every((pattern) => rows.some((row) => fits(row, pattern)));
}

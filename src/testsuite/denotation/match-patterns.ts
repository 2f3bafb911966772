import type { SqlRow } from '../../sql/execution/query-outcome.js';
import { hasOneKey } from '../../sql/execution/result-mode.js';
import { valueKey } from '../../sql/execution/value-key.js';
import { fitsPattern, type RowPattern } from './row-pattern.js';

/** Pairs of a row and a pattern that are looked at for one result; beyond them it is taken to fit. */
const MOST_PAIRS = 500_000;

/** Thrown where a search grows too large. */
export class TooManyPairs extends Error {}

/** Counts the work of the comparisons of one result. */
export class PairCount {
  #left = MOST_PAIRS;

  /** @throws TooManyPairs where there is no end to it */
  take(): void {
    if (this.#left-- <= 0) throw new TooManyPairs();
  }
}

/** How rows are compared with patterns. */
export interface PatternFit {
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
export function rowsFit(
  rows: readonly SqlRow[],
  patterns: readonly RowPattern[],
  { tolerance, pairs }: PatternFit,
): boolean {
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
export function patternsMet(
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

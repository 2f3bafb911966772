import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { ValueMapping } from '../../formats/artifacts/mutants.js';
import type { RunItems } from '../../run/reported-run.js';
import type { RunHost } from '../../run/run-host.js';
import type { QueryLimits } from '../../sql/execution/query-outcome.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { countOtherQuery, type OtherQueries, otherQueriesField, OWN_GOLD_FAILS } from './other-queries.js';
import { restoreValues } from './restore-values.js';
import { emptyTally, type Tally, type Verdict } from './verdict.js';
import { originalRun, type VariantVerdict, verifyVariant } from './verify-variant.js';

/** How gold queries are executed. */
export interface ExecutionOptions {
  /** Processes side by side; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  readonly limits?: Partial<QueryLimits>;
}

/** A variant of an original, to be executed; `variant` is what the caller knows it by. */
export interface ExecutableVariant<V> {
  readonly variant: V;
  /** Null where it has no database. */
  readonly task: QueryTask | null;
  /** True if it asks something else: its gold need not give what its original's gives. */
  readonly asksOther: boolean;
  /** The changes to values; null if all stay as they are. */
  readonly mapping: readonly ValueMapping[] | null;
}

/** A variant with what was found of it; null where it has no database. */
type JudgedVariant<V> = readonly [variant: V, verdict: VariantVerdict | null];

/** The findings about the variants of one original. */
export interface ExecutedVariants<V> {
  /** In order; those that ask something else only where they fail. */
  readonly judged: readonly JudgedVariant<V>[];
  readonly otherQueries?: OtherQueries;
}

/** The verdict on a variant that has nothing to be compared with. */
export function uncompared(detail: string): VariantVerdict {
  return { verdict: 'failed', rows: null, detail, widened: false };
}

/**
 * Executes an original, then its variants, and compares the results value by value.
 * @throws what `QueryRunner.run` throws
 */
export async function executeVariants<V>(
  runner: QueryRunner,
  original: QueryTask,
  variants: readonly ExecutableVariant<V>[],
  signal: AbortSignal,
): Promise<ExecutedVariants<V>> {
  const before = originalRun(original, await runner.run(original, signal));
  const judged: JudgedVariant<V>[] = [];
  const others: OtherQueries[] = [];
  for (const { variant, task, asksOther, mapping } of variants) {
    if (task === null) judged.push([variant, null]);
    else if (asksOther) {
      const count = countOtherQuery(before, await runner.run(task, signal));
      if (count === null) judged.push([variant, uncompared(OWN_GOLD_FAILS)]);
      else others.push(count);
    } else {
      const verdict = await verifyVariant(runner, before, task, signal, (rows) => restoreValues(rows, mapping));
      judged.push([variant, verdict]);
    }
  }
  return { judged, ...otherQueriesField(others) };
}

/**
 * Verifies groups of records, each an original with its variants, several at a time; those that `results` knows are not
 * executed again.
 * @throws what `verify` throws, and ShardFinished where the groups are those of a shard
 */
export async function verifyGroups<R, G>(
  groups: ReadonlyMap<string, readonly R[]>,
  verify: (group: readonly R[], runner: QueryRunner) => Promise<G>,
  { jobs, limits }: ExecutionOptions,
  results: RunItems<G>,
  host: RunHost,
): Promise<readonly { readonly group: readonly R[]; readonly verdict: G }[]> {
  const own = [...groups].filter(([id]) => results.isOwn(id));
  const total = own.reduce((sum, [, group]) => sum + group.length, 0);
  const runner = new QueryRunner({ jobs, ...(limits && { limits }) });
  // As many at a time as processes: each group holds a result.
  const limit = pLimit(jobs ?? availableParallelism());
  let done = 0;
  try {
    const verdicts = await limit.map(own, async ([id, group]) => {
      host.signal.throwIfAborted();
      const verdict = await results.of(id, () => verify(group, runner));
      host.progress('gold queries verified', (done += group.length), total);
      return { group, verdict };
    });
    results.end();
    return verdicts;
  } finally {
    await runner.close();
  }
}

/** The facts about a group that are summed up. */
interface VerifiedGroup<T> {
  readonly items: readonly T[];
  readonly withoutDatabase: number;
  readonly otherQueries?: OtherQueries;
}

/** The summary of groups of verified variants. */
export interface VerifiedSummary<T> {
  /** By what `kindOf` says of a variant. */
  readonly tallies: Readonly<Record<string, Tally>>;
  /** Fields of a verification's report. */
  readonly counts: {
    readonly withoutDatabase: number;
    readonly otherQueries?: OtherQueries;
    readonly nonEmpty: number | null;
  };
  /** Variants whose verdict is not `equal`, in the order of `placeOf`. */
  readonly unequal: readonly T[];
}

/** Sums up groups of verified variants. */
export function summarizeGroups<T extends { readonly verdict: Verdict; readonly rows: number | null }>(
  groups: readonly VerifiedGroup<T>[],
  kindOf: (item: T) => string,
  placeOf: (item: T) => number,
): VerifiedSummary<T> {
  const items = groups.flatMap((group) => group.items);
  const tallies: Record<string, Record<Verdict, number>> = {};
  for (const item of items) (tallies[kindOf(item)] ??= emptyTally())[item.verdict]++;
  const compared = items.filter(({ rows }) => rows !== null);
  const nonEmpty = compared.filter(({ rows }) => rows !== 0).length;
  return {
    tallies,
    counts: {
      withoutDatabase: groups.reduce((sum, group) => sum + group.withoutDatabase, 0),
      ...otherQueriesField(groups.flatMap(({ otherQueries }) => otherQueries ?? [])),
      nonEmpty: compared.length === 0 ? null : nonEmpty / compared.length,
    },
    unequal: items.filter(({ verdict }) => verdict !== 'equal').sort((a, b) => placeOf(a) - placeOf(b)),
  };
}

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { z } from 'zod';
import type { ValueMapping } from '../../formats/artifacts/mutants.js';
import { loadRecord } from '../../formats/json-file.js';
import { itemAt } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import { type RunItems, runReported } from '../../run/reported-run.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import type { RunHost } from '../../run/run-host.js';
import { fileSha256 } from '../../run/sha256.js';
import type { ShardOption } from '../../run/shard.js';
import type { QueryLimits, QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import type { QueryTask } from '../../sql/execution/query-protocol.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { compareResults, type ComparisonMode, type ResultDifference } from '../../sql/execution/result-comparison.js';
import { VERSION } from '../../version.js';
import { emptyTally, type OtherQueries, type Tally, type Verdict, type VERIFICATION } from './verdict.js';
import { formatCount } from '../../counts.js';
import { checkRowOrder } from '../../sql/execution/row-order-check.js';
import { ordersResult } from '../../sql/execution/result-mode.js';

/** A gold query on its original database, run once for all its variants. */
export interface OriginalRun {
  readonly task: QueryTask;
  readonly outcome: QueryOutcome;
  /** `ordered` where the query's outermost ORDER BY decides the order of its rows. */
  readonly mode: ComparisonMode;
}

interface VariantVerdict {
  readonly verdict: Verdict;
  /** Rows that the original returns; null where it returns none of its own. */
  readonly rows: number | null;
  /** The difference or the failure; null if there is none. */
  readonly detail: string | null;
  /** True if the variant returns more columns than the original. */
  readonly widened: boolean;
}

/** Returns a gold query's result on its original, and how results on variants are compared with it. */
export function originalRun(task: QueryTask, outcome: QueryOutcome): OriginalRun {
  return { task, outcome, mode: ordersResult(task.sql) ? 'ordered' : 'bag' };
}

/** An outcome that is no rows, in words. */
function describeOutcome(outcome: Exclude<QueryOutcome, QueryRows>): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.message;
    case 'timed-out':
      return 'it takes too long';
    case 'too-large':
      return `its result is beyond the limit of ${outcome.limit}`;
    default:
      return `it is not run: ${outcome.reason}`;
  }
}

function describeDifference(difference: ResultDifference): string {
  switch (difference.kind) {
    case 'columns':
      return `${difference.left} columns on the original, ${difference.right} on the variant`;
    case 'rows':
      return `${formatCount(difference.onlyLeft)} rows only on the original, ${formatCount(difference.onlyRight)} only on the variant`;
    default:
      return `the same rows in another order from row ${difference.at + 1} on`;
  }
}

/** The gold's own fault is no fault of the perturbation; a database or process that fails is. */
function verdictOfOriginal(outcome: Exclude<QueryOutcome, QueryRows>): Verdict {
  if (outcome.kind === 'timed-out' || outcome.kind === 'too-large') return 'timed-out';
  return outcome.kind === 'failed' && outcome.at !== 'query' ? 'failed' : 'bad-gold';
}

/**
 * Compares a variant's result with the original's, value by value with their storage classes (1 is not 1.0), where the
 * variant's database holds values in another form after `restored` gave them back theirs.
 * @throws what `QueryRunner.run` throws
 */
export async function verifyVariant(
  runner: QueryRunner,
  original: OriginalRun,
  variant: QueryTask,
  signal: AbortSignal,
  restored: (rows: QueryRows) => QueryRows = (rows) => rows,
): Promise<VariantVerdict> {
  const { outcome, mode, task } = original;
  if (outcome.kind !== 'rows') {
    const verdict = verdictOfOriginal(outcome);
    return { verdict, rows: null, detail: describeOutcome(outcome), widened: false };
  }
  const rows = outcome.rows.length;
  const result = await runner.run(variant, signal);
  if (result.kind !== 'rows') return { verdict: 'failed', rows, detail: describeOutcome(result), widened: false };
  const difference = compareResults(outcome, restored(result), mode, 'exact');
  if (difference === null) return { verdict: 'equal', rows, detail: null, widened: false };
  const widened = difference.kind === 'columns' && difference.right > difference.left;
  // A result that depends on row order excuses one that does, too; nothing else.
  const how = { mode, identity: 'exact' as const };
  const isOpen = async (one: QueryTask, rows: QueryRows): Promise<boolean> =>
    (await checkRowOrder(runner, one, rows, how, signal)) === 'row-order';
  const isTie = difference.kind !== 'columns' && (await isOpen(task, outcome)) && (await isOpen(variant, result));
  return { verdict: isTie ? 'tie' : 'different', rows, detail: describeDifference(difference), widened };
}

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

/** How gold queries are executed. */
export interface ExecutionOptions {
  /** Processes side by side; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  readonly limits?: Partial<QueryLimits>;
}

export interface VerifyOptions extends ShardOption, ExecutionOptions {
  /** Folder of the run. */
  readonly run: string;
  /** Folder of the original databases, for a run that wrote views. */
  readonly databases: string | null;
  /** Takes a run that is still being written. */
  readonly unfinished?: boolean;
  /** True if a run without databases gets synthetic ones, for as long as it is verified. */
  readonly syntheticDatabases?: boolean;
  /** Folder that gets report.json, and from which a verification that was stopped goes on; null: none is written. */
  readonly out?: string | null;
}

/** A variant to be executed next to its original. */
export interface ExecutableVariant<R> {
  readonly record: R;
  /** Null where the input has no rows for it; a text says why it can't be executed though it should be. */
  readonly task: QueryTask | string | null;
  /** True if it asks something else: its gold need not give what its original's gives. */
  readonly asksOther: boolean;
  /** The changes to values; null if all stay as they are. */
  readonly mapping: readonly ValueMapping[] | null;
}

/** An original with its variants. */
export interface ExecutableGroup<R> {
  /** Null where it can't be executed: then none of its variants is. */
  readonly original: QueryTask | null;
  readonly variants: readonly ExecutableVariant<R>[];
}

/** The records of a run to be verified. */
export interface VerifiedRecords<R> {
  readonly records: readonly R[];
  /** Id of the original that a record is of, or is. */
  readonly groupOf: (record: R) => string;
  /** What a variant is counted under. */
  readonly kindOf: (variant: R) => string;
  /** True if variants may return more columns than their originals. */
  readonly keepStar?: boolean;
  /** Says where the records of one original are executed. */
  readonly open: (group: readonly R[]) => ExecutableGroup<R>;
}

interface GroupItem extends Pick<VariantVerdict, 'verdict' | 'detail' | 'rows'> {
  /** Place among the records of the group. */
  readonly at: number;
}

/** The findings about the variants of one original: plain JSON. */
export interface GroupVerdict {
  /** Of those that ask something else only the ones that fail. */
  readonly items: readonly GroupItem[];
  readonly withoutDatabase: number;
  readonly otherQueries?: OtherQueries;
}

/** The summary of verified records. */
export interface VerifiedSummary<R> {
  /** By what `kindOf` says of a variant. */
  readonly tallies: Readonly<Record<string, Tally>>;
  /** Fields of a verification's report. */
  readonly counts: Omit<z.infer<z.ZodObject<typeof VERIFICATION>>, 'comparison'>;
  /** Variants whose verdict is not `equal`, in the order of the records. */
  readonly unequal: readonly { readonly record: R; readonly verdict: Verdict; readonly detail: string | null }[];
}

/** The count of a gold that need not give what its original's gives; null of one that does not run, as it has to. */
async function countOther(
  runner: QueryRunner,
  { outcome, mode }: OriginalRun,
  task: QueryTask,
  signal: AbortSignal,
): Promise<OtherQueries | null> {
  const result = await runner.run(task, signal);
  if (result.kind !== 'rows') return null;
  const isSame = outcome.kind === 'rows' && compareResults(outcome, result, mode, 'exact') === null;
  return { run: 1, nonEmpty: Number(result.rows.length > 0), differing: Number(!isSame) };
}

/** Counts together, as a field of a verification; none where no such gold ran. */
function otherQueriesField(counts: readonly OtherQueries[]): { readonly otherQueries?: OtherQueries } {
  if (counts.length === 0) return {};
  const sumOf = (key: keyof OtherQueries): number => counts.reduce((sum, count) => sum + count[key], 0);
  return { otherQueries: { run: sumOf('run'), nonEmpty: sumOf('nonEmpty'), differing: sumOf('differing') } };
}

const failed = (detail: string): Omit<GroupItem, 'at'> => ({ verdict: 'failed', rows: null, detail });

/** Executes an original, then its variants, and compares the results value by value. */
async function verifyGroup<R>(
  group: readonly R[],
  { open, keepStar = false }: VerifiedRecords<R>,
  runner: QueryRunner,
  signal: AbortSignal,
): Promise<GroupVerdict> {
  const { original, variants } = open(group);
  const before = original === null ? null : originalRun(original, await runner.run(original, signal));
  const items: GroupItem[] = [];
  const others: OtherQueries[] = [];
  let withoutDatabase = 0;
  for (const { record, task, asksOther, mapping } of variants) {
    const at = group.indexOf(record);
    if (typeof task === 'string') items.push({ at, ...failed(task) });
    else if (task === null || before === null) withoutDatabase++;
    else if (asksOther) {
      const count = await countOther(runner, before, task, signal);
      if (count === null) items.push({ at, ...failed('its own gold does not run') });
      else others.push(count);
    } else {
      const found = await verifyVariant(runner, before, task, signal, (rows) => restoreValues(rows, mapping));
      const { rows, detail, widened } = found;
      const verdict = found.verdict === 'different' && widened && keepStar ? 'kept-star' : found.verdict;
      items.push({ at, verdict, detail, rows });
    }
  }
  return { items, withoutDatabase, ...otherQueriesField(others) };
}

/**
 * Verifies records, an original with its variants at a time and several of these at once; what `results` knows is not
 * executed again.
 * @throws what `open` throws, and ShardFinished where the groups are those of a shard
 */
export async function verifyRecords<R>(
  verified: VerifiedRecords<R>,
  { jobs, limits }: ExecutionOptions,
  results: RunItems<GroupVerdict>,
  host: RunHost,
): Promise<VerifiedSummary<R>> {
  const own = [...groupBy(verified.records, verified.groupOf)].filter(([id]) => results.isOwn(id));
  const total = own.reduce((sum, [, group]) => sum + group.length, 0);
  const runner = new QueryRunner({ jobs, ...(limits && { limits }) });
  // As many at a time as processes: each group holds a result.
  const limit = pLimit(jobs ?? availableParallelism());
  let done = 0;
  try {
    const groups = await limit.map(own, async ([id, group]) => {
      host.signal.throwIfAborted();
      const verdict = await results.of(id, () => verifyGroup(group, verified, runner, host.signal));
      host.progress('gold queries verified', (done += group.length), total);
      return { group, verdict };
    });
    results.end();
    return summarize(verified, groups);
  } finally {
    await runner.close();
  }
}

function summarize<R>(
  { records, kindOf }: VerifiedRecords<R>,
  groups: readonly { readonly group: readonly R[]; readonly verdict: GroupVerdict }[],
): VerifiedSummary<R> {
  const items = groups.flatMap(({ group, verdict }) =>
    verdict.items.map(({ at, ...found }) => ({ record: itemAt(group, at), ...found })),
  );
  const tallies: Record<string, Record<Verdict, number>> = {};
  for (const { record, verdict } of items) (tallies[kindOf(record)] ??= emptyTally())[verdict]++;
  const compared = items.filter(({ rows }) => rows !== null);
  const nonEmpty = compared.filter(({ rows }) => rows !== 0).length;
  const places = new Map(records.map((record, place) => [record, place]));
  const placeOf = ({ record }: { readonly record: R }): number => places.get(record) ?? 0;
  return {
    tallies,
    counts: {
      withoutDatabase: groups.reduce((sum, { verdict }) => sum + verdict.withoutDatabase, 0),
      ...otherQueriesField(groups.flatMap(({ verdict: { otherQueries } }) => otherQueries ?? [])),
      nonEmpty: compared.length === 0 ? null : nonEmpty / compared.length,
    },
    unequal: items.filter(({ verdict }) => verdict !== 'equal').sort((a, b) => placeOf(a) - placeOf(b)),
  };
}

/** Everything that a verification depends on besides the processes: the run's files, which determine its databases. */
function verificationManifest(
  { run, databases, syntheticDatabases = false, limits = {} }: VerifyOptions,
  files: readonly string[],
): Omit<RunManifest, 'complete'> {
  const inputs = files.map((name) => [name, fileSha256(join(run, name))] as const);
  return {
    command: 'verify',
    version: VERSION,
    seed: readRunManifest(run).seed,
    settings: { syntheticDatabases, views: databases !== null, limits },
    inputs: Object.fromEntries(inputs),
  };
}

/**
 * Verifies a run as one of its own, where a folder is named for the report.
 * @param files those of the run that decide on the findings
 */
export function runVerification<S extends z.ZodType>(
  options: VerifyOptions,
  files: readonly string[],
  schema: S,
  work: (results: RunItems<GroupVerdict>) => Promise<z.infer<S>>,
): Promise<z.infer<S>> {
  return runReported<GroupVerdict, z.infer<S>>({
    out: options.out ?? null,
    shard: options.shard ?? null,
    manifest: () => verificationManifest(options, files),
    load: (file) => loadRecord(schema, file, 'report', 'Verify again, with another --out.'),
    work,
  });
}

import { compareText, getOrMake } from '../../present.js';
import type { Bucket, CandidateDecision } from '../../formats/artifacts/candidates.js';
import type { Database } from '../../schema/schema.js';
import { CANDIDATE_SOURCES, type CandidateSourceKind } from '../../stage.js';
import { type BasicStatistics, computeBasicStatistics, PUBLISHED_STATISTICS, ratio } from './basic-statistics.js';
import {
  addToCounts,
  type BucketCounts,
  type ColumnName,
  ColumnTallies,
  type ColumnTally,
  columnTallyKey,
  compareColumns,
  decidedColumnName,
  emptyCounts,
  mergeCounts,
  ReportedNames,
} from '../../report/column-tally.js';
import { ExamplePicker } from './example-picker.js';
import type { LeftOutGroup } from '../../report/left-out.js';
import { copySettings, type ReportedSettings, sortedRecord } from '../../report/report-context.js';
import { ScoreHistogramBuilder, type ScoreHistograms } from './score-histogram.js';

/** The bucket rule's reasons for rejection, in words (src/nli/bucket-rule.ts; imports go down only, hence no link). */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['between-thresholds', 'Between the thresholds: neither the same nor clearly distinct'],
  ['not-entailed', 'Another meaning than the column, where only RPL was open'],
  ['equivalent-to-target', 'Means the same as the column, where only ADD was open'],
  ['equivalent-to-other', 'Means the same as another column of the table'],
  ['entailed-by-other', 'Too close to another column of the table'],
]);

/** A reason in words: the given description, else the report's own, else the reason's word itself, readable. */
export function describeReason(reason: string, descriptions: Readonly<Record<string, string>>): string {
  const given = Object.hasOwn(descriptions, reason) ? descriptions[reason] : undefined;
  const words = reason.replaceAll('-', ' ');
  return given ?? KNOWN.get(reason) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Examples shown of each bucket. */
const EXAMPLES_PER_BUCKET = 60;
/** Examples shown of each reason for rejection. */
const EXAMPLES_PER_REASON = 12;
/** Fewest ADD candidates that annotators chose per column. */
const ENOUGH_ADD = 3; // ADVETA §3.1: 3 to 5

/** The facts about a run that its decisions alone don't tell. */
export interface CandidatesReportContext {
  /** Format of the data set, "spider". */
  readonly dataset: string;
  /** Name of the file or folder with the examples, where there is one. */
  readonly examplesName?: string;
  /** The databases of the run. */
  readonly databases: readonly Database[];
  /** The columns that were to be perturbed. */
  readonly targetColumns: readonly ColumnName[];
  readonly settings: ReportedSettings;
  /** Further counts of the run: naturalness rules, pairs scored, pairs from the cache. */
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** The items left out of the data set, by reason. */
  readonly leftOut?: readonly LeftOutGroup[];
  /** One sentence for each reason that the report does not know, by the reason's word. */
  readonly reasonDescriptions?: Readonly<Record<string, string>>;
}

interface ReasonCount {
  readonly reason: string;
  readonly bucket: Bucket;
  readonly count: number;
}

export interface Coverage {
  readonly targetColumns: number;
  /** Number and share of target columns with at least one RPL candidate; the share is in [0, 1]. */
  readonly withRpl: CoverageShare;
  readonly withAdd: CoverageShare;
  /** With at least three ADD candidates, as annotators chose (ADVETA §3.1). */
  readonly withThreeAdd: CoverageShare;
  /** With an ADD candidate that is close to the column in topic (ADVETA §2.3), and not of the row alone. */
  readonly withCloseAdd: CoverageShare;
  /** Databases with at least one accepted candidate of the kind. */
  readonly databases: {
    readonly total: number;
    readonly withRpl: number;
    readonly withAdd: number;
    readonly withBoth: number;
  };
  /** Target columns without candidates of either kind. */
  readonly withoutAny: readonly ColumnName[];
  /** Target columns that only ADD can perturb. */
  readonly withoutRpl: readonly ColumnName[];
  /** Target columns that only RPL can perturb. */
  readonly withoutAdd: readonly ColumnName[];
}

export interface CoverageShare {
  readonly columns: number;
  readonly share: number;
}

interface DatabaseCounts extends BucketCounts {
  readonly dbId: string;
  readonly tables: number;
  readonly targetColumns: number;
}

interface TableCounts extends BucketCounts, Pick<ColumnName, 'dbId' | 'table' | 'tableOriginal'> {
  readonly targetColumns: number;
  /** Target columns with at least one accepted candidate of the kind. */
  readonly withRpl: number;
  readonly withAdd: number;
}

interface ColumnCounts extends BucketCounts, ColumnName {}

/** `report.json` of `perturbql candidates`: plain JSON without times, so that the same run gives the same bytes. */
export interface CandidatesReport {
  readonly dataset: string;
  /**
   * Name of the file or folder with the examples, "dev.json"; absent where there is none, and in reports of earlier
   * versions.
   */
  readonly examplesName?: string;
  readonly totals: {
    readonly decisions: number;
    readonly buckets: BucketCounts;
    /** Most frequent first. */
    readonly reasons: readonly ReasonCount[];
    readonly sources: readonly (BucketCounts & { readonly source: CandidateSourceKind })[];
  };
  readonly coverage: Coverage;
  readonly statistics: BasicStatistics;
  /** The paper's own annotation of the data set, null where it has none. */
  readonly published: BasicStatistics | null;
  readonly histograms: ScoreHistograms;
  readonly databases: readonly DatabaseCounts[];
  readonly tables: readonly TableCounts[];
  readonly columns: readonly ColumnCounts[];
  readonly examples: {
    readonly RPL: readonly CandidateDecision[];
    readonly ADD: readonly CandidateDecision[];
    /** By reason, the reasons ordered as in `totals.reasons`. */
    readonly rejected: readonly { readonly reason: string; readonly examples: readonly CandidateDecision[] }[];
  };
  readonly settings: ReportedSettings;
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Absent where nothing was left out. */
  readonly leftOut?: readonly LeftOutGroup[];
  readonly reasonDescriptions: Readonly<Record<string, string>>;
}

/** Counts what one pass over the decisions can see. */
class DecisionTotals {
  readonly buckets = emptyCounts();
  readonly histograms = new ScoreHistogramBuilder();
  readonly #reasons = new Map<string, { reason: string; bucket: Bucket; count: number }>();
  readonly #sources = new Map<CandidateSourceKind, BucketCounts>();
  readonly #examples = new Map<string, ExamplePicker<CandidateDecision>>();

  add(decision: CandidateDecision): void {
    const { bucket, reason, source, near: borderline } = decision;
    addToCounts(this.buckets, bucket, borderline);
    this.histograms.add(decision);
    const sourceCounts = this.#sources.get(source) ?? emptyCounts();
    addToCounts(sourceCounts, bucket, borderline);
    this.#sources.set(source, sourceCounts);
    const reasonCount = this.#reasons.get(`${bucket} ${reason}`) ?? { reason, bucket, count: 0 };
    reasonCount.count++;
    this.#reasons.set(`${bucket} ${reason}`, reasonCount);
    this.#picker(bucket === 'rejected' ? `rejected ${reason}` : bucket).offer(
      decision.db_id,
      JSON.stringify([decision.db_id, decision.table, decision.column, decision.candidate, decision.source]),
      decision,
    );
  }

  reasons(): ReasonCount[] {
    const order = (a: ReasonCount, b: ReasonCount): number =>
      b.count - a.count || compareText(a.bucket, b.bucket) || compareText(a.reason, b.reason);
    return [...this.#reasons.values()].sort(order);
  }

  sources(): CandidatesReport['totals']['sources'] {
    return CANDIDATE_SOURCES.flatMap((source) => {
      const counts = this.#sources.get(source);
      return counts === undefined ? [] : [{ source, ...counts }];
    });
  }

  examples(key: string): CandidateDecision[] {
    const picked = this.#examples.get(key)?.picked() ?? [];
    return picked.sort(compareDecisions);
  }

  #picker(key: string): ExamplePicker<CandidateDecision> {
    const limit = key.startsWith('rejected ') ? EXAMPLES_PER_REASON : EXAMPLES_PER_BUCKET;
    return getOrMake(this.#examples, key, () => new ExamplePicker<CandidateDecision>(limit));
  }
}

function compareDecisions(a: CandidateDecision, b: CandidateDecision): number {
  return (
    compareColumns(decidedColumnName(a), decidedColumnName(b)) ||
    compareText(a.candidate, b.candidate) ||
    compareText(a.source, b.source)
  );
}

function coverage(
  columns: readonly ColumnTally[],
  targetKeys: ReadonlySet<string>,
  databaseCount: number,
  names: ReportedNames,
): Coverage {
  const targets = columns.filter((column) => targetKeys.has(columnTallyKey(column)));
  const having = (test: (column: ColumnTally) => boolean): ColumnName[] =>
    targets.filter(test).map((column) => names.of(column));
  const share = (test: (column: ColumnTally) => boolean): CoverageShare => {
    const count = targets.filter(test).length;
    return { columns: count, share: ratio(count, targets.length) };
  };
  const databasesWith = (path: 'RPL' | 'ADD'): Set<string> =>
    new Set(columns.filter(({ accepted }) => accepted[path].size > 0).map(({ dbId }) => dbId));
  const [rpl, add] = [databasesWith('RPL'), databasesWith('ADD')];
  const both = [...rpl].filter((dbId) => add.has(dbId)).length;
  return {
    targetColumns: targets.length,
    withRpl: share(({ accepted }) => accepted.RPL.size > 0),
    withAdd: share(({ accepted }) => accepted.ADD.size > 0),
    withThreeAdd: share(({ accepted }) => accepted.ADD.size >= ENOUGH_ADD),
    withCloseAdd: share(({ close }) => close.size > 0),
    databases: { total: databaseCount, withRpl: rpl.size, withAdd: add.size, withBoth: both },
    withoutAny: having(({ accepted }) => accepted.RPL.size + accepted.ADD.size === 0),
    withoutRpl: having(({ accepted }) => accepted.RPL.size === 0 && accepted.ADD.size > 0),
    withoutAdd: having(({ accepted }) => accepted.RPL.size > 0 && accepted.ADD.size === 0),
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** `columns` are in order of database and table, so each table's and each database's are together. */
function countTables(
  columns: readonly ColumnTally[],
  targetKeys: ReadonlySet<string>,
  names: ReportedNames,
): Mutable<TableCounts>[] {
  const tables: Mutable<TableCounts>[] = [];
  for (const column of columns) {
    const { accepted } = column;
    const { dbId, table, tableOriginal } = names.of(column);
    let current = tables.at(-1);
    if (current?.dbId !== dbId || current.table !== table || current.tableOriginal !== tableOriginal) {
      const name = { dbId, table, ...(tableOriginal === undefined ? {} : { tableOriginal }) };
      current = { ...name, targetColumns: 0, withRpl: 0, withAdd: 0, ...emptyCounts() };
      tables.push(current);
    }
    mergeCounts(current, column.counts);
    if (!targetKeys.has(columnTallyKey(column))) continue;
    current.targetColumns++;
    if (accepted.RPL.size > 0) current.withRpl++;
    if (accepted.ADD.size > 0) current.withAdd++;
  }
  return tables;
}

function countDatabases(tables: readonly TableCounts[], databases: readonly Database[]): DatabaseCounts[] {
  const sizes = new Map(databases.map(({ id, tables }) => [id, tables.length]));
  const ids = [...new Set([...sizes.keys(), ...tables.map(({ dbId }) => dbId)])].sort(compareText);
  const counts = new Map<string, Mutable<DatabaseCounts>>(
    ids.map((dbId) => [dbId, { dbId, tables: sizes.get(dbId) ?? 0, targetColumns: 0, ...emptyCounts() }]),
  );
  for (const table of tables) {
    const database = counts.get(table.dbId)!;
    database.targetColumns += table.targetColumns;
    mergeCounts(database, table);
  }
  return [...counts.values()];
}

/**
 * Summarizes the decisions of a run in one pass: what was accepted and why not, for how many columns, how the scores
 * are spread, ADVETA's Table 1, and examples to read. The order of the decisions does not matter.
 */
export function summarizeCandidates(
  decisions: Iterable<CandidateDecision>,
  context: CandidatesReportContext,
): CandidatesReport {
  const totals = new DecisionTotals();
  const tallies = new ColumnTallies(context.targetColumns);
  for (const decision of decisions) {
    totals.add(decision);
    tallies.add(decision);
  }
  const columns = tallies.sorted();
  const targetKeys = new Set(context.targetColumns.map(columnTallyKey));
  const names = new ReportedNames(context.databases);
  const tables = countTables(columns, targetKeys, names);
  const databases = countDatabases(tables, context.databases);
  const reasons = totals.reasons();
  const { buckets } = totals;
  return {
    dataset: context.dataset,
    ...(context.examplesName === undefined ? {} : { examplesName: context.examplesName }),
    totals: { decisions: buckets.RPL + buckets.ADD + buckets.rejected, buckets, reasons, sources: totals.sources() },
    coverage: coverage(columns, targetKeys, databases.length, names),
    statistics: computeBasicStatistics(context.databases, columns),
    published: PUBLISHED_STATISTICS.get(context.dataset) ?? null,
    histograms: totals.histograms.result(),
    databases,
    tables,
    columns: columns.map((column) => ({ ...names.of(column), ...column.counts })),
    examples: {
      RPL: totals.examples('RPL'),
      ADD: totals.examples('ADD'),
      rejected: reasons
        .filter(({ bucket }) => bucket === 'rejected')
        .map(({ reason }) => ({ reason, examples: totals.examples(`rejected ${reason}`) })),
    },
    settings: copySettings(context.settings),
    counts: sortedRecord(context.counts),
    warnings: [...context.warnings],
    ...((context.leftOut ?? []).length === 0 ? {} : { leftOut: context.leftOut ?? [] }),
    reasonDescriptions: sortedRecord(context.reasonDescriptions ?? {}),
  };
}

import { join } from 'node:path';
import { z } from 'zod';
import { compareText } from '../../present.js';
import { loadRecord } from '../../formats/json-file.js';
import type { UnchangedColumn } from '../augment/unchanged-columns.js';
import { countedName } from '../../schema/name-identity.js';
import type { Database } from '../../schema/schema.js';
import { type ColumnName, compareColumns, ReportedNames } from '../../report/column-tally.js';
import { type Verification, verification } from '../verify/verify-run.js';
import type { PerturbationKind } from '../relations/names/candidate-pool.js';
import type { VariantKind } from '../augment/variant-plan.js';
import { groupByReason, type LeftOutGroup, leftOutGroup } from '../../report/left-out.js';
import { copySettings, type ReportedSettings } from '../../report/report-context.js';
import { ExamplePicker } from './example-picker.js';

/** Samples shown of each kind of variant: a page of about a megabyte. */
const SAMPLES_PER_KIND = 250;

type SampleChange = Omit<ColumnName, 'dbId'> & {
  readonly to: string;
  /** In a mixed variant: which of the two; in others it is the variant's kind. */
  readonly change?: PerturbationKind;
};

/** One perturbed variant of an example. */
export interface AugmentSample {
  readonly id: string;
  readonly question: string;
  /** The original database. */
  readonly dbId: string;
  readonly kind: VariantKind;
  /**
   * In tables that its query names, those of columns that it mentions first. RPL renames the column to `to`, ADD puts
   * the new column `to` next to it.
   */
  readonly changes: readonly SampleChange[];
  /** How many more there are in other tables; absent where there are none. */
  readonly elsewhere?: number;
  readonly queryBefore: string;
  readonly queryAfter: string;
}

/** Checks whether a variant has another gold query than its original. */
export function isQueryChanged({ queryBefore, queryAfter }: AugmentSample): boolean {
  return queryBefore !== queryAfter;
}

/** Number of examples written, by kind. */
const writtenCounts = z.object({
  original: z.int(),
  rpl: z.int(),
  /** Of `rpl`, those whose gold query stays as it was, as it names no renamed column; absent in older reports. */
  rplUnchanged: z.int().exactOptional(),
  add: z.int(),
  /** Variants with columns renamed and others added; absent where none were asked for. */
  mixed: z.int().exactOptional(),
  /** Of `mixed`, those whose gold query stays as it was; absent where there are none. */
  mixedUnchanged: z.int().exactOptional(),
  /** Absent where none were asked for. */
  mutants: z.int().exactOptional(),
});
export type WrittenCounts = Readonly<z.infer<typeof writtenCounts>>;

/** The outcome of `perturbql augment`. */
export interface AugmentSummary extends Omit<AugmentReport, 'skipped' | 'samples' | 'syntheticDatabases'> {
  readonly databases: readonly Database[];
  /** The items left out: records of the input, examples, single variants, columns. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** All variants, or as many as were kept; the report picks from them. */
  readonly samples: Iterable<AugmentSample>;
  /** Ids of the databases whose rows were made. */
  readonly synthetic?: readonly string[];
}

/** A column of a perturbed table: as it was, under a new name, or added. */
export interface SampleColumn {
  readonly name: string;
  readonly change: 'none' | 'renamed' | 'added';
  /** The name it had; null unless renamed. */
  readonly was: string | null;
}

export interface ReportedSample extends AugmentSample {
  /** The tables that changed, as they are afterwards. */
  readonly tables: readonly (Pick<ColumnName, 'table' | 'tableOriginal'> & {
    readonly columns: readonly SampleColumn[];
  })[];
}

/** `report.json` of `perturbql augment`: plain JSON without times, so that the same run gives the same bytes. */
export interface AugmentReport {
  /** Format of the data set, "spider". */
  readonly dataset: string;
  /**
   * Name of the file or folder with the examples, "dev.json"; absent where there is none, and in reports of earlier
   * versions.
   */
  readonly examplesName?: string;
  /** Number of examples read. */
  readonly examples: number;
  readonly written: WrittenCounts;
  /** Variants that could not be made; what `skipped` counts may stand for several, or for none. */
  readonly leftOut: number;
  /** Most frequent first; ids in order. */
  readonly skipped: readonly LeftOutGroup[];
  /** Names drawn again because they clashed with one drawn before. */
  readonly redraws: number;
  /** Columns that were to be perturbed and are as they were in all variants, each once in each bucket. */
  readonly unchangedColumns: readonly UnchangedColumn[];
  /** Spread over the databases; those whose query changed come first, then by database and id. */
  readonly samples: {
    readonly RPL: readonly ReportedSample[];
    readonly ADD: readonly ReportedSample[];
    /** Absent where there are none. */
    readonly mixed?: readonly ReportedSample[];
  };
  readonly settings: ReportedSettings;
  readonly warnings: readonly string[];
  /** Double-quoted strings that variants write in single quotes. */
  readonly literals: number;
  readonly verification: Verification | null;
  /** Ids of the databases whose rows were made, as the data set ships none; absent where there are none. */
  readonly syntheticDatabases?: readonly string[];
}

/** The outcome that a finished run records. */
const outcome = z.object({
  written: writtenCounts,
  skipped: z.array(leftOutGroup),
  redraws: z.int(),
  warnings: z.array(z.string()),
  verification: verification.nullable(),
});

/**
 * Reads from the report of a finished run what its command says again.
 * @throws InputFormatError naming the field that is wrong
 */
export function loadAugmentOutcome(run: string): Readonly<z.infer<typeof outcome>> {
  return loadRecord(outcome, join(run, 'report.json'), 'report', 'Run `perturbql augment` with another --out.');
}

/** Summarizes a run of `perturbql augment`. The order of samples and skips does not matter. */
export function summarizeAugment(summary: AugmentSummary): AugmentReport {
  const names = new ReportedNames(summary.databases);
  return {
    dataset: summary.dataset,
    ...(summary.examplesName === undefined ? {} : { examplesName: summary.examplesName }),
    examples: summary.examples,
    written: { ...summary.written },
    leftOut: summary.leftOut,
    skipped: groupByReason(summary.skipped),
    redraws: summary.redraws,
    unchangedColumns: [...summary.unchangedColumns]
      .sort((a, b) => compareColumns(a, b) || compareText(b.bucket, a.bucket))
      .map((column) => ({ ...names.of(column), bucket: column.bucket, reason: column.reason })),
    samples: pickSamples(summary, names),
    settings: copySettings(summary.settings),
    warnings: [...summary.warnings],
    literals: summary.literals,
    verification: summary.verification,
    ...(summary.synthetic === undefined ? {} : { syntheticDatabases: [...summary.synthetic] }),
  };
}

/** Picks the samples that a report shows; memory does not grow with how many there are. */
function pickSamples({ samples, databases }: AugmentSummary, names: ReportedNames): AugmentReport['samples'] {
  const pickers = {
    RPL: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
    ADD: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
    mixed: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
  };
  for (const sample of samples) {
    pickers[sample.kind].offer(sample.dbId, `${sample.kind} ${sample.id}`, sample, isQueryChanged(sample));
  }
  const byId = new Map(databases.map((database) => [database.id, database]));
  const report = (kind: VariantKind): ReportedSample[] =>
    pickers[kind]
      .picked()
      .sort(compareSamples)
      .map((sample) => reportSample(sample, byId.get(sample.dbId), names));
  const mixed = report('mixed');
  return { RPL: report('RPL'), ADD: report('ADD'), ...(mixed.length === 0 ? {} : { mixed }) };
}

function reportSample(sample: AugmentSample, database: Database | undefined, names: ReportedNames): ReportedSample {
  const { id, question, dbId, kind, queryBefore, queryAfter, elsewhere } = sample;
  const changes = sample.changes.map(({ to, change, ...column }) => ({
    ...names.within({ dbId, ...column }),
    to,
    ...(change === undefined ? {} : { change }),
  }));
  const tables = changedTables(sample, database).map(({ change, columns }) => {
    const { table, tableOriginal } = names.of({ dbId, ...change });
    return { table, ...(tableOriginal === undefined ? {} : { tableOriginal }), columns };
  });
  const others = elsewhere === undefined ? {} : { elsewhere };
  return { id, question, dbId, kind, changes, ...others, queryBefore, queryAfter, tables };
}

/** Orders samples: changed queries first, then by database and id. */
export function compareSamples(a: AugmentSample, b: AugmentSample): number {
  const changed = Number(isQueryChanged(b)) - Number(isQueryChanged(a));
  return changed || compareText(a.dbId, b.dbId) || compareText(a.id, b.id);
}

/** A table or column; what a caller does not know of its original name is told by the natural one. */
interface Named {
  readonly name: string;
  readonly originalName?: string | undefined;
}

function isSame(a: Named, b: Named): boolean {
  if (a.originalName !== undefined && b.originalName !== undefined) return a.originalName === b.originalName;
  return countedName(a.name) === countedName(b.name);
}

const tableOf = ({ table, tableOriginal }: SampleChange): Named => ({ name: table, originalName: tableOriginal });
const columnOf = ({ column, columnOriginal }: SampleChange): Named => ({ name: column, originalName: columnOriginal });

/** The changed tables, each by its first change, in their order. */
function changedTables(
  { changes, kind }: AugmentSample,
  database: Database | undefined,
): readonly { readonly change: SampleChange; readonly columns: readonly SampleColumn[] }[] {
  const isOf = (change: SampleChange, other: SampleChange): boolean => isSame(tableOf(change), tableOf(other));
  const firsts = changes.filter((change, i) => changes.findIndex((other) => isOf(change, other)) === i);
  return firsts.map((change) => {
    const own = changes.filter((other) => isOf(change, other));
    const table = database?.tables.find(({ name, originalName }) => isSame(tableOf(change), { name, originalName }));
    const columns: readonly Named[] =
      table?.columns ??
      own.map(columnOf).filter((column, i, all) => all.findIndex((other) => isSame(column, other)) === i);
    return { change, columns: columns.flatMap((column) => changedColumns(column, own, kind)) };
  });
}

/** The column under its new name, or followed by the columns added for it. */
function changedColumns(column: Named, changes: AugmentSample['changes'], kind: VariantKind): SampleColumn[] {
  const own = changes.filter((change) => isSame(columnOf(change), column));
  const isOf =
    (wanted: PerturbationKind) =>
    ({ change }: SampleChange): boolean =>
      (change ?? kind) === wanted;
  const unchanged: SampleColumn = { name: column.name, change: 'none', was: null };
  const added = own.filter(isOf('ADD')).map(({ to }): SampleColumn => ({ name: to, change: 'added', was: null }));
  const renamed = own.find(isOf('RPL'));
  if (renamed === undefined) return [unchanged, ...added];
  return [{ name: renamed.to, change: 'renamed', was: column.name }, ...added];
}

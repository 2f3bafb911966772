import type { Database } from '../../schema/schema.js';
import { comparableName, type ColumnName, compareColumns, compareText } from '../../report/column-tally.js';
import { ExamplePicker } from './example-picker.js';
import { copySettings, type ReportedSettings } from '../../report/report-context.js';

/** Samples shown of each kind of variant: a page of about a megabyte. */
const SAMPLES_PER_KIND = 250;

/** One perturbed variant of an example. */
export interface AugmentSample {
  readonly id: string;
  readonly question: string;
  /** The original database. */
  readonly dbId: string;
  readonly kind: 'RPL' | 'ADD';
  /** By natural names: RPL renames the column to `to`, ADD puts the new column `to` beside it. */
  readonly changes: readonly { readonly table: string; readonly column: string; readonly to: string }[];
  readonly queryBefore: string;
  readonly queryAfter: string;
}

/** What `perturbql augment` did. */
export interface AugmentSummary {
  /** Name of the data set, "spider". */
  readonly dataset: string;
  readonly databases: readonly Database[];
  /** Number of examples read. */
  readonly examples: number;
  /** Number of examples written, by kind. */
  readonly written: { readonly original: number; readonly rpl: number; readonly add: number };
  /** Variants that could not be written. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** Names drawn again because they clashed with one drawn before. */
  readonly redraws: number;
  readonly columnsWithoutCandidates: readonly ColumnName[];
  /** All variants, or as many as were kept; the report picks from them. */
  readonly samples: Iterable<AugmentSample>;
  readonly settings: ReportedSettings;
  readonly warnings: readonly string[];
  /** Double-quoted strings that variants write in single quotes. */
  readonly literals: number;
  readonly verification: ReportedVerification | null;
}

/** What executing every gold query on its perturbed database found. */
export interface ReportedVerification {
  /** How results were compared. */
  readonly comparison: string;
  /** Variants per verdict. */
  readonly RPL: Readonly<Record<string, number>>;
  readonly ADD: Readonly<Record<string, number>>;
  /** Examples that have no variant of a kind. */
  readonly leftOut: { readonly RPL: number; readonly ADD: number };
  /** Variants without a database to execute on. */
  readonly withoutDatabase: number;
  /** Share of the compared variants whose result has rows, 0 to 1; null of none. */
  readonly nonEmpty: number | null;
  /** Variants whose verdict is not `equal`. */
  readonly items: readonly {
    readonly index: number;
    readonly source: string;
    readonly db_id: string;
    readonly kind: 'RPL' | 'ADD';
    readonly verdict: string;
    readonly detail: string | null;
  }[];
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
  readonly tables: readonly { readonly table: string; readonly columns: readonly SampleColumn[] }[];
}

/** `report.json` of `perturbql augment`: plain JSON without times, so that the same run gives the same bytes. */
export interface AugmentReport {
  readonly dataset: string;
  readonly examples: number;
  readonly written: AugmentSummary['written'];
  /** Most frequent first; ids in order. */
  readonly skipped: readonly { readonly reason: string; readonly count: number; readonly ids: readonly string[] }[];
  readonly redraws: number;
  readonly columnsWithoutCandidates: readonly ColumnName[];
  /** Spread over the databases; those whose query changed come first, then by database and id. */
  readonly samples: { readonly RPL: readonly ReportedSample[]; readonly ADD: readonly ReportedSample[] };
  readonly settings: ReportedSettings;
  readonly warnings: readonly string[];
  readonly literals: number;
  readonly verification: ReportedVerification | null;
}

/** Summarizes a run of `perturbql augment`. The order of samples and skips does not matter. */
export function summarizeAugment(summary: AugmentSummary): AugmentReport {
  const { original, rpl, add } = summary.written;
  return {
    dataset: summary.dataset,
    examples: summary.examples,
    written: { original, rpl, add },
    skipped: groupSkipped(summary.skipped),
    redraws: summary.redraws,
    columnsWithoutCandidates: summary.columnsWithoutCandidates
      .map(({ dbId, table, column }) => ({ dbId, table, column }))
      .sort(compareColumns),
    samples: pickSamples(summary),
    settings: copySettings(summary.settings),
    warnings: [...summary.warnings],
    literals: summary.literals,
    verification: summary.verification,
  };
}

function groupSkipped(skipped: AugmentSummary['skipped']): AugmentReport['skipped'] {
  const groups = new Map<string, string[]>();
  for (const { id, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), id]);
  return [...groups]
    .map(([reason, ids]) => ({ reason, count: ids.length, ids: ids.sort(compareText) }))
    .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason));
}

function pickSamples({ samples, databases }: AugmentSummary): AugmentReport['samples'] {
  const pickers = {
    RPL: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
    ADD: new ExamplePicker<AugmentSample>(SAMPLES_PER_KIND),
  };
  for (const sample of samples) {
    pickers[sample.kind].offer(sample.dbId, `${sample.kind} ${sample.id}`, sample, isQueryChanged(sample));
  }
  const byId = new Map(databases.map((database) => [database.id, database]));
  const report = (kind: 'RPL' | 'ADD'): ReportedSample[] =>
    pickers[kind]
      .picked()
      .sort(compareSamples)
      .map((sample) => ({ ...plainSample(sample), tables: changedTables(sample, byId.get(sample.dbId)) }));
  return { RPL: report('RPL'), ADD: report('ADD') };
}

/** Whether a variant has another gold query than its original. */
export function isQueryChanged({ queryBefore, queryAfter }: AugmentSample): boolean {
  return queryBefore !== queryAfter;
}

/** Orders samples: changed queries first, then by database and id. */
export function compareSamples(a: AugmentSample, b: AugmentSample): number {
  const changed = Number(isQueryChanged(b)) - Number(isQueryChanged(a));
  return changed || compareText(a.dbId, b.dbId) || compareText(a.id, b.id);
}

function plainSample({ id, question, dbId, kind, changes, queryBefore, queryAfter }: AugmentSample): AugmentSample {
  const plainChanges = changes.map(({ table, column, to }) => ({ table, column, to }));
  return { id, question, dbId, kind, changes: plainChanges, queryBefore, queryAfter };
}

const sameName = (a: string, b: string): boolean => comparableName(a) === comparableName(b);

function changedTables(sample: AugmentSample, database: Database | undefined): ReportedSample['tables'] {
  const names = [...new Set(sample.changes.map(({ table }) => table))];
  return names.map((name) => {
    const table = database?.tables.find((table) => sameName(table.name, name));
    const changes = sample.changes.filter((change) => change.table === name);
    const columns = table?.columns.map((column) => column.name) ?? [...new Set(changes.map(({ column }) => column))];
    return { table: name, columns: columns.flatMap((column) => changedColumns(column, changes, sample.kind)) };
  });
}

/** The column under its new name, or followed by the columns added for it. */
function changedColumns(column: string, changes: AugmentSample['changes'], kind: 'RPL' | 'ADD'): SampleColumn[] {
  const own = changes.filter((change) => sameName(change.column, column));
  const unchanged: SampleColumn = { name: column, change: 'none', was: null };
  if (kind === 'ADD')
    return [unchanged, ...own.map(({ to }): SampleColumn => ({ name: to, change: 'added', was: null }))];
  const renamed = own[0];
  return [renamed === undefined ? unchanged : { name: renamed.to, change: 'renamed', was: column }];
}

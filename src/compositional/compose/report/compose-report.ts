import { z } from 'zod';
import type { Dataset } from '../../../formats/dataset.js';
import { ExamplePicker } from '../../../variants/report/example-picker.js';
import { compareText, mustGet } from '../../../present.js';
import { type LeftOutGroup, leftOutGroup } from '../../../report/left-out.js';
import { shownRows } from '../../../report/result-difference.js';
import { loadReport } from '../../../report/stored-report.js';
import { VERSION } from '../../../version.js';
import {
  COMPOSITION_KINDS,
  type ComposedExample,
  type CompositionKind,
  compositionLine,
} from '../../../formats/artifacts/compositions.js';
import type { ComposedItem } from '../compose-job.js';
import { COMPOSITION_RULES } from '../composition-rules.js';
import { ASKED_FLUENCY_RULE, EXECUTION_RULES, FLUENCY_RULE, JOIN_RULE } from '../composition-checks.js';
import { ROWS_ONCE_RULE } from '../repeated-rows.js';
import { IDLE_JOIN_RULE } from '../settle-joins.js';

const countByKind = z.record(z.enum(COMPOSITION_KINDS), z.int()).readonly();

/** A rule with the number of drafts that it was the first to refuse. */
const reportedRule = z
  .object({
    id: z.string(),
    group: z.string(),
    source: z.string(),
    says: z.string(),
    refused: z.int(),
    refusedByKind: countByKind,
  })
  .readonly();

type ReportedRule = z.infer<typeof reportedRule>;

/** Compositions of one kind. */
const reportedKind = z
  .object({
    total: z.int(),
    /** Appended with "or". */
    or: z.int(),
    /** Appended to a substitution. */
    deep: z.int(),
    /** By Spider's levels; "unknown" for gold queries outside its grammar. */
    hardness: z.record(z.string(), z.int()).readonly(),
  })
  .readonly();

type ReportedKind = z.infer<typeof reportedKind>;

const parentText = z.object({ question: z.string(), query: z.string() }).readonly();

const composedSample = z
  .object({
    ...compositionLine.shape,
    /** The questions of the composition's `parents`; absent in reports before 2026-11-29. */
    asked: z.tuple([parentText, parentText]).readonly().exactOptional(),
    /** Results of the first parent's gold query and of its own; absent where none are executed, or one is large. */
    rows: z.object({ parent: shownRows, composed: shownRows }).readonly().exactOptional(),
  })
  .readonly();

/** A composition that the page shows, with the two questions that it was made of. */
export type ComposedSample = z.infer<typeof composedSample>;

const composeReport = z
  .object({
    format: z.literal('perturbql-compose'),
    version: z.literal(1),
    perturbql: z.string(),
    /** Name of the file or folder with the examples, "dev.json"; absent where there is none, and in earlier reports. */
    examplesName: z.string().exactOptional(),
    dataset: z.string(),
    /** Examples of the data set. */
    examples: z.int(),
    /** Questions that were aligned with their clauses. */
    questions: z.int(),
    elements: z.int(),
    /** Pairs of elements that the rules looked at, by what was to be done with them. */
    drafts: z.int(),
    draftsByKind: countByKind,
    /** Compositions made; fewer are written where there is a budget. */
    made: z.int(),
    written: z.record(z.enum(COMPOSITION_KINDS), reportedKind).readonly(),
    /** True if gold queries were executed. */
    executed: z.boolean(),
    rules: z.array(reportedRule).readonly(),
    /** Compositions by train and test, where the set was split by template. */
    split: z.object({ train: z.int(), test: z.int() }).readonly().nullable(),
    databases: z
      .array(z.object({ id: z.string(), questions: z.int(), elements: z.int(), written: countByKind }).readonly())
      .readonly(),
    /** Of each kind, spread over the databases; by kind, database and id. */
    samples: z.array(composedSample).readonly(),
    warnings: z.array(z.string()).readonly(),
    leftOut: z.array(leftOutGroup).readonly(),
  })
  .readonly();

/** `report.json` of `perturbql compose`. */
export type ComposeReport = z.infer<typeof composeReport>;

/** Reads the report of a run of `compose`. @throws InputFormatError as `loadReport` */
export function loadComposeReport(run: string): ComposeReport {
  return loadReport(run, {
    command: 'compose',
    what: 'compositions',
    format: 'perturbql-compose',
    version: 1,
    schema: composeReport,
    oldKeys: {},
    again: 'Run `perturbql compose`',
  });
}

/** The data that a report sums up. */
export interface ReportInput {
  readonly examplesName?: string;
  readonly dataset: Dataset;
  readonly items: readonly ComposedItem[];
  /** The examples that are written. */
  readonly kept: readonly ComposedExample[];
  /** Some of them, as `composedSamples` draws them. */
  readonly samples: readonly ComposedSample[];
  readonly split: ComposeReport['split'];
  readonly executed: boolean;
  readonly warnings: readonly string[];
  readonly leftOut: readonly LeftOutGroup[];
}

/** What samples are drawn from. */
type SampleInput = Pick<ReportInput, 'dataset' | 'items' | 'kept'>;

/** Samples shown of each kind: a page of about a megabyte. */
const SAMPLES_PER_KIND = 250;

function byHardness(examples: readonly ComposedExample[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { easy: 0, medium: 0, hard: 0, extra: 0 };
  for (const { hardness } of examples) counts[hardness ?? 'unknown'] = (counts[hardness ?? 'unknown'] ?? 0) + 1;
  return counts;
}

function reportKind(examples: readonly ComposedExample[]): ReportedKind {
  return {
    total: examples.length,
    or: examples.filter(({ connective }) => connective === 'or').length,
    deep: examples.filter(({ depth }) => depth > 1).length,
    hardness: byHardness(examples),
  };
}

function ofKind(examples: readonly ComposedExample[], kind: CompositionKind): readonly ComposedExample[] {
  return examples.filter((example) => example.kind === kind);
}

const byKind = (count: (kind: CompositionKind) => number): Readonly<Record<CompositionKind, number>> => ({
  SUB: count('SUB'),
  APP: count('APP'),
});

/** Drafts that each rule was the first to refuse, in the order of the rules: what is not listed broke none. */
function reportRules(items: readonly ComposedItem[], executed: boolean): readonly ReportedRule[] {
  const sum = (id: string, kind: CompositionKind): number =>
    items.reduce((total, { tally }) => total + (tally.refused[kind][id] ?? 0), 0);
  const count = (id: string): Pick<ReportedRule, 'refused' | 'refusedByKind'> => {
    const refusedByKind = byKind((kind) => sum(id, kind));
    return { refused: refusedByKind.SUB + refusedByKind.APP, refusedByKind };
  };
  const own = (id: string, group: string, says: string): ReportedRule => ({
    id,
    group,
    source: 'ours',
    says,
    ...count(id),
  });
  const ids = items.flatMap(({ tally }) => COMPOSITION_KINDS.flatMap((kind) => Object.keys(tally.refused[kind])));
  const noQuery = [...new Set(ids)].filter((id) => id.startsWith('no-query: ')).sort();
  const execution = executed ? Object.entries(EXECUTION_RULES) : [];
  return [
    ...COMPOSITION_RULES.map(({ id, group, source, says }) => ({ id, group, source, says, ...count(id) })),
    own('asked-already', 'meaning', 'no question that the data set has, or that was composed before'),
    ...noQuery.map((id) => own(id, 'query', 'the clauses have a query')),
    own(IDLE_JOIN_RULE.id, 'meaning', IDLE_JOIN_RULE.says),
    own(ROWS_ONCE_RULE.id, 'meaning', ROWS_ONCE_RULE.says),
    own(JOIN_RULE.id, 'meaning', JOIN_RULE.says),
    own(FLUENCY_RULE.id, 'coherence', FLUENCY_RULE.says),
    ...execution.map(([id, says]) => own(id, 'execution', says)),
    ...(ids.includes(ASKED_FLUENCY_RULE.id) ? [own(ASKED_FLUENCY_RULE.id, 'coherence', ASKED_FLUENCY_RULE.says)] : []),
  ];
}

/** The questions that compositions are made of: those of the data set, and of two steps the first. */
function parentTexts({ dataset, items }: SampleInput): ReadonlyMap<string, z.infer<typeof parentText>> {
  const all = [...dataset.examples(), ...items.flatMap(({ examples }) => examples)];
  return new Map(all.map(({ id, question, query }) => [id, { question, query }]));
}

/** Samples of each kind, the same ones whatever the order of the compositions. */
export function composedSamples(input: SampleInput): readonly ComposedSample[] {
  const texts = parentTexts(input);
  return COMPOSITION_KINDS.flatMap((kind) => {
    const picker = new ExamplePicker<ComposedExample>(SAMPLES_PER_KIND);
    for (const one of ofKind(input.kept, kind)) picker.offer(one.db_id, one.id, one);
    return picker
      .picked()
      .sort((a, b) => compareText(a.db_id, b.db_id) || compareText(a.id, b.id))
      .map((one) => {
        const textOf = (parent: string): z.infer<typeof parentText> => mustGet(texts.get(parent), parent);
        return { ...one, asked: [textOf(one.parents[0]), textOf(one.parents[1])] };
      });
  });
}

/** Sums up a run. */
export function reportCompositions(input: ReportInput): ComposeReport {
  const { examplesName, dataset, items, kept, samples, split, executed, warnings, leftOut } = input;
  const sum = (of: (item: ComposedItem) => number): number => items.reduce((total, item) => total + of(item), 0);
  const kinds = COMPOSITION_KINDS.map((kind) => [kind, reportKind(ofKind(kept, kind))] as const);
  return {
    format: 'perturbql-compose',
    version: 1,
    perturbql: VERSION,
    ...(examplesName !== undefined && { examplesName }),
    dataset: dataset.format,
    examples: dataset.size,
    questions: sum(({ questions }) => questions),
    elements: sum(({ elements }) => elements),
    drafts: sum(({ tally }) => tally.drafts.SUB + tally.drafts.APP),
    draftsByKind: byKind((kind) => sum(({ tally }) => tally.drafts[kind])),
    made: sum(({ examples }) => examples.length),
    written: Object.fromEntries(kinds) as ComposeReport['written'],
    executed,
    rules: reportRules(items, executed),
    split,
    databases: items.map(({ id, questions, elements }) => {
      const own = kept.filter(({ db_id }) => db_id === id);
      const written = { SUB: ofKind(own, 'SUB').length, APP: ofKind(own, 'APP').length };
      return { id, questions, elements, written };
    }),
    samples,
    warnings,
    leftOut,
  };
}

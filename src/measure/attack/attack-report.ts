import { OUTCOMES } from '../../evaluate/metric.js';
import { ATTACK_METRICS, type AttackMetric } from '../../victims/scoring.js';
import { z } from 'zod';
import { reportedInterval } from '../../report/statistics/bootstrap.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { ATTACK_SAMPLES, ATTACK_STRATEGIES } from './attack-options.js';
import { count, reportedDataset, reportedUsage, reportedVictim, share } from '../asked-report.js';
import { mutantReport } from '../mutants/mutant-report.js';
import { recompositionReport } from '../compositions/recomposition-report.js';
import { resultDifference } from '../../report/result-difference.js';
import { reportedAnswer } from '../judged-answer.js';
import { loadReport } from '../../report/stored-report.js';

/** The units that are drawn to find an interval. */
export const DRAWN = 'examples, the turns of an interaction together';

/** The metrics that a run measured, in their order. */
export function measuredMetrics(scores: readonly { readonly metric: AttackMetric }[]): readonly AttackMetric[] {
  return [...new Set(scores.map(({ metric }) => metric))];
}

/** Conditions as plots name them. */
export const CONDITION_WORDS = {
  original: 'Original tables',
  RPL: 'RPL, renamed columns',
  ADD: 'ADD, added columns',
} as const;

/** The tables a question is asked of: the original ones, or those perturbed by RPL or by ADD. */
export const ATTACK_CONDITIONS = ['original', 'RPL', 'ADD'] as const;
export type AttackCondition = (typeof ATTACK_CONDITIONS)[number];

const condition = z.enum(ATTACK_CONDITIONS);
const perturbed = z.enum(['RPL', 'ADD']);
const metric = z.enum(ATTACK_METRICS);

const outcome = z.enum(OUTCOMES);

/** One metric's score for one condition. */
const score = z.object({
  metric,
  condition,
  /** Mean over the seeds, 0 to 1. */
  accuracy: share,
  /** Sample standard deviation over the seeds (n - 1); null for one seed. */
  std: z.number().nullable(),
  /** By seed, in the order of `settings.seeds`; one value under `original`. */
  bySeed: z.array(share),
  /** Bootstrap over the examples, all of an example's seeds together. */
  interval: reportedInterval.nullable(),
  /** Against `original`, over the same examples; null under `original`. */
  drop: z
    .object({
      /** Accuracy lost, -1 to 1. */
      absolute: z.number(),
      /** Of the accuracy on the original; null where that is 0. */
      relative: z.number().nullable(),
      interval: reportedInterval.nullable(),
      /** McNemar over (example, seed): right only on the original, right only on the perturbed table. */
      mcnemar: z.object({ onlyFirst: z.number(), onlySecond: z.number(), p: z.number(), midP: z.number() }),
    })
    .nullable(),
  /** Answers by outcome, over all seeds. */
  outcomes: z.record(outcome, z.number()),
});

/** Columns that answers name against those that gold queries ask for, over all questions of a condition. */
const linking = z.object({
  condition,
  /** Null where nothing was named, or nothing asked for. */
  precision: share.nullable(),
  recall: share.nullable(),
  f1: share,
  /** Sample standard deviation of F1 over the seeds; null for one. */
  std: z.number().nullable(),
  /** F1 by seed; one value under `original`. */
  bySeed: z.array(share),
  /** Of F1: bootstrap over the examples. */
  interval: reportedInterval.nullable(),
  /** F1 lost against `original`; null under `original`. */
  drop: z
    .object({ absolute: z.number(), relative: z.number().nullable(), interval: reportedInterval.nullable() })
    .nullable(),
});

/** Accuracy by condition of the examples that share something: a hardness, a database. */
const breakdown = z.object({
  metric,
  key: z.string(),
  examples: z.number(),
  accuracy: z.object({ original: share.nullable(), RPL: share.nullable(), ADD: share.nullable() }),
});

/** Accuracy on the perturbed tables of one kind whose changes are about as hard. */
const difficultyBreakdown = breakdown.omit({ key: true, examples: true }).extend({
  kind: perturbed,
  /** Lowest and highest of the part: mean difficulty of the candidates of a perturbation, 0 to 1. */
  from: share,
  to: share,
  /** Examples and seeds; of `accuracy` the mean over them, null for the other kind. */
  cases: z.number(),
});

/**
 * How often perturbing something broke an answer that was right on the original table, by exact match or, of answers
 * with columns, by these.
 */
const fragility = z.object({
  kind: perturbed,
  dbId: z.string(),
  table: z.string(),
  column: z.string(),
  /** Names in SQL, which distinguish rows whose natural names are equal; absent in reports of earlier versions. */
  tableOriginal: z.string().exactOptional(),
  columnOriginal: z.string().exactOptional(),
  /** Null where all candidates of the column are counted together. */
  candidate: z.string().nullable(),
  /** Cases that were right on the original and whose perturbation includes this. */
  cases: z.number(),
  broken: z.number(),
});

const change = z.object({
  table: z.string(),
  /** Natural name of the column that was renamed, or that the added one goes with. */
  column: z.string(),
  candidate: z.string(),
  /** Names in SQL: of the column before, and of the renamed or added one. */
  originalName: z.string(),
  newName: z.string(),
});

/** An answer to a question, with SQL or with columns, and what the metrics say of it. */
const answer = reportedAnswer.extend({
  /** The cleaning steps that the model's reply needed. */
  cleaned: z.array(z.string()),
  /** Only of a victim that answers with columns. */
  columns: outcome.nullable().exactOptional(),
});

const perturbedCase = answer.extend({
  /**
   * Of an answer that turned wrong by execution: where its result differs from the gold query's; only where both gave
   * rows.
   */
  rows: resultDifference.exactOptional(),
  kind: perturbed,
  seed: z.number(),
  changes: z.array(change),
  gold: z.string(),
  /** Questions that a search asked for this case; 1 without one. */
  queries: z.number(),
});

/** An example: its question on the original tables and on each perturbation. */
const attackCase = z.object({
  id: z.string(),
  /** Of a turn its interaction, whose turns are drawn together for an interval. */
  interaction: z.string().exactOptional(),
  dbId: z.string(),
  question: z.string(),
  hardness: z.enum(HARDNESS_LEVELS).nullable(),
  gold: z.string(),
  original: answer,
  perturbed: z.array(perturbedCase),
});

/** `report.json` of an attack: all that its page shows. */
export const attackReport = z.object({
  format: z.literal('perturbql-attack'),
  version: z.literal(1),
  perturbql: z.string(),
  victim: reportedVictim,
  dataset: reportedDataset.extend({ examples: count }),
  settings: z.object({
    strategy: z.enum(ATTACK_STRATEGIES),
    /** Most questions of a search for one example, kind and seed; null without a search. */
    budget: z.number().nullable(),
    seeds: z.array(z.number()),
    /** Where candidates come from, as given; null where tables were not perturbed. */
    candidates: z.string().nullable(),
    /** Which candidates were drawn; absent where any were. */
    sample: z.enum(ATTACK_SAMPLES).exactOptional(),
    linkedKeys: z.string(),
    /** When new names were abbreviated; absent where none was. */
    abbreviate: z.string().exactOptional(),
    addPosition: z.string(),
    /** Name and version of each metric's mode. */
    metrics: z.partialRecord(metric, z.string()),
    /** sha256 over the original databases; null where nothing was executed. */
    databases: z.string().nullable(),
  }),
  scores: z.array(score),
  /**
   * How well the columns that a victim names, or uses in its SQL, are those that gold queries ask for, by condition.
   */
  linking: z.array(linking).exactOptional(),
  /** Composed questions and their parents, where they were asked. */
  compositions: recompositionReport.exactOptional(),
  /** Mutants and their examples, where they were asked. */
  mutants: mutantReport.exactOptional(),
  /** Examples that are not scored, with the reason and their number. */
  leftOut: z.array(z.object({ reason: z.string(), examples: z.number() })),
  byHardness: z.array(breakdown),
  byDatabase: z.array(breakdown),
  /** From easy to hard; absent in reports of earlier versions, and where no tables were perturbed. */
  byDifficulty: z.array(difficultyBreakdown).exactOptional(),
  /** Exact match per component (share of gold queries that have it and match), key = component. */
  byComponent: z.array(breakdown),
  /** Worst first. */
  columns: z.array(fragility),
  candidates: z.array(fragility),
  /** The cost of the victim. */
  usage: reportedUsage.extend({
    failures: z.partialRecord(condition, z.record(z.string(), z.number())),
    /** The cleaning steps that answers needed, with the number of answers. */
    cleaned: z.record(z.string(), z.number()),
  }),
  /** Notes for readers of the figures. */
  warnings: z.array(z.string()),
  cases: z.array(attackCase),
});

export type AttackReport = z.infer<typeof attackReport>;
export type AttackScore = AttackReport['scores'][number];
/** Checks whether the victim answers with columns, not with SQL. */
export const answersWithColumns = ({ settings }: AttackReport): boolean => settings.metrics.columns !== undefined;
export type AttackLinking = z.infer<typeof linking>;
export type AttackBreakdown = AttackReport['byHardness'][number];
export type DifficultyBreakdown = z.infer<typeof difficultyBreakdown>;
export type Fragility = AttackReport['columns'][number];
export type AttackCase = AttackReport['cases'][number];
export type PerturbedCase = AttackCase['perturbed'][number];
export type ReportedChange = PerturbedCase['changes'][number];

/** Reads the report of an attack. @throws InputFormatError as `loadReport` */
export function loadAttackReport(path: string): AttackReport {
  return loadReport(path, {
    command: 'attack',
    what: 'an attack',
    format: attackReport.shape.format.value,
    version: attackReport.shape.version.value,
    schema: attackReport,
    oldKeys: {
      add_position: 'addPosition',
      db_id: 'dbId',
      linked_keys: 'linkedKeys',
      new_name: 'newName',
      original_name: 'originalName',
    },
    again: 'Run the attack',
  });
}

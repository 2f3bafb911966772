import { z } from 'zod';
import { reportedInterval } from '../../report/statistics/bootstrap.js';
import { COMPOSITION_KINDS } from '../../formats/artifacts/compositions.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { resultDifference } from '../../report/result-difference.js';
import { count, share } from '../asked-report.js';
import { reportedAnswer } from '../judged-answer.js';

const kind = z.enum(COMPOSITION_KINDS);

/** One metric's figures for compositions and their parents. */
const measured = z.object({
  /** Compositions of which the metric says something, and of both parents. */
  cases: count,
  /** Accuracy on the parents, both of each composition. */
  parents: share,
  /** Accuracy on the compositions themselves (Spider-SS Table 5). */
  children: share,
  /** Points lost, a composition against its own parents. */
  drop: reportedInterval,
  /** Compositions of which both parents are right; of them, those that are wrong. */
  bothRight: count,
  broken: count,
  /** `broken / bothRight`; null where no two parents are right. */
  rate: reportedInterval.nullable(),
  /** Right though a parent is wrong. */
  mended: count,
});

const figures = z.object({
  cases: count,
  /** Distinct questions that these were made of. */
  parents: count,
  /** Without an answer to one of the three for a reason that may pass: in no figure. */
  open: count,
  /** Null where the metric says nothing of any. */
  exact: measured.nullable(),
  execution: measured.nullable(),
});

/** A question with what was answered. */
const side = reportedAnswer.extend({
  id: z.string(),
  question: z.string(),
  gold: z.string(),
});

/** A composition that is wrong though both its parents are right. */
const failure = z.object({
  kind,
  dbId: z.string(),
  hardness: z.string().nullable(),
  child: side,
  parents: z.tuple([side, side]),
  /** Where the composition's result differs from its gold query's; where both queries give rows. */
  rows: resultDifference.exactOptional(),
});

/** How a model fares on composed questions, and on those that they were made of; part of a run's `report.json`. */
export const recompositionReport = z.object({
  /** sha256 of the compositions. */
  fingerprint: z.string(),
  /** Compositions left out, since the substitution that they append to was not kept. */
  orphans: count,
  /** Accuracy on the examples that compositions were made of, each once; null where nothing was measured. */
  accuracy: z.object({ exact: share.nullable(), execution: share.nullable() }),
  all: figures,
  /** By rule: substituted (CG-SUB), appended (CG-APP). */
  kinds: z.partialRecord(kind, figures),
  /** By rule and the composition's own hardness. */
  hardness: z.array(figures.extend({ kind, level: z.enum(HARDNESS_LEVELS) })),
  /** Some of the failures, drawn by the seed; `recompositions.jsonl` has the verdict of each composition. */
  failures: z.array(failure),
});

export type RecompositionReport = z.infer<typeof recompositionReport>;
export type RecompositionFigures = z.infer<typeof figures>;
export type MeasuredRecomposition = z.infer<typeof measured>;
export type RecompositionFailure = z.infer<typeof failure>;
export type RecompositionSide = z.infer<typeof side>;

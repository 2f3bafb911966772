import { COMPOSITION_KINDS } from '../../formats/artifacts/compositions.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import type { Outcome } from '../../evaluate/metric.js';
import { bootstrapMean } from '../../report/statistics/bootstrap.js';
import { rateInterval } from '../../report/statistics/rate-interval.js';
import { groupBy } from '../../run/group-by.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import type { ResultDifference } from '../../report/result-difference.js';
import { isSettled } from '../victim.js';
import type { JudgedQuestion, JudgedRecomposition } from './ask-recompositions.js';
import type { Recompositions } from './load-recompositions.js';
import type {
  MeasuredRecomposition,
  RecompositionFailure,
  RecompositionFigures,
  RecompositionReport,
  RecompositionSide,
} from './recomposition-report.js';
import type { AnswerMetric } from '../answer-metrics.js';

/** Failures that a report holds of each rule. */
const MAX_LISTED = 20;

/** Returns a metric's outcome for an answer; null if it has none, or the gold query has no answer itself. */
function outcomeOf({ score }: JudgedQuestion, metric: AnswerMetric): Outcome | null {
  const outcome = score[metric]?.outcome ?? null;
  return outcome === 'bad-gold' ? null : outcome;
}

function pointOf(judged: JudgedQuestion, metric: AnswerMetric): number {
  return Number(outcomeOf(judged, metric) === 'correct');
}

function isMeasured({ isOpen, child, parents }: JudgedRecomposition, metric: AnswerMetric): boolean {
  return !isOpen && [child, ...parents].every((judged) => outcomeOf(judged, metric) !== null);
}

/** The points of a composition, and of its parents together, 0 to 2. */
interface Points {
  readonly source: string;
  readonly child: number;
  readonly parents: number;
}

function pointsOf({ case: { composition }, child, parents }: JudgedRecomposition, metric: AnswerMetric): Points {
  const [base, element] = parents;
  const { source } = composition;
  return { source, child: pointOf(child, metric), parents: pointOf(base, metric) + pointOf(element, metric) };
}

const bothRight = ({ parents }: Points): boolean => parents === 2;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Measures some compositions by a metric; `purpose` names its random stream. */
function measure(
  judged: readonly JudgedRecomposition[],
  metric: AnswerMetric,
  seed: number,
  purpose: string,
): MeasuredRecomposition | null {
  const points = judged.filter((one) => isMeasured(one, metric)).map((one) => pointsOf(one, metric));
  const clusters = [...groupBy(points, ({ source }) => source).values()];
  const rngOf = (what: string): ReturnType<typeof createRng> => createRng(seed, `recomposition ${what} ${purpose}`);
  const losses = clusters.map((own) => own.map(({ parents, child }) => parents / 2 - child));
  const drop = bootstrapMean(losses, rngOf(`drop ${metric}`));
  if (drop === null) return null;
  const failed = clusters.map((own) => own.filter(bothRight).map(({ child }) => 1 - child));
  return {
    cases: points.length,
    parents: sum(points.map(({ parents }) => parents / 2)) / points.length,
    children: sum(points.map(({ child }) => child)) / points.length,
    drop,
    bothRight: points.filter(bothRight).length,
    broken: sum(failed.flat()),
    rate: rateInterval(failed, rngOf(`rate ${metric}`)),
    mended: points.filter((one) => !bothRight(one) && one.child === 1).length,
  };
}

function figuresOf(judged: readonly JudgedRecomposition[], seed: number, purpose: string): RecompositionFigures {
  return {
    cases: judged.length,
    parents: new Set(judged.flatMap(({ parents }) => parents.map(({ asked }) => asked.id))).size,
    open: judged.filter(({ isOpen }) => isOpen).length,
    exact: measure(judged, 'exact', seed, purpose),
    execution: measure(judged, 'execution', seed, purpose),
  };
}

/** Accuracy on the examples among the parents, each once. */
function exampleAccuracy(judged: readonly JudgedRecomposition[], metric: AnswerMetric): number | null {
  const composed = new Set(judged.map(({ child }) => child.asked.id));
  const parents = new Map(judged.flatMap((one) => one.parents).map((parent) => [parent.asked.id, parent]));
  const measured = [...parents.values()].filter(
    (one) => !composed.has(one.asked.id) && isSettled(one.answer) && outcomeOf(one, metric) !== null,
  );
  return measured.length === 0 ? null : sum(measured.map((one) => pointOf(one, metric))) / measured.length;
}

function sideOf(judged: JudgedQuestion): RecompositionSide {
  const { asked, answer, score } = judged;
  return {
    id: asked.id,
    question: asked.question,
    gold: asked.query,
    predicted: answer.sql,
    failure: answer.failure?.kind ?? null,
    exact: score.exact.outcome,
    execution: score.execution?.outcome ?? null,
  };
}

/** By execution where it says something of all three, else by exact match. */
function isBroken(one: JudgedRecomposition): boolean {
  const metric = (['execution', 'exact'] as const).find((known) => isMeasured(one, known));
  if (metric === undefined) return false;
  const points = pointsOf(one, metric);
  return bothRight(points) && points.child === 0;
}

/** The failures that a report holds, drawn by the seed; by kind. */
export function shownRecompositions(
  judged: readonly JudgedRecomposition[],
  seed: number,
): readonly JudgedRecomposition[] {
  const broken = groupBy(judged.filter(isBroken), ({ case: { composition } }) => composition.kind);
  return COMPOSITION_KINDS.flatMap((kind) =>
    shuffled(broken.get(kind) ?? [], createRng(seed, `recomposition failures ${kind}`)).slice(0, MAX_LISTED),
  );
}

function failureOf(
  { case: { composition }, child, parents: [base, element] }: JudgedRecomposition,
  rows: ResultDifference | undefined,
): RecompositionFailure {
  return {
    kind: composition.kind,
    dbId: composition.db_id,
    hardness: composition.hardness,
    child: sideOf(child),
    parents: [sideOf(base), sideOf(element)],
    ...(rows !== undefined && { rows }),
  };
}

/**
 * Summarizes a model's results on compositions (Spider-SS Table 5); the same answers and seed give the same report.
 * `differences` has the rows of those that `shownRecompositions` shows, by id.
 */
export function summarizeRecompositions(
  { orphans, fingerprint }: Pick<Recompositions, 'orphans' | 'fingerprint'>,
  judged: readonly JudgedRecomposition[],
  seed: number,
  differences: ReadonlyMap<string, ResultDifference>,
): RecompositionReport {
  const byKind = groupBy(judged, ({ case: { composition } }) => composition.kind);
  const kinds = COMPOSITION_KINDS.flatMap((kind) => {
    const own = byKind.get(kind);
    return own === undefined ? [] : [[kind, own] as const];
  });
  return {
    fingerprint,
    orphans,
    accuracy: { exact: exampleAccuracy(judged, 'exact'), execution: exampleAccuracy(judged, 'execution') },
    all: figuresOf(judged, seed, 'all'),
    kinds: Object.fromEntries(kinds.map(([kind, own]) => [kind, figuresOf(own, seed, kind)])),
    hardness: kinds.flatMap(([kind, own]) => {
      const byLevel = groupBy(own, ({ case: { composition } }) => composition.hardness);
      return HARDNESS_LEVELS.flatMap((level) => {
        const some = byLevel.get(level);
        return some === undefined ? [] : [{ kind, level, ...figuresOf(some, seed, `${kind} ${level}`) }];
      });
    }),
    failures: shownRecompositions(judged, seed).map((one) => failureOf(one, differences.get(one.child.asked.id))),
  };
}

/** Returns notes for readers of the figures. */
export function recompositionWarnings({ orphans, all }: RecompositionReport): readonly string[] {
  const warnings: string[] = [];
  if (orphans > 0) {
    warnings.push(`${orphans} compositions are left out: the substitution that they append to was not kept`);
  }
  if (all.open > 0) {
    warnings.push(`${all.open} compositions count in no figure: they or a parent have no answer yet`);
  }
  const [exact, execution] = [all.exact?.cases ?? 0, all.execution?.cases ?? 0];
  if (execution > 0 && execution < all.cases - all.open) {
    warnings.push(`${all.cases - all.open - execution} compositions are not scored by execution`);
  }
  if (exact < all.cases - all.open) {
    warnings.push(
      `${all.cases - all.open - exact} compositions are not scored by exact match: a gold query is outside it`,
    );
  }
  return warnings;
}

import { formatCount } from '../../counts.js';
import { COMPOSITION_KINDS } from '../../formats/artifacts/compositions.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { bootstrapMean } from '../../report/statistics/bootstrap.js';
import { rateInterval } from '../../report/statistics/rate-interval.js';
import { groupBy } from '../../run/group-by.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import { accuracyOf, isMeasured, type JudgedAnswer, pointOf } from '../judged-answer.js';
import type { Subject } from '../mutants/subject.js';
import { reportAnswer } from '../reported-answer.js';
import type { JudgedRecomposition } from './judge-recompositions.js';
import type { ResultDifference } from '../../report/result-difference.js';
import type { Recompositions } from './load-recompositions.js';
import type {
  MeasuredRecomposition,
  RecompositionFailure,
  RecompositionFigures,
  RecompositionReport,
  RecompositionSide,
} from './recomposition-report.js';
import type { AnswerMetric } from '../../victims/answer-metrics.js';

/** Failures that a report holds of each rule. */
const MAX_LISTED = 20;

/** The points of a composition, and of its parents together, 0 to 2. */
interface Points {
  readonly source: string;
  readonly child: number;
  readonly parents: number;
}

function pointsOf({ case: { composition }, before, after }: JudgedRecomposition, metric: AnswerMetric): Points {
  const [base, element] = before;
  const { source } = composition;
  return { source, child: pointOf(after, metric), parents: pointOf(base, metric) + pointOf(element, metric) };
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
    parents: new Set(judged.flatMap(({ case: { parents } }) => parents.map(({ id }) => id))).size,
    open: judged.filter(({ isOpen }) => isOpen).length,
    exact: measure(judged, 'exact', seed, purpose),
    execution: measure(judged, 'execution', seed, purpose),
  };
}

/** Accuracy on the examples among the parents, each once. */
function exampleAccuracy(judged: readonly JudgedRecomposition[], metric: AnswerMetric): number | null {
  const composed = new Set(judged.map(({ after }) => after.answer.id));
  return accuracyOf(
    judged.flatMap(({ before }) => before).filter(({ answer }) => !composed.has(answer.id)),
    metric,
  );
}

function sideOf({ id, question, query }: Subject, judged: JudgedAnswer): RecompositionSide {
  return {
    id,
    question,
    gold: query ?? '',
    ...reportAnswer(judged),
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
  { case: { composition, child, parents }, before, after }: JudgedRecomposition,
  rows: ResultDifference | undefined,
): RecompositionFailure {
  return {
    kind: composition.kind,
    dbId: composition.db_id,
    hardness: composition.hardness,
    child: sideOf(child, after),
    parents: [sideOf(parents[0], before[0]), sideOf(parents[1], before[1])],
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
    failures: shownRecompositions(judged, seed).map((one) => failureOf(one, differences.get(one.case.child.id))),
  };
}

/** Returns notes for readers of the figures. */
export function recompositionWarnings({ orphans, all }: RecompositionReport): readonly string[] {
  const warnings: string[] = [];
  if (orphans > 0) {
    warnings.push(
      `${formatCount(orphans)} compositions are left out: the substitution that they append to was not kept`,
    );
  }
  if (all.open > 0) {
    warnings.push(`${formatCount(all.open)} compositions count in no figure: they or a parent have no answer yet`);
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

import { mustGet } from '../../present.js';
import type { RunHost } from '../../run/run-host.js';
import {
  accuracyOf,
  areOpen,
  isBroken,
  isMeasured,
  type JudgedAnswer,
  type MeasuredCase,
  outcomesOf,
  pointOf,
  reportAnswer,
} from '../judged-answer.js';
import { judgeSubjects, type SubjectJudging, differencesOf } from '../mutants/judge-subjects.js';
import type { Subject } from '../mutants/subject-store.js';
import { type RecomposedCase, recomposedQuestions, type Recompositions } from './load-recompositions.js';
import { formatCount } from '../../counts.js';
import { COMPOSITION_KINDS, type CompositionKind } from '../../formats/artifacts/compositions.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { bootstrapMean, rateInterval } from '../../report/statistics/bootstrap.js';
import { groupBy } from '../../run/group-by.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import type { ResultDifference } from '../../report/result-difference.js';
import type {
  MeasuredRecomposition,
  RecompositionFailure,
  RecompositionFigures,
  RecompositionReport,
  RecompositionSide,
} from './recomposition-report.js';
import type { AnswerMetric } from '../../victims/scoring.js';
import { renderJsonLines } from '../../formats/json-file.js';

/** A composition and its parents, judged. */
interface JudgedRecomposition
  extends RecomposedCase, MeasuredCase<readonly [base: JudgedAnswer, element: JudgedAnswer]> {}

/** Says of the answers to compositions and their parents whether they are right; in the order of the cases. */
async function judgeRecompositions(
  cases: readonly RecomposedCase[],
  judging: SubjectJudging,
  host: RunHost,
): Promise<readonly JudgedRecomposition[]> {
  const judged = await judgeSubjects(recomposedQuestions(cases), judging, host);
  const judgedOf = ({ id }: Subject): JudgedAnswer => mustGet(judged.get(id), 'judged.get(id)');
  return cases.map((one) => {
    const [base, element] = one.parents;
    const [before, after] = [[judgedOf(base), judgedOf(element)] as const, judgedOf(one.child)];
    return { ...one, before, after, isOpen: areOpen([after, ...before]) };
  });
}

/** Failures that a report holds of each rule. */
const MAX_LISTED = 20;

/** The points of a composition, and of its parents together, 0 to 2. */
interface Points {
  readonly source: string;
  readonly child: number;
  readonly parents: number;
}

function pointsOf({ composition, before, after }: JudgedRecomposition, metric: AnswerMetric): Points {
  const parents = sum(before.map((judged) => pointOf(judged, metric)));
  return { source: composition.source, child: pointOf(after, metric), parents };
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
    parents: new Set(judged.flatMap(({ parents }) => parents.map(({ id }) => id))).size,
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
  return { id, question, gold: query ?? '', ...reportAnswer(judged) };
}

/** The failures that a report holds, drawn by the seed; by kind. */
function shownRecompositions(judged: readonly JudgedRecomposition[], seed: number): readonly JudgedRecomposition[] {
  const broken = groupBy(judged.filter(isBroken), ({ composition }) => composition.kind);
  return COMPOSITION_KINDS.flatMap((kind) =>
    shuffled(broken.get(kind) ?? [], createRng(seed, `recomposition failures ${kind}`)).slice(0, MAX_LISTED),
  );
}

function failureOf(
  { composition, child, parents, before, after }: JudgedRecomposition,
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

function figuresByHardness(
  kind: CompositionKind,
  judged: readonly JudgedRecomposition[],
  seed: number,
): RecompositionReport['hardness'] {
  const byLevel = groupBy(judged, ({ composition }) => composition.hardness);
  return HARDNESS_LEVELS.flatMap((level) => {
    const some = byLevel.get(level);
    return some === undefined ? [] : [{ kind, level, ...figuresOf(some, seed, `${kind} ${level}`) }];
  });
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

/** A line of `recompositions.jsonl`: the verdicts on a composition; its answers are in `answers.jsonl`. */
function lineOf(judged: JudgedRecomposition): object {
  const { id, kind, hardness } = judged.composition;
  return { id, kind, hardness, parents: judged.parents.map((parent) => parent.id), ...outcomesOf(judged) };
}

/** The findings on compositions, and the file with a line for each; null and none where none were asked. */
interface MeasuredRecompositions {
  readonly compositions: RecompositionReport | null;
  readonly files: Readonly<Record<string, Iterable<string>>>;
}

/**
 * Judges the answers to compositions and their parents, and sums them up (Spider-SS Table 5); the same answers and seed
 * give the same report.
 */
export async function measureRecompositions(
  asked: Recompositions | null,
  judging: SubjectJudging,
  seed: number,
  host: RunHost,
): Promise<MeasuredRecompositions> {
  if (asked === null) return { compositions: null, files: {} };
  const judged = await judgeRecompositions(asked.cases, judging, host);
  const shown = shownRecompositions(judged, seed);
  const differences = await differencesOf(
    shown.map(({ child }) => child),
    judging,
    host.signal,
  );
  const byKind = groupBy(judged, ({ composition }) => composition.kind);
  const kinds = COMPOSITION_KINDS.flatMap((kind) => {
    const own = byKind.get(kind);
    return own === undefined ? [] : [[kind, own] as const];
  });
  const compositions = {
    fingerprint: asked.fingerprint,
    orphans: asked.orphans,
    accuracy: { exact: exampleAccuracy(judged, 'exact'), execution: exampleAccuracy(judged, 'execution') },
    all: figuresOf(judged, seed, 'all'),
    kinds: Object.fromEntries(kinds.map(([kind, own]) => [kind, figuresOf(own, seed, kind)])),
    hardness: kinds.flatMap(([kind, own]) => figuresByHardness(kind, own, seed)),
    failures: shown.map((one) => failureOf(one, differences.get(one.child.id))),
  };
  return { compositions, files: { 'recompositions.jsonl': renderJsonLines(judged.map(lineOf)) } };
}

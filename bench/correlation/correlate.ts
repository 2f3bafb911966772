import { InputFormatError } from '../../src/errors.js';
import { sampleDeviation } from '../../src/report/statistics/mean.js';
import { type ErrorRate, errorRate } from '../../src/evaluate/summary/accuracy.js';
import {
  type ByLevel,
  type CorrelatedModel,
  type Correlation,
  type CorrelationReport,
  type ErrorSpread,
  type Level,
  LEVELS,
  type Spread,
} from './correlation-report.js';
import { kendallTau } from './kendall-tau.js';
import {
  type GoldPair,
  JUDGED_METRICS,
  type JudgedMetric,
  type ModelVerdicts,
  namesOf,
  readVerdictFile,
  REFERENCE,
  refuseOtherGold,
  SURFACE_METRICS,
  type SurfaceMetric,
} from './verdict-files.js';

/** Models from which a rank correlation says something: two are either in one order or in the other. */
const FEWEST_MODELS = 3;

/** Positions of the pairs of each level that has any. */
type LevelPositions = ReadonlyMap<Level, readonly number[]>;

function positionsOf(pairs: readonly GoldPair[]): LevelPositions {
  const of = (level: Level): readonly number[] =>
    [...pairs.keys()].filter((i) => level === 'all' || (pairs[i]!.hardness ?? 'unknown') === level);
  return new Map(LEVELS.map((level) => [level, of(level)] as const).filter(([, positions]) => positions.length > 0));
}

function byLevel<T>(levels: LevelPositions, valueOf: (positions: readonly number[], level: Level) => T): ByLevel<T> {
  return Object.fromEntries([...levels].map(([level, positions]) => [level, valueOf(positions, level)]));
}

/** Values of the metrics that have one. */
function byMetric<M extends JudgedMetric, T>(
  metrics: readonly M[],
  valueOf: (metric: M) => T | null,
): Readonly<Partial<Record<M, T>>> {
  const known = metrics.flatMap((metric) => {
    const value = valueOf(metric);
    return value === null ? [] : [[metric, value] as const];
  });
  return Object.fromEntries(known) as Partial<Record<M, T>>;
}

function accuracyOf(correct: readonly boolean[], positions: readonly number[]): number {
  return positions.filter((i) => correct[i]).length / positions.length;
}

function errorsOf(
  { correct }: ModelVerdicts,
  metric: SurfaceMetric,
  levels: LevelPositions,
): ByLevel<ErrorRate> | null {
  const [own, reference] = [correct.get(metric), correct.get(REFERENCE)];
  if (own === undefined || reference === undefined) return null;
  return byLevel(levels, (positions) => errorRate(positions.map((i) => [own[i]!, reference[i]!] as const)));
}

function describeModel(model: ModelVerdicts, levels: LevelPositions): CorrelatedModel {
  const { name, file, correct } = model;
  return {
    name,
    file,
    accuracy: byMetric(JUDGED_METRICS, (metric) => {
      const own = correct.get(metric);
      return own === undefined ? null : byLevel(levels, (positions) => accuracyOf(own, positions));
    }),
    errors: byMetric(SURFACE_METRICS, (metric) => errorsOf(model, metric, levels)),
  };
}

function spreadOf(values: readonly number[]): Spread {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    std: sampleDeviation(values),
    max: Math.max(...values),
  };
}

/** Models that have verdicts of a metric and of the suite. */
function comparable(models: readonly CorrelatedModel[], metric: SurfaceMetric): readonly CorrelatedModel[] {
  return models.filter(({ errors }) => errors[metric] !== undefined);
}

function errorSpread(models: readonly CorrelatedModel[], metric: SurfaceMetric, level: Level): ErrorSpread {
  const rates = models.map(({ errors }) => errors[metric]![level]!);
  return {
    models: models.length,
    falsePositives: spreadOf(rates.map(({ falsePositiveRate }) => falsePositiveRate ?? 0)),
    falseNegatives: spreadOf(rates.map(({ falseNegativeRate }) => falseNegativeRate ?? 0)),
  };
}

/** Why a rank correlation can't be told. */
function whyNoTau(models: number, own: readonly number[], metric: SurfaceMetric): string {
  if (models < FEWEST_MODELS) {
    return `${models === 1 ? 'one model' : `${models} models`}: a rank correlation needs ${FEWEST_MODELS} or more`;
  }
  return `all models have the same accuracy by ${new Set(own).size === 1 ? metric : REFERENCE}`;
}

function correlation(models: readonly CorrelatedModel[], metric: SurfaceMetric, level: Level): Correlation {
  const accuracies = (of: JudgedMetric): readonly number[] => models.map(({ accuracy }) => accuracy[of]![level]!);
  const own = accuracies(metric);
  const agreement = kendallTau(own, accuracies(REFERENCE));
  const tau = models.length < FEWEST_MODELS ? null : agreement.tau;
  const why = tau === null ? whyNoTau(models.length, own, metric) : null;
  return { ...agreement, models: models.length, tau, why };
}

function overModels<T>(
  models: readonly CorrelatedModel[],
  levels: LevelPositions,
  valueOf: (models: readonly CorrelatedModel[], metric: SurfaceMetric, level: Level) => T,
): Readonly<Partial<Record<SurfaceMetric, ByLevel<T>>>> {
  return byMetric(SURFACE_METRICS, (metric) => {
    const own = comparable(models, metric);
    return own.length === 0 ? null : byLevel(levels, (_, level) => valueOf(own, metric, level));
  });
}

/** Metrics that some files have and others lack, and verdicts that are not read. */
function warningsOf(models: readonly ModelVerdicts[]): readonly string[] {
  const judged = JUDGED_METRICS.filter((metric) => models.some(({ correct }) => correct.has(metric)));
  return models.flatMap(({ file, correct, hasOther }) => [
    ...judged
      .filter((metric) => !correct.has(metric))
      .map((metric) => `${file} has no verdicts of ${metric}: the model is not in its figures`),
    ...(hasOther ? [`${file} also has a second model's verdicts (--compare): they are not read`] : []),
  ]);
}

function refuseWithoutReference(models: readonly ModelVerdicts[]): void {
  if (models.some(({ correct }) => correct.has(REFERENCE))) return;
  throw new InputFormatError('no file has verdicts of the metric suite, which the others are set against', {
    where: { file: models[0]!.file },
    fix: 'Evaluate with `--metrics exact,execution,suite --suite DIR --verdicts FILE`.',
  });
}

/**
 * Sets metrics against test-suite accuracy over several models (test-suite accuracy §6.2 and 6.3).
 * @throws InputFormatError where the models were judged on different golds, or none has verdicts of the suite
 */
export function correlateModels(models: readonly ModelVerdicts[]): CorrelationReport {
  refuseOtherGold(models);
  refuseWithoutReference(models);
  const levels = positionsOf(models[0]!.pairs);
  const described = models.map((model) => describeModel(model, levels));
  return {
    format: 'perturbql-correlation',
    version: 1,
    pairs: byLevel(levels, ({ length }) => length),
    models: described,
    errors: overModels(described, levels, errorSpread),
    correlations: overModels(described, levels, correlation),
    warnings: warningsOf(models),
  };
}

/**
 * Reads verdict files, one per model, and sets their metrics against test-suite accuracy.
 * @throws InputFormatError where a file is wrong, they are over different golds, or none has verdicts of the suite;
 * ConfigError where names don't fit
 */
export function correlate(files: readonly string[], names: readonly string[] | null): CorrelationReport {
  const called = namesOf(files, names);
  return correlateModels(files.map((file, i) => readVerdictFile(file, called[i]!)));
}

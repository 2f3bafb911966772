import { type RunHost, NOOP_HOST } from '../../src/run/run-host.js';
import { type JudgedModels, judgeModels } from '../../src/evaluate/evaluate.js';
import { type EvaluateOptions, metricsOf } from '../../src/evaluate/evaluate-options.js';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import type { MetricName } from '../../src/evaluate/metrics.js';
import type { SuiteIdentity } from '../../src/evaluate/suite/suite-match.js';
import type { PairVerdicts } from '../../src/evaluate/verdict-lines.js';
import { correlateModels } from './correlate.js';
import type { CorrelationReport, SecondSuite, VerdictChanges } from './correlation-report.js';
import { JUDGED_METRICS, type JudgedMetric, type ModelVerdicts, namesOf, REFERENCE } from './verdict-files.js';

/** What is judged, as `evaluate` judges it, and how the models are called. */
export interface CorrelateOptions extends Omit<
  EvaluateOptions,
  'predictions' | 'compare' | 'verdicts' | 'report' | 'explain' | 'links' | 'predictedLinks' | 'metrics'
> {
  /** A file of predictions for each model. */
  readonly predictions: readonly string[];
  /** Of the models, in the order of the files; left out: the files' names. */
  readonly names?: readonly string[] | undefined;
  /** Folder of another suite for the same gold, against which all is told once more. */
  readonly compareSuite?: string | null | undefined;
}

/** Spider's own script, which ends at a gold query that it can't read: such a pair counts as wrong by it here. */
const SPIDER_SCRIPT = { metrics: ['exact'], compat: ['spider'], allowBadGold: true } as const satisfies EvaluateOptions;

type Correct = readonly boolean[];

const isOf =
  (metric: 'exact' | 'execution' | 'suite') =>
  (pair: PairVerdicts): boolean =>
    pair[metric]?.outcome === 'correct';

/** Whether each pair of each model is correct by a metric. */
function correctBy({ models }: JudgedModels, metric: 'exact' | 'execution' | 'suite'): readonly Correct[] {
  return models.map((pairs) => pairs.map(isOf(metric)));
}

/** Models with what the metrics say of them, in the order of the files. */
function modelsOf(
  files: readonly string[],
  names: readonly string[],
  judged: JudgedModels,
  correct: ReadonlyMap<JudgedMetric, readonly Correct[]>,
): readonly ModelVerdicts[] {
  return judged.models.map((pairs, i) => ({
    name: names[i] ?? '',
    file: files[i] ?? '',
    pairs: pairs.map(({ id, db_id, hardness, gold }, at) => ({ id, db_id, hardness, gold, line: at + 1 })),
    correct: new Map(
      JUDGED_METRICS.flatMap((metric) => {
        const own = correct.get(metric)?.[i];
        return own === undefined ? [] : [[metric, own] as const];
      }),
    ),
    hasOther: false,
  }));
}

/** Gold that makes figures less certain than they look. */
function warningsOf(ours: Partial<EvaluationReport>, spider: Partial<EvaluationReport>): readonly string[] {
  const unread = spider.badGold?.length ?? 0;
  return [
    ...suiteWarnings(ours),
    ...(unread === 0 ? [] : [`Spider’s script can’t read ${unread} of the gold queries: they count as wrong by it`]),
  ];
}

function suiteWarnings({ suite }: Partial<EvaluationReport>): readonly string[] {
  if (suite === undefined || suite.notDistilled === 0) return [];
  return [
    `${suite.suite.path} was not distilled for ${suite.notDistilled} of the gold queries: they are judged on all databases of their schemas`,
  ];
}

function identityOf({ suite }: Partial<EvaluationReport>): SuiteIdentity {
  return suite?.suite ?? { path: '', sha256: '', schemas: 0, databases: 0 };
}

function modesOf({ exact, execution, suite }: Partial<EvaluationReport>, spider: Partial<EvaluationReport>) {
  return {
    ...(exact !== undefined && { exact: exact.mode }),
    ...(spider.exact !== undefined && { 'exact-spider': spider.exact.mode }),
    ...(execution !== undefined && { execution: execution.mode }),
    ...(suite !== undefined && { suite: suite.mode }),
  };
}

function changesOf(ours: readonly ModelVerdicts[], theirs: readonly ModelVerdicts[]): readonly VerdictChanges[] {
  return ours.map(({ name, pairs, correct }, i) => {
    const [here, there] = [correct.get(REFERENCE), theirs[i]?.correct.get(REFERENCE)];
    const idsWhere = (isMeant: (at: number) => boolean): readonly string[] =>
      pairs.flatMap(({ id }, at) => (isMeant(at) ? [id] : []));
    return {
      name,
      onlyHere: idsWhere((at) => here?.[at] === true && there?.[at] === false),
      onlyThere: idsWhere((at) => here?.[at] === false && there?.[at] === true),
    };
  });
}

/** The models set against a second suite, with what the other metrics say unchanged. */
function againstSecond(models: readonly ModelVerdicts[], judged: JudgedModels): SecondSuite {
  const suite = correctBy(judged, REFERENCE);
  const second = models.map((model, i) => ({
    ...model,
    correct: new Map([...model.correct, [REFERENCE, suite[i] ?? []] as const]),
  }));
  const { models: described, errors, correlations } = correlateModels(second);
  const changes = changesOf(models, second);
  return { suite: identityOf(judged.report), models: described, errors, correlations, changes };
}

/**
 * Judges several models' predictions for one gold by exact match (ours, and as Spider's script counts), by execution
 * where databases are given, and by a suite; and sets those metrics against the suite, and against a second one.
 * Nothing is written. `judge` is that of another build, where its threads are to be those.
 * @throws as `evaluate`; ConfigError where names don't fit
 */
export async function correlatePredictions(
  given: CorrelateOptions,
  host: RunHost = NOOP_HOST,
  judge: typeof judgeModels = judgeModels,
): Promise<CorrelationReport> {
  const { predictions, names, compareSuite = null, ...options } = given;
  const called = namesOf(predictions, names ?? null);
  const metrics: readonly MetricName[] = [...metricsOf({ ...options, suite: null }), REFERENCE];
  const judged = await judge({ ...options, metrics }, predictions, host);
  const spider = await judge({ ...options, ...SPIDER_SCRIPT }, predictions, host);
  const correct = new Map<JudgedMetric, readonly Correct[]>([
    ['exact', correctBy(judged, 'exact')],
    ['exact-spider', correctBy(spider, 'exact')],
    ...(metrics.includes('execution') ? [['execution', correctBy(judged, 'execution')] as const] : []),
    [REFERENCE, correctBy(judged, REFERENCE)],
  ]);
  const models = modelsOf(predictions, called, judged, correct);
  const second =
    compareSuite === null
      ? null
      : await judge({ ...options, suite: compareSuite, metrics: [REFERENCE] }, predictions, host);
  const { format, version, warnings, ...figures } = correlateModels(models);
  return {
    format,
    version,
    evaluation: {
      gold: options.gold ?? '',
      modes: modesOf(judged.report, spider.report),
      suite: identityOf(judged.report),
    },
    ...figures,
    ...(second !== null && { secondSuite: againstSecond(models, second) }),
    warnings: [
      ...warnings,
      ...warningsOf(judged.report, spider.report),
      ...(second === null ? [] : suiteWarnings(second.report)),
    ],
  };
}

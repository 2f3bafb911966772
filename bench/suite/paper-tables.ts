import { type CorrelateOptions, correlatePredictions } from '../correlation/correlate-predictions.js';
import type { CorrelationReport, Level, Spread } from '../correlation/correlation-report.js';
import {
  PUBLISHED_FALSE_NEGATIVES,
  PUBLISHED_FALSE_POSITIVES,
  type PublishedErrors,
  publishedTauOf,
} from '../correlation/published-figures.js';
import { renderCorrelationLines } from '../correlation/report/correlation-lines.js';
import { comparedMetrics, levelsOf } from '../correlation/report/correlation-titles.js';
import type { SurfaceMetric } from '../correlation/verdict-files.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import type { FigureTable } from '../bench-figures.js';
import { importBuilt } from '../cta/built-product.js';
import type { BenchOutput } from '../run-bench.js';

/** Test-suite accuracy §5.3, and what the published evaluator does by default. */
const CONVENTIONS = { compat: ['test-suite'] } as const satisfies Partial<CorrelateOptions>;
/** Joins without ON only end by it; CPU time. */
const TIMEOUT_MS = 2000;

/** Where the data set, the models' predictions and the suites are. */
export interface PaperTableFiles {
  readonly tables: string;
  readonly gold: string;
  readonly databases: string;
  /** A file of predictions for each model. */
  readonly predictions: readonly string[];
  readonly suite: string;
  /** The suite as it was. */
  readonly compareSuite: string | undefined;
}

type Cells = Record<string, number | string | null>;

const percent = (share: number | null | undefined): number | null => (share == null ? null : 100 * share);

function spreadCells(name: string, spread: (Omit<Spread, 'std'> & { readonly std: number | null }) | undefined): Cells {
  return {
    [`${name}Mean`]: percent(spread?.mean),
    [`${name}Std`]: percent(spread?.std),
    [`${name}Max`]: percent(spread?.max),
  };
}

const KINDS = [
  { kind: 'falsePositives', what: 'false positives', published: PUBLISHED_FALSE_POSITIVES },
  { kind: 'falseNegatives', what: 'false negatives', published: PUBLISHED_FALSE_NEGATIVES },
] as const;

function publishedAt(published: PublishedErrors | undefined, level: Level) {
  return level === 'unknown' ? undefined : published?.[level];
}

function errorTable(report: CorrelationReport): FigureTable {
  const rows = comparedMetrics(report).flatMap((metric) =>
    KINDS.flatMap(({ kind, what, published }) =>
      levelsOf(report).map((level): readonly [string, Cells] => [
        `${metric}-${kind}-${level}`,
        {
          metric,
          errors: what,
          pairs: level,
          ...spreadCells('now', report.errors[metric]?.[level]?.[kind]),
          ...spreadCells('before', report.secondSuite?.errors[metric]?.[level]?.[kind]),
          ...spreadCells('paper', publishedAt(published[metric], level)),
        },
      ]),
    ),
  );
  const columns = (name: string, title: string): FigureTable['columns'] => ({
    [`${name}Mean`]: { head: `${title}: mean`, decimals: 1 },
    [`${name}Std`]: { head: 'std', decimals: 1 },
    [`${name}Max`]: { head: 'max', decimals: 1 },
  });
  return {
    id: 'paper-errors',
    title: 'Errors of exact match and execution against the test suite',
    about: `${aboutOf(report)} Percent of all pairs, over the models: Tables 1 and 2 of the paper (Zhong et al. 2020), whose 21 submissions are others.`,
    columns: {
      metric: { head: 'metric' },
      errors: { head: 'errors' },
      pairs: { head: 'pairs' },
      ...columns('now', 'suite'),
      ...columns('before', 'as it was'),
      ...columns('paper', 'paper'),
    },
    rows: Object.fromEntries(rows),
  };
}

function tauTable(report: CorrelationReport): FigureTable {
  const metrics = comparedMetrics(report);
  const paperOf = (metric: SurfaceMetric, level: Level): number | null => {
    const [published] = publishedTauOf(metric, metrics);
    return level === 'unknown' ? null : percent(published?.tau[level]);
  };
  const rows = metrics.flatMap((metric) =>
    levelsOf(report).map((level): readonly [string, Cells] => {
      const [now, before] = [report.correlations, report.secondSuite?.correlations].map((of) => of?.[metric]?.[level]);
      return [
        `${metric}-${level}`,
        {
          metric,
          pairs: level,
          now: percent(now?.tau),
          nowSwapped: now?.discordant ?? null,
          before: percent(before?.tau),
          beforeSwapped: before?.discordant ?? null,
          paper: paperOf(metric, level),
        },
      ];
    }),
  );
  return {
    id: 'paper-correlations',
    title: 'Kendall τ with test-suite accuracy',
    about: `${aboutOf(report)} τ in percent; swapped are pairs of models in the other order. Table 3 of the paper: its “Adapted” next to exact, “Official” next to exact-spider.`,
    columns: {
      metric: { head: 'metric' },
      pairs: { head: 'pairs' },
      now: { head: 'suite: τ', decimals: 1 },
      nowSwapped: { head: 'swapped' },
      before: { head: 'as it was: τ', decimals: 1 },
      beforeSwapped: { head: 'swapped' },
      paper: { head: 'paper: τ', decimals: 0 },
    },
    rows: Object.fromEntries(rows),
  };
}

function modelTable(report: CorrelationReport): FigureTable {
  const { models, secondSuite } = report;
  const rows = models.map(({ name, accuracy, errors }, i): readonly [string, Cells] => [
    name,
    {
      name,
      exact: percent(accuracy.exact?.all),
      spider: percent(accuracy['exact-spider']?.all),
      execution: percent(accuracy.execution?.all),
      suite: percent(accuracy.suite?.all),
      falsePositives: percent(errors.execution?.all?.falsePositiveRate),
      falseNegatives: percent(errors.exact?.all?.falseNegativeRate),
      before: percent(secondSuite?.models[i]?.accuracy.suite?.all),
      onlyNow: secondSuite?.changes[i]?.onlyHere.length ?? null,
      onlyBefore: secondSuite?.changes[i]?.onlyThere.length ?? null,
    },
  ]);
  return {
    id: 'paper-models',
    title: 'Published models by each metric',
    about: `${aboutOf(report)} Accuracy in percent; false positives of execution and false negatives of exact match in percent of all pairs.`,
    columns: {
      name: { head: 'model' },
      exact: { head: 'exact', decimals: 1 },
      spider: { head: 'Spider’s script', decimals: 1 },
      execution: { head: 'execution', decimals: 1 },
      suite: { head: 'suite', decimals: 1 },
      falsePositives: { head: 'execution: false positives', decimals: 1 },
      falseNegatives: { head: 'exact: false negatives', decimals: 1 },
      before: { head: 'suite as it was', decimals: 1 },
      onlyNow: { head: 'correct only on the suite' },
      onlyBefore: { head: 'only on it as it was' },
    },
    rows: Object.fromEntries(rows),
  };
}

function aboutOf({ models, pairs, evaluation, secondSuite }: CorrelationReport): string {
  const suites = [evaluation?.suite, secondSuite?.suite].flatMap((suite) =>
    suite === undefined ? [] : [`${suite.databases} databases`],
  );
  const compared = suites.length === 2 ? `, as it was: ${suites[1] ?? ''}` : '';
  return `${models.length} models on ${pairs.all ?? 0} pairs, by the conventions of the paper (mode ${evaluation?.modes.suite ?? ''}), against a suite of ${suites[0] ?? ''}${compared}.`;
}

/**
 * Prints Tables 1 to 3 of Test-suite accuracy over the models whose predictions are in a folder, next to the paper's,
 * against a suite and against another one. It runs the build in `dist/`.
 * @throws ConfigError where the project is not built; InputFormatError where a file is absent or wrong
 */
export async function comparePaperTables(root: string, files: PaperTableFiles, output: BenchOutput): Promise<void> {
  const { predictions, suite, compareSuite = null, ...data } = files;
  const progress = (task: string, done: number, total: number): void => {
    if (done === total) output.tell(`${task}: ${total}`);
  };
  const options = { ...data, ...CONVENTIONS, timeoutMs: TIMEOUT_MS, suite, compareSuite };
  const built = await importBuilt<typeof import('../../src/evaluate/evaluate.js')>(root, 'evaluate/evaluate.js');
  const report = await correlatePredictions({ ...options, predictions }, { ...NOOP_HOST, progress }, built.judgeModels);
  for (const line of renderCorrelationLines(report)) output.print(line);
  for (const table of [errorTable(report), tauTable(report), modelTable(report)]) output.record(table);
}

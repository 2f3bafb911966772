import { PATH_DEFAULTS } from '../formats/dataset.js';
import type { DatasetFormat } from '../formats/dataset-formats.js';
import type { ShardOption } from '../run/shard.js';
import type { ResultMode } from '../sql/execution/result-mode.js';
import type { CompatName } from './compat.js';
import { METRIC_NAMES, type MetricName } from './metrics.js';

/** The inputs of `evaluate` and its ways to judge; files by path. Which of them are needed is up to the metrics. */
export interface EvaluateOptions extends ShardOption {
  /** Default: exact, execution where databases are given or made, suite where one is. */
  readonly metrics?: readonly MetricName[] | undefined;
  /** Gold queries (`readGoldQueries`) and predictions for them (`readPredictions`). */
  readonly gold?: string | null | undefined;
  readonly predictions?: string | null | undefined;
  /** Further gold queries of questions (`readAlternativeGolds`): what equals any of them is correct. */
  readonly alternativeGolds?: string | null | undefined;
  /** Predictions of a second model, to compare with. */
  readonly compare?: string | null | undefined;
  /** Format of `tables`, `examples` and `databases`. */
  readonly dataset?: DatasetFormat | undefined;
  /** Questions of a data set, whose gold is taken where `gold` is not given. */
  readonly examples?: string | null | undefined;
  readonly connection?: string | null | undefined;
  readonly strict?: boolean | undefined;
  /** Schemas or tables as the format has them: Spider's tables.json. */
  readonly tables?: string | null | undefined;
  /** Folder of `<db_id>/<db_id>.sqlite`. */
  readonly databases?: string | null | undefined;
  /** True if schemas that have no rows get synthetic databases (`withSyntheticDatabases`). */
  readonly syntheticDatabases?: boolean | undefined;
  readonly links?: string | null | undefined;
  readonly predictedLinks?: string | null | undefined;
  /** Published evaluators whose rules count: `spider` for exact match, `test-suite` or `bird` for results. */
  readonly compat?: readonly CompatName[] | undefined;
  /** True if correct queries are timed against the gold for BIRD's R-VES. */
  readonly rVes?: boolean | undefined;
  readonly mode?: ResultMode | undefined;
  readonly floatTolerance?: number | null | undefined;
  readonly plugValues?: boolean | undefined;
  /** True if DISTINCT is removed from gold and predictions before they are executed. */
  readonly dropDistinct?: boolean | undefined;
  /** Folder of a distilled suite (`openSuite`). */
  readonly suite?: string | null | undefined;
  /** True if gold that is not correct against itself only counts as not correct. */
  readonly allowBadGold?: boolean | undefined;
  /** Folder that gets report.json, and from which an evaluation that was stopped goes on. */
  readonly out?: string | null | undefined;
  /** File that gets the verdict of each pair as JSON lines (`VerdictLines`). */
  readonly verdicts?: string | null | undefined;
  /** File that gets the verdict of each pair as JUnit XML (`renderEvaluationJUnit`). */
  readonly junit?: string | null | undefined;
  /** File that gets the scores and what is wrong by the suite as a page. */
  readonly report?: string | null | undefined;
  /** Id of a pair that is to be told in full, or its position from 0. */
  readonly explain?: string | null | undefined;
  /** Of the bootstrap. */
  readonly seed?: number | undefined;
  /** Longest time of one query in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Queries side by side; left out: the number of cores. */
  readonly jobs?: number | undefined;
}

export const EVALUATE_DEFAULTS = {
  dataset: PATH_DEFAULTS.dataset,
  examples: null,
  connection: null,
  strict: false,
  gold: null,
  predictions: null,
  compare: null,
  tables: null,
  databases: null,
  syntheticDatabases: false,
  links: null,
  predictedLinks: null,
  alternativeGolds: null,
  compat: [],
  rVes: false,
  mode: 'ordered',
  floatTolerance: null,
  plugValues: false,
  dropDistinct: false,
  suite: null,
  allowBadGold: false,
  out: null,
  shard: null,
  verdicts: null,
  junit: null,
  report: null,
  explain: null,
  seed: 0,
  timeoutMs: 30_000,
} as const satisfies EvaluateOptions;

/** Options of which none is left open. */
export type Evaluation = {
  readonly [K in keyof EvaluateOptions]-?: K extends 'jobs'
    ? EvaluateOptions[K]
    : Exclude<EvaluateOptions[K], undefined>;
};

/** The metrics asked for in their own order; without any, those that the inputs allow. */
export function metricsOf({ metrics, databases, syntheticDatabases, suite }: EvaluateOptions): readonly MetricName[] {
  const isAllowed: Partial<Record<MetricName, boolean>> = {
    exact: true,
    execution: databases != null || syntheticDatabases === true,
    suite: suite != null,
  };
  return METRIC_NAMES.filter((name) => metrics?.includes(name) ?? isAllowed[name] === true);
}

/** Options whose values are files that are read. */
export const EVALUATE_FILES = [
  'gold',
  'alternativeGolds',
  'predictions',
  'compare',
  'tables',
  'examples',
  'links',
  'predictedLinks',
] as const;

/** Fills in the default for each option that was left out or is undefined. */
export function withEvaluateDefaults(options: EvaluateOptions): Evaluation {
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<Evaluation>;
  return { ...EVALUATE_DEFAULTS, jobs: undefined, ...given, metrics: metricsOf(options) };
}

import type { ByHardness } from './exact/hardness.js';
import type { LinkingSummary } from './linking/schema-linking.js';
import type { SetScores } from './linking/set-scores.js';
import type { MetricName } from './metric-names.js';
import type { Interval } from '../report/statistics/bootstrap.js';
import type { ExactLevelSummary, ExactSummary } from './summary/exact-summary.js';
import type { InteractionSummary, OutcomeSummary } from './summary/outcome-summary.js';
import type { ErrorRates, RivalMetric } from './summary/error-rates.js';
import type { SuiteIdentity } from './suite/suite-match.js';
import type { PairedComparison } from './summary/paired-comparison.js';
import type { PairVerdicts } from './verdict-lines.js';

/** The pairs of one hardness, with the interval of their accuracy. */
export interface LevelScores extends OutcomeSummary {
  readonly interval: Interval | null;
}

/** What every metric over pairs says of one model's predictions. */
export interface PairScores extends OutcomeSummary {
  /** Bootstrap interval of the accuracy; turns of an interaction are drawn together. */
  readonly interval: Interval | null;
  readonly hardness: ByHardness<LevelScores>;
  /** Null where the gold has no interactions. */
  readonly interactions: InteractionSummary | null;
}

/** A second model on the same gold. */
export interface Compared<S> {
  /** Scores of the predictions that are compared with. */
  readonly other: S;
  /** The first are the predictions, the second those that they are compared with. */
  readonly comparison: PairedComparison;
}

export type ExactScores = PairScores &
  Pick<ExactSummary, 'published' | 'differences'> & {
    readonly hardness: ByHardness<LevelScores & Partial<ExactLevelSummary>>;
    readonly components: ExactLevelSummary['components'];
  };

export interface ExecutionScores extends PairScores {
  /** Pairs whose gold has no rows, and how many of them are correct: there, any empty result is. */
  readonly emptyGold: { readonly pairs: number; readonly correct: number };
  /** Pairs of which not all ways to plug values were tried. */
  readonly cut: number;
  /** Wrong ones of which it could not be told in time whether the results are equal. */
  readonly undecided: number;
  /** What BIRD's evaluator says next to the accuracy, in mode `bird`. */
  readonly bird?: {
    /** Mean over all pairs, from 0 to 1. */
    readonly softF1: number;
    /** Where queries were timed: the mean of the rewards' roots, up to 1.118. No two runs give the same. */
    readonly rVes?: { readonly value: number; readonly reproducible: false };
  };
}

export interface SuiteScores extends PairScores {
  /** Pairs whose gold the suite was not distilled for: they are judged on all databases of their schema. */
  readonly notDistilled: number;
  /** Pairs whose gold has no result on some of its databases within the limits: these are left out. */
  readonly withoutGold: number;
  /** As in `ExecutionScores`. */
  readonly cut: number;
  readonly undecided: number;
  /** Ids of the pairs whose results differ on the suite. */
  readonly wrong: readonly string[];
  /** Of the other metrics that were asked for: how often they say otherwise than the suite. */
  readonly errors: Readonly<Partial<Record<RivalMetric, ErrorRates>>>;
}

export interface ColumnsScores extends PairScores {
  readonly columns: SetScores;
  readonly tables: SetScores;
}

/** A metric's section: its mode with version, the scores, and those of a second model. */
type Section<S> = { readonly mode: string } & S & Partial<Compared<S>>;

/** What results were computed on. */
export interface DatabaseHashes {
  /** Of all: of the lines `id sha256` in order. */
  readonly sha256: string;
  readonly byId: Readonly<Record<string, string>>;
}

/** What `perturbql evaluate` found: plain JSON without times, one key per metric. */
export interface EvaluationReport {
  readonly seed: number;
  readonly gold: { readonly file: string; readonly queries: number; readonly interactions: number | null } | null;
  readonly predictions: { readonly file: string; readonly comparedWith: string | null } | null;
  /** Gold queries that a metric does not find correct against themselves; they count as not correct. */
  /** What the reader of the data set found, such as records that it left out; absent where there is nothing. */
  readonly notes?: readonly string[];
  readonly badGold: readonly BadGold[];
  readonly exact?: Section<ExactScores>;
  readonly execution?: Section<ExecutionScores> & {
    readonly databases: DatabaseHashes;
    readonly timeoutSeconds: number;
  };
  readonly suite?: Section<SuiteScores> & { readonly suite: SuiteIdentity };
  readonly columns?: Section<ColumnsScores>;
  readonly linking?: LinkingSummary;
  /** The pair that was asked to be explained. */
  readonly explained?: PairVerdicts;
}

/** A gold query that fails against itself. */
export interface BadGold {
  readonly metric: Exclude<MetricName, 'linking'>;
  readonly id: string;
  readonly line: number | null;
  readonly dbId: string;
  readonly reason: string;
}

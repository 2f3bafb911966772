import type { Hardness } from '../../src/evaluate/exact/hardness.js';
import type { SuiteIdentity } from '../../src/evaluate/suite/suite-match.js';
import type { ErrorRate } from '../../src/evaluate/summary/accuracy.js';
import type { JudgedMetric, SurfaceMetric } from './verdict-files.js';

/** All pairs, those of one hardness, or those whose hardness can't be told. */
export const LEVELS = ['all', 'easy', 'medium', 'hard', 'extra', 'unknown'] as const satisfies readonly (
  Hardness | 'all' | 'unknown'
)[];
export type Level = (typeof LEVELS)[number];

/** A value per level that has pairs. */
export type ByLevel<T> = Readonly<Partial<Record<Level, T>>>;
type ByMetric<M extends JudgedMetric, T> = Readonly<Partial<Record<M, ByLevel<T>>>>;

export interface CorrelatedModel {
  readonly name: string;
  readonly file: string;
  /** Share of correct pairs, 0 to 1; a metric that the file lacks is not there. */
  readonly accuracy: ByMetric<JudgedMetric, number>;
  /** Against the suite; not there for a model that has no suite verdicts. */
  readonly errors: ByMetric<SurfaceMetric, ErrorRate>;
}

/** Values of several models; `std` is the sample's (n − 1), null for one model. */
export interface Spread {
  readonly mean: number;
  readonly std: number | null;
  readonly max: number;
}

/** How often a metric errs, over models. */
export interface ErrorSpread {
  readonly models: number;
  readonly falsePositives: Spread;
  readonly falseNegatives: Spread;
}

/** How far a metric ranks models as the suite does. */
export interface Correlation {
  readonly models: number;
  /** Kendall's tau-b; null with the reason in `why`. */
  readonly tau: number | null;
  /** Pairs of models that both metrics put in one order, and in opposite orders. */
  readonly concordant: number;
  readonly discordant: number;
  readonly why: string | null;
}

/** How predictions were judged where they were given instead of verdicts. */
interface CorrelationEvaluation {
  /** The file of the gold queries. */
  readonly gold: string;
  /** Of each metric, its mode with version. */
  readonly modes: Readonly<Partial<Record<JudgedMetric, string>>>;
  readonly suite: SuiteIdentity;
}

/** Pairs of a model on which two suites disagree, by their ids. */
export interface VerdictChanges {
  readonly name: string;
  /** Correct by the suite, wrong by the second one. */
  readonly onlyHere: readonly string[];
  /** Wrong by the suite, correct by the second one. */
  readonly onlyThere: readonly string[];
}

/** The same figures with another suite as the truth. */
export interface SecondSuite extends Pick<CorrelationReport, 'models' | 'errors' | 'correlations'> {
  readonly suite: SuiteIdentity;
  /** Model by model. */
  readonly changes: readonly VerdictChanges[];
}

/** What `perturbql correlate` found: plain JSON without times. */
export interface CorrelationReport {
  readonly format: 'perturbql-correlation';
  readonly version: 1;
  /** Not there where the verdicts were read from files. */
  readonly evaluation?: CorrelationEvaluation;
  readonly pairs: ByLevel<number>;
  readonly models: readonly CorrelatedModel[];
  /** Tables 1 and 2 of the paper. */
  readonly errors: ByMetric<SurfaceMetric, ErrorSpread>;
  /** Table 3 of the paper. */
  readonly correlations: ByMetric<SurfaceMetric, Correlation>;
  readonly secondSuite?: SecondSuite;
  readonly warnings: readonly string[];
}

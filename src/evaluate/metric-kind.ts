import type { Interval } from '../report/statistics/bootstrap.js';
import type { QueryRunner } from '../sql/execution/query-runner.js';
import type { SqlDialect } from '../sql/dialect.js';
import type { ExactCompat, ExecutionRules } from './compat.js';
import type { ExactMatch } from './exact/exact-match.js';
import { type ByHardness, type Hardness, ofLevels } from './exact/hardness.js';
import type { EvaluationPair, Metric, Verdict } from './metric.js';
import {
  accuracyInterval,
  type InteractionSummary,
  type OutcomeSummary,
  type PairedComparison,
  summarizeInteractions,
  summarizeOutcomes,
} from './summary/accuracy.js';
import type { Rng } from '../stage.js';
import { ConfigError } from '../errors.js';

/** The path that an option gives; `instead` is what may be given in its place. @throws ConfigError where it is not given */
export function requiredPath(path: string | null, flag: string, metrics: readonly string[], instead?: string): string {
  if (path !== null) return path;
  throw new ConfigError(`option --${flag} is missing`, {
    fix: `Give --${flag}: ${metrics.join(', ')} ${metrics.length === 1 ? 'needs' : 'need'} it${instead === undefined ? '' : `; ${instead}`}.`,
  });
}

/** Pairs with what a metric said of them, in the same order. */
export interface Judged<V extends Verdict> {
  readonly pairs: readonly EvaluationPair[];
  readonly verdicts: readonly V[];
  /** Of the gold; null where that can't be told. */
  readonly hardness: readonly (Hardness | null)[];
  /** Of the bootstrap. */
  readonly rng: Rng;
}

/** The pairs of one hardness, with the interval of their accuracy. */
export interface LevelScores extends OutcomeSummary {
  readonly interval: Interval | null;
}

/** The scores of one model's predictions by any metric over pairs. */
export interface PairScores extends OutcomeSummary {
  /** Bootstrap interval of the accuracy; turns of an interaction are drawn together. */
  readonly interval: Interval | null;
  readonly hardness: ByHardness<LevelScores>;
  /** Ids of the pairs whose outcome is `wrong`. */
  readonly wrong: readonly string[];
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

/** A metric's section: its mode with version, the scores, and those of a second model. */
export type Section<S> = { readonly mode: string } & S & Partial<Compared<S>>;

/** The inputs that a metric judges with. */
export interface MetricInputs {
  /** Of the first model. */
  readonly pairs: readonly EvaluationPair[];
  readonly dialect: SqlDialect;
  /** Where the database of an id is. */
  databaseFile(this: void, dbId: string): string;
  readonly runner: QueryRunner;
  /** How queries are executed and results compared. */
  readonly rules: ExecutionRules;
  readonly timeoutMs: number;
  readonly rVes: boolean;
  readonly jobs: number | undefined;
  /** Folder of a distilled suite. */
  readonly suite: string | null;
  /** Pairs that are to be told in full where they are wrong. */
  explains(this: void, pair: EvaluationPair): boolean;
  /** Exact match under the rules that were chosen, which also tells how hard a gold is. */
  readonly exact: ExactMatch;
  readonly compat: ExactCompat | null;
}

/** The verdicts of other metrics on the same pairs, as far as they came before. */
export type EarlierVerdicts = Readonly<Record<string, readonly Verdict[] | undefined>>;

/** A metric that can judge. */
export interface OpenedMetric<V extends Verdict, S extends PairScores, I extends object> {
  readonly metric: Metric<V>;
  /** How it judges, by name, with its version. */
  readonly mode: string;
  /** The beginning of its section: the data it judges on. */
  inputs?(this: void): I | Promise<I>;
  scores(this: void, judged: Judged<V>, earlier: EarlierVerdicts): S;
  close?(this: void): Promise<void>;
}

/** A metric over pairs of queries, its file: what it holds, how it judges, what is printed of it. */
export interface PairMetricKind<
  V extends Verdict = Verdict,
  S extends PairScores = PairScores,
  I extends object = object,
  F extends object = object,
> {
  /** As a heading of printed lines. */
  readonly heading: string;
  /**
   * True if gold is judged against itself before the predictions are; false where each prediction's verdict says that
   * the gold has no answer.
   */
  readonly checksGold: boolean;
  /** @throws ConfigError where an option is missing that it needs */
  open(this: void, world: MetricInputs): OpenedMetric<V, S, I>;
  /** The fields of verdict files for a pair beyond those of every metric. */
  fieldsOf?(this: void, verdict: V): F;
  /** The additional lines printed with `--verbose`. */
  details?(this: void, section: I & Section<S>): readonly string[];
  /** The lines printed between the table of outcomes and the comparison with a second model. */
  lines?(this: void, section: I & Section<S>): readonly string[];
  /** Its section and fields as types alone, never set. */
  readonly section?: I & Section<S>;
  readonly fields?: F;
}

/** A kind with the types of its section and fields. */
export function pairMetricKind<
  V extends Verdict,
  S extends PairScores,
  I extends object = object,
  F extends object = object,
>(kind: PairMetricKind<V, S, I, F>): PairMetricKind<V, S, I, F> {
  return kind;
}

function byHardness({ pairs, verdicts, hardness, rng }: Judged<Verdict>): ByHardness<LevelScores> {
  const of = (level: Hardness | null): LevelScores => {
    const isMeant = (_: unknown, i: number): boolean => hardness[i] === level;
    const some = verdicts.filter(isMeant);
    return { ...summarizeOutcomes(some), interval: accuracyInterval(pairs.filter(isMeant), some, rng) };
  };
  return { ...ofLevels(of), ...(hardness.includes(null) && { unknown: of(null) }) };
}

/** The scores that every metric over pairs has. */
export function pairScores(judged: Judged<Verdict>): PairScores {
  const { pairs, verdicts, rng } = judged;
  return {
    ...summarizeOutcomes(verdicts),
    interval: accuracyInterval(pairs, verdicts, rng),
    hardness: byHardness(judged),
    wrong: verdicts.filter(({ outcome }) => outcome === 'wrong').map(({ id }) => id),
    interactions: summarizeInteractions(pairs, verdicts),
  };
}

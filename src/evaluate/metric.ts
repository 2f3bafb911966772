import type { Database } from '../schema/schema.js';
import type { Stage, StageContext } from '../stage.js';

/** A gold query and a prediction for it, as every metric gets them. */
export interface EvaluationPair {
  /** Its own within a run. */
  readonly id: string;
  /** The interaction it is a turn of; its own id where it is none. */
  readonly group: string;
  readonly database: Database;
  readonly gold: string;
  /** As the model gave it; may be empty. */
  readonly predicted: string;
}

/**
 * The outcomes of a prediction, each in a column of its own: `empty` is a prediction without text, `unparsable` is no
 * SQL that the metric can read, `failing` is refused by the database or would be, as it has a name that the schema
 * lacks, `too-large` has a result beyond the limits, `refused` is not executed since it is no single statement that
 * reads. `bad-gold`: the gold query itself has no answer.
 */
export const OUTCOMES = [
  'correct',
  'wrong',
  'unparsable',
  'failing',
  'timed-out',
  'too-large',
  'empty',
  'refused',
  'bad-gold',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A metric's verdict on one pair. Only `correct` counts for accuracy. */
export interface Verdict {
  /** Of the pair. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Why, where the outcome does not say it all. */
  readonly reason?: string;
  /** The query that decided, where it is the prediction with values of the gold plugged in (`plugValues`). */
  readonly plugged?: string;
  /** By execution as BIRD's evaluator does it, where both queries have a result: from 0 to 1. */
  readonly softF1?: number;
}

/** A way to score predictions against gold; `id` is its key in reports, `fingerprint` names its mode and version. */
export interface Metric<V extends Verdict = Verdict> extends Stage {
  /** One verdict per pair, in their order; a pair's verdict does not depend on the others. */
  judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly V[]>;
}

/**
 * Gold queries that their own metric does not count as correct against themselves: empty, or the run should not go on.
 */
export async function checkGold<V extends Verdict>(
  metric: Metric<V>,
  pairs: readonly EvaluationPair[],
  context: StageContext,
): Promise<readonly V[]> {
  const verdicts = await metric.judge(
    pairs.map((pair) => ({ ...pair, predicted: pair.gold })),
    context,
  );
  return verdicts.filter(({ outcome }) => outcome !== 'correct');
}

/**
 * The verdict that says most for a prediction: the first that is correct, else the first; the highest Soft F1 of all.
 */
export function bestVerdict<V extends Verdict>(first: V, further: readonly V[]): V {
  const all = [first, ...further];
  const best = all.find(({ outcome }) => outcome === 'correct') ?? first;
  const scores = all.flatMap(({ softF1 }) => softF1 ?? []);
  return scores.length === 0 ? best : { ...best, softF1: Math.max(...scores) };
}

/** Metrics of answers as headings. */
export const METRIC_TITLES = { exact: 'Exact match', execution: 'Execution accuracy' } as const;

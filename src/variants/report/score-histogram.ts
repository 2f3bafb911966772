import { type Bucket, BUCKETS, type CandidateDecision } from '../../formats/artifacts/candidates.js';
import { sourceTraits } from '../../stage.js';

/** Bins of every histogram: 0.05 wide over [0, 1]. */
const BINS = 20;

/** How one score is spread, per bucket; a bin holds its lower edge, the last one also 1. */
export interface ScoreHistogram {
  readonly from: 0;
  readonly to: 1;
  readonly bins: Readonly<Record<Bucket, readonly number[]>>;
  /** Values below `from`, which only a cosine takes. */
  readonly below: Readonly<Record<Bucket, number>>;
}

export interface ScoreHistograms {
  /** Forward entailment. */
  readonly e1: ScoreHistogram;
  /** Backward entailment, where it was scored. */
  readonly e2: ScoreHistogram;
  /** min(e1, e2), which the RPL threshold decides on (ADVETA §4.4). */
  readonly lower: ScoreHistogram;
  /** max(e1, e2), which the ADD threshold decides on; without those of sources of replacements, as a dictionary's words are (§4.3). */
  readonly upper: ScoreHistogram;
  /** Cosine of the word vectors. */
  readonly similarity: ScoreHistogram;
}

export type ScoreName = keyof ScoreHistograms;

/** The scores of one decision; where e2 was not needed, e1 decided alone and stands for both. */
function scoresOf(decision: CandidateDecision): Readonly<Record<ScoreName, number | null>> {
  const { e1, e2, similarity } = decision;
  const known = [e1, e2].filter((score) => score !== null);
  const judged = known.length > 0;
  return {
    e1,
    e2,
    lower: judged ? Math.min(...known) : null,
    upper: judged && sourceTraits(decision.source).bucket !== 'RPL' ? Math.max(...known) : null,
    similarity,
  };
}

interface OpenHistogram extends ScoreHistogram {
  readonly bins: Readonly<Record<Bucket, number[]>>;
  readonly below: Record<Bucket, number>;
}

function emptyHistogram(): OpenHistogram {
  const bins = (): number[] => new Array<number>(BINS).fill(0);
  return {
    from: 0,
    to: 1,
    bins: { RPL: bins(), ADD: bins(), rejected: bins() },
    below: { RPL: 0, ADD: 0, rejected: 0 },
  };
}

/** Collects the histograms of a run in one pass. */
export class ScoreHistogramBuilder {
  readonly #histograms = {
    e1: emptyHistogram(),
    e2: emptyHistogram(),
    lower: emptyHistogram(),
    upper: emptyHistogram(),
    similarity: emptyHistogram(),
  } satisfies ScoreHistograms;

  add(decision: CandidateDecision): void {
    const { bucket } = decision;
    for (const [name, score] of Object.entries(scoresOf(decision)) as [ScoreName, number | null][]) {
      if (score === null) continue;
      const { bins, below } = this.#histograms[name];
      if (score < 0) below[bucket]++;
      // The small term keeps 0.15 = 3 × 0.05 in its own bin despite binary fractions.
      else bins[bucket][Math.min(BINS - 1, Math.floor(score * BINS + 1e-9))]!++;
    }
  }

  result(): ScoreHistograms {
    return this.#histograms;
  }
}

/** Number of values in a histogram. */
export function histogramTotal(histogram: ScoreHistogram): number {
  return BUCKETS.flatMap((name) => [histogram.below[name], ...histogram.bins[name]]).reduce((sum, n) => sum + n, 0);
}

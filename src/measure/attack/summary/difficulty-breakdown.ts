import { difficultyOf, roundDifficulty } from '../../../variants/relations/names/candidate-difficulty.js';
import type { ColumnChange } from '../../../variants/relations/names/draw-perturbation.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { ATTACK_METRICS, type AttackMetric } from '../attack-metrics.js';
import type { DifficultyBreakdown } from '../attack-report.js';
import { scoredBy, type ScoredExample } from './scored-example.js';
import { pointOf } from '../../judged-answer.js';

/** Parts of about as many cases each. */
const PARTS = 3;

/** An example on perturbed tables: how hard they are, and whether the answers before and there are right. */
interface RatedCase {
  readonly difficulty: number;
  readonly before: number;
  readonly after: number;
}

function meanDifficulty(kind: DifficultyBreakdown['kind'], changes: readonly ColumnChange[]): number {
  return roundDifficulty(meanOf(changes.map(({ decision }) => difficultyOf(decision, kind))));
}

function ratedCases(
  examples: readonly ScoredExample[],
  metric: AttackMetric,
  kind: DifficultyBreakdown['kind'],
): readonly RatedCase[] {
  return examples.flatMap(({ variants }) =>
    variants
      .filter((variant) => variant.kind === kind && variant.tables.changes.length > 0)
      .map((variant) => ({
        difficulty: meanDifficulty(kind, variant.tables.changes),
        before: pointOf(variant.before, metric),
        after: pointOf(variant.after, metric),
      })),
  );
}

/** Cases in parts from easy to hard; those that are equally hard stay together, so parts may be fewer. */
function partsOf(cases: readonly RatedCase[]): readonly (readonly RatedCase[])[] {
  const sorted = cases.map(({ difficulty }) => difficulty).sort((a, b) => a - b);
  const ends = Array.from({ length: PARTS }, (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / PARTS) - 1] ?? 0);
  return ends
    .map((end, i) => cases.filter(({ difficulty }) => difficulty <= end && (i === 0 || difficulty > ends[i - 1]!)))
    .filter((part) => part.length > 0);
}

/**
 * Accuracy by how hard the candidates of a perturbation are in the mean, for each metric and kind in parts of about as
 * many cases, from easy to hard. Examples whose tables stayed as they are count nowhere.
 */
export function breakDownByDifficulty(examples: readonly ScoredExample[]): readonly DifficultyBreakdown[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const scored = scoredBy(examples, metric);
    return (['RPL', 'ADD'] as const).flatMap((kind) =>
      partsOf(ratedCases(scored, metric, kind)).map((part): DifficultyBreakdown => {
        const difficulties = part.map(({ difficulty }) => difficulty);
        return {
          metric,
          kind,
          from: Math.min(...difficulties),
          to: Math.max(...difficulties),
          cases: part.length,
          accuracy: {
            original: meanOf(part.map(({ before }) => before)),
            RPL: null,
            ADD: null,
            [kind]: meanOf(part.map(({ after }) => after)),
          },
        };
      }),
    );
  });
}

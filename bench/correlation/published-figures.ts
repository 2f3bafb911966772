import type { Hardness } from '../../src/evaluate/exact/hardness.js';
import type { SurfaceMetric } from './verdict-files.js';

/** All pairs, or those of one hardness. */
export type PublishedLevel = Hardness | 'all';

interface PublishedSpread {
  readonly mean: number;
  readonly std: number;
  readonly max: number;
}

type ByLevel<T> = Readonly<Record<PublishedLevel, T>>;

/** Error rates by level, over the paper's models. */
export type PublishedErrors = ByLevel<PublishedSpread>;

/** A rank correlation of the paper under its name there. */
export interface PublishedTau {
  readonly name: 'Adapted' | 'Official' | 'Single Denot.';
  readonly tau: ByLevel<number>;
}

const spread = (mean: number, std: number, max: number): PublishedSpread => ({ mean, std, max });

/** Of 21 submissions on Spider's development set: false positives (test-suite accuracy Tables 1 and 2). */
export const PUBLISHED_FALSE_POSITIVES: Readonly<Partial<Record<SurfaceMetric, PublishedErrors>>> = {
  exact: {
    easy: spread(0.005, 0.005, 0.02),
    medium: spread(0.002, 0.003, 0.007),
    hard: spread(0.005, 0.012, 0.04),
    extra: spread(0.017, 0.018, 0.053),
    all: spread(0.005, 0.01, 0.02),
  },
  execution: {
    easy: spread(0.036, 0.012, 0.06),
    medium: spread(0.059, 0.009, 0.082),
    hard: spread(0.08, 0.015, 0.103),
    extra: spread(0.11, 0.035, 0.176),
    all: spread(0.065, 0.01, 0.09),
  },
};

/** Of the same: false negatives (Table 1). */
export const PUBLISHED_FALSE_NEGATIVES: Readonly<Partial<Record<SurfaceMetric, PublishedErrors>>> = {
  exact: {
    easy: spread(0.022, 0.013, 0.072),
    medium: spread(0.019, 0.019, 0.08),
    hard: spread(0.044, 0.038, 0.121),
    extra: spread(0.032, 0.016, 0.082),
    all: spread(0.026, 0.017, 0.081),
  },
};

const ADAPTED: PublishedTau = { name: 'Adapted', tau: { easy: 0.91, medium: 0.9, hard: 0.75, extra: 0.91, all: 0.91 } };
const OFFICIAL: PublishedTau = {
  name: 'Official',
  tau: { easy: 0.86, medium: 0.37, hard: 0.28, extra: 0.2, all: 0.4 },
};

/**
 * Kendall's τ with test-suite accuracy over the same submissions (Table 3). "Adapted" checks joins, as our exact match
 * does; "Official" is Spider's script, `--compat spider` here.
 */
const PUBLISHED_TAU: Readonly<Record<SurfaceMetric, readonly PublishedTau[]>> = {
  exact: [ADAPTED, OFFICIAL],
  'exact-spider': [OFFICIAL],
  execution: [{ name: 'Single Denot.', tau: { easy: 0.9, medium: 0.96, hard: 0.94, extra: 0.82, all: 0.98 } }],
  columns: [],
};

/** The paper's τ of a metric; "Official" is next to our exact match only where Spider's script is not a row of its own. */
export function publishedTauOf(metric: SurfaceMetric, metrics: readonly SurfaceMetric[]): readonly PublishedTau[] {
  const isElsewhere = metric === 'exact' && metrics.includes('exact-spider');
  return PUBLISHED_TAU[metric].filter((published) => !(isElsewhere && published === OFFICIAL));
}

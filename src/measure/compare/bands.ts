import { sampleDeviation } from '../../report/statistics/sample-deviation.js';

/** How a model stands among others (MT-TEQL §5.4, Formula 1). */
type Band = 'good' | 'neutral' | 'bad';

/** Models from which a band says something. */
export const FEWEST_MODELS = 3;
/** Standard deviations around the average that are neutral (Formula 1). */
const WIDTH = 0.5;

export interface Banded {
  /** One value per model; null where it was not measured. */
  readonly values: readonly (number | null)[];
  readonly average: number | null;
  /** Sample standard deviation (n − 1); null of fewer than two values. */
  readonly std: number | null;
  /** Null where there is no value, or too few of them. */
  readonly bands: readonly (Band | null)[];
}

/**
 * Bands of values around their average: neutral within half a standard deviation, its ends included; `better` says which
 * side is good. The paper says "standard error" and means deviations; ours is the sample's.
 */
export function bandsOf(values: readonly (number | null)[], better: 'less' | 'more'): Banded {
  const known = values.filter((value) => value !== null);
  const average = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  const std = average === null ? null : sampleDeviation(known);
  if (average === null || std === null || known.length < FEWEST_MODELS) {
    return { values, average, std, bands: values.map(() => null) };
  }
  const bandOf = (value: number): Band => {
    if (Math.abs(value - average) <= WIDTH * std) return 'neutral';
    return value < average === (better === 'less') ? 'good' : 'bad';
  };
  return { values, average, std, bands: values.map((value) => (value === null ? null : bandOf(value))) };
}

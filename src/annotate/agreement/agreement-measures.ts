import { itemAt, mustGet } from '../../present.js';

/**
 * Agreement as sums over units, so that units can be resampled: each measure turns the ratings of a unit, as numbers of
 * raters per category, into a vector of figures that add up, and a sum of such vectors into its value. NaN where it is
 * not defined: nothing rated twice, or all ratings of one category, where chance alone would agree as well.
 */
export interface AgreementMeasure {
  readonly vectorOf: (counts: readonly number[]) => readonly number[];
  readonly valueOf: (sum: readonly number[]) => number;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Share of agreeing pairs of raters, of all pairs that rated the same unit. */
export const OBSERVED_AGREEMENT: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    return [total(counts.map((count) => count * (count - 1))), n * (n - 1)];
  },
  valueOf: ([agreeing, pairs]) => mustGet(agreeing, 'agreeing') / mustGet(pairs, 'pairs'),
};

/**
 * Fleiss' kappa: Fleiss, J. L. (1971), "Measuring nominal scale agreement among many raters", Psychological Bulletin
 * 76(5), 378-382, eqs. 2-7. Every unit must have the same number of raters.
 */
export const FLEISS_KAPPA: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    return [total(counts.map((count) => count * (count - 1))) / (n * (n - 1)), 1, ...counts];
  },
  valueOf: ([agreement, units, ...counts]) => {
    const ratings = total(counts);
    const expected = total(counts.map((count) => (count / ratings) ** 2));
    return (mustGet(agreement, 'agreement') / mustGet(units, 'units') - expected) / (1 - expected);
  },
};

/**
 * Krippendorff's alpha for nominal data, with any number of raters per unit: Krippendorff, K. (2011), "Computing
 * Krippendorff's Alpha-Reliability", section C. A unit with one rating says nothing and counts nothing.
 */
export const KRIPPENDORFF_ALPHA: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    if (n < 2) return [0, ...counts.map(() => 0)];
    return [total(counts.map((count) => count * (count - 1))) / (n - 1), ...counts];
  },
  valueOf: ([coinciding, ...counts]) => {
    const ratings = total(counts);
    const expected = total(counts.map((count) => count * (count - 1)));
    return ((ratings - 1) * mustGet(coinciding, 'coinciding') - expected) / (ratings * (ratings - 1) - expected);
  },
};

/**
 * Cohen's kappa of a table of two raters, row by row, rows the first rater's categories: Cohen, J. (1960), "A
 * coefficient of agreement for nominal scales", Educational and Psychological Measurement 20(1), 37-46, eq. 1. NaN where
 * both use one category alone, or there is nothing.
 */
export function cohenKappa(table: readonly number[]): number {
  const k = Math.sqrt(table.length);
  const all = total(table);
  const sumOf = (at: (i: number, j: number) => number, i: number): number =>
    total(Array.from({ length: k }, (_, j) => itemAt(table, at(i, j))));
  const categories = Array.from({ length: k }, (_, i) => i);
  const observed = total(categories.map((i) => itemAt(table, i * k + i))) / all;
  const expected =
    total(categories.map((i) => sumOf((a, b) => a * k + b, i) * sumOf((a, b) => b * k + a, i))) / (all * all);
  return (observed - expected) / (1 - expected);
}

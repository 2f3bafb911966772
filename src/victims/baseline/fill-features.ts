/** The features that a filled sketch is judged by; the score is the weighted sum. */
export type FillFeature =
  /** Likeness of the example's question, and the vote of all examples of its structure. */
  | 'similarity'
  | 'vote'
  /** Log odds of the structure's traits, given the question, by what they are about. */
  | 'traits-select'
  | 'traits-where'
  | 'traits-group'
  | 'traits-order'
  | 'traits-nested'
  | 'traits-tables'
  /** Link of a column whose slot is mentioned in the example, or is not. */
  | 'share-said'
  | 'whole-said'
  | 'missing-said'
  | 'share-unsaid'
  | 'whole-unsaid'
  | 'role'
  /** Of a column that the question does not name: its association, and what it is for. */
  | 'association'
  | 'silent-select'
  | 'silent-where'
  | 'silent-group'
  | 'silent-order'
  | 'type-differs'
  | 'name-said'
  | 'name-unsaid'
  | 'primary-differs'
  | 'foreign-differs'
  /** The table of a column is mentioned, at all or next to it. */
  | 'table-share'
  | 'table-beside'
  | 'cell'
  /** Pairs of slots: same table or not as in the example; order of mention. */
  | 'together-differs'
  | 'order-differs'
  /** Both said by the same words. */
  | 'mention-shared'
  | 'membership-unlinked'
  /** The whole query. */
  | 'tables-more'
  | 'tables-fewer'
  | 'uncovered-whole'
  | 'uncovered-part'
  | 'table-used'
  | 'table-unsaid'
  | 'table-missed'
  | 'extra-share'
  | 'value-missing'
  | 'value-unused';

type FillWeights = Readonly<Record<FillFeature, number>>;
export type FillFeatures = Partial<Record<FillFeature, number>>;

/**
 * Learned once by logistic regression over the filled sketches of 1,751 questions of Spider's train.json, each asked of
 * a parser fitted on other databases (five folds of databases). Spider's dev.json had no part in it.
 */
export const FILL_WEIGHTS: FillWeights = {
  similarity: 1.14,
  vote: 0.51,
  'traits-select': 0.48,
  'traits-where': 0.32,
  'traits-group': 0.29,
  'traits-order': 0.49,
  'traits-nested': 0.2,
  'traits-tables': 0.17,
  'share-said': -0.34,
  'whole-said': 1.83,
  'missing-said': -0.66,
  'share-unsaid': -1.22,
  'whole-unsaid': 1.95,
  role: 0.64,
  association: 0.26,
  'silent-select': -2.01,
  'silent-where': -1.6,
  'silent-group': -1.63,
  'silent-order': -2.09,
  'type-differs': -0.63,
  'name-said': 0.45,
  'name-unsaid': 2.03,
  'primary-differs': -1.11,
  'foreign-differs': -1.01,
  'table-share': 0.27,
  'table-beside': -0.44,
  cell: 4.05,
  'together-differs': -0.93,
  'order-differs': -0.21,
  'mention-shared': -0.65,
  'membership-unlinked': -9.65,
  'tables-more': 0.09,
  'tables-fewer': 0.2,
  'uncovered-whole': -2.13,
  'uncovered-part': -2.04,
  'table-used': -0.68,
  'table-unsaid': -2.14,
  'table-missed': -1.23,
  'extra-share': 0.02,
  'value-missing': -0.08,
  'value-unused': -2.1,
};

/** The weighted sum. */
export function scoreOf(features: FillFeatures): number {
  let score = 0;
  for (const name in features) score += FILL_WEIGHTS[name as FillFeature] * (features[name as FillFeature] ?? 0);
  return score;
}

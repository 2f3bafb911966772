/**
 * When two results are equal, whatever their columns are called. `bag`: the same rows, each as often; `set`: the same
 * rows; `ordered`: as `bag`, and in the same sequence where the reference query has an ORDER BY of its own (which is how
 * Spider's and BIRD's successors ask); `bag-any-column-order` and `ordered-any-column-order` allow the columns in
 * another order, as the public test-suite evaluator does.
 */
export const RESULT_MODES = ['bag', 'set', 'ordered', 'bag-any-column-order', 'ordered-any-column-order'] as const;
export type ResultMode = (typeof RESULT_MODES)[number];

/**
 * When published evaluators call two results equal, faults and all. `test-suite` (Zhong et al. 2020): as
 * `ordered-any-column-order`; `bird` (Li et al. 2023): as `set`. For both any two empty results are equal, however many
 * columns they have, and numbers count as Python compares them: 1 = 1.0, but 0.1 + 0.2 is not 0.3.
 */
export const PUBLISHED_MODES = ['test-suite', 'bird'] as const;
export type PublishedMode = (typeof PUBLISHED_MODES)[number];

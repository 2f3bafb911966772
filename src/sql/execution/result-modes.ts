/**
 * When two results are equal, whatever their columns are called. `bag`: the same rows, each as often; `set`: the same
 * rows; `ordered`: as `bag`, and in the same sequence where the reference query has an ORDER BY of its own (which is how
 * Spider's and BIRD's successors ask); `bag-any-column-order` and `ordered-any-column-order` allow the columns in
 * another order, as the public test-suite evaluator does.
 */
export const RESULT_MODES = ['bag', 'set', 'ordered', 'bag-any-column-order', 'ordered-any-column-order'] as const;
export type ResultMode = (typeof RESULT_MODES)[number];

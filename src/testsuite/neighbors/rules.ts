import type { NeighborRule } from './change.js';
import { aggregator } from './changes/aggregator.js';
import { column } from './changes/column.js';
import { comparisonOperator } from './changes/comparison-operator.js';
import { dropBranch } from './changes/drop-branch.js';
import { dropCondition } from './changes/drop-condition.js';
import { dropDistinct } from './changes/drop-distinct.js';
import { dropGroupBy } from './changes/drop-group-by.js';
import { dropHaving } from './changes/drop-having.js';
import { dropLimit } from './changes/drop-limit.js';
import { dropOrderBy } from './changes/drop-order-by.js';
import { numericConstant } from './changes/numeric-constant.js';
import { orderDirection } from './changes/order-direction.js';
import { stringConstant } from './changes/string-constant.js';

/** Every kind of change; of two that come to the same query, the earlier one names it. */
export const NEIGHBOR_RULES: readonly NeighborRule[] = [
  numericConstant,
  stringConstant,
  comparisonOperator,
  aggregator,
  column,
  dropDistinct,
  dropCondition,
  dropOrderBy,
  orderDirection,
  dropLimit,
  dropGroupBy,
  dropHaving,
  dropBranch,
];

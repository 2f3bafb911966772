import type { NeighborRule } from './change.js';
import { addDistinct } from './changes/add-distinct.js';
import { addLimit } from './changes/add-limit.js';
import { aggregator } from './changes/aggregator.js';
import { arithmetic } from './changes/arithmetic.js';
import { column } from './changes/column.js';
import { comparisonOperator } from './changes/comparison-operator.js';
import { connective } from './changes/connective.js';
import { dropAggregate } from './changes/drop-aggregate.js';
import { dropBound } from './changes/drop-bound.js';
import { dropBranch } from './changes/drop-branch.js';
import { dropClauses } from './changes/drop-clauses.js';
import { dropColumn } from './changes/drop-column.js';
import { dropCondition } from './changes/drop-condition.js';
import { dropDistinct } from './changes/drop-distinct.js';
import { dropGroupBy } from './changes/drop-group-by.js';
import { dropHaving } from './changes/drop-having.js';
import { dropJoin } from './changes/drop-join.js';
import { dropLimit } from './changes/drop-limit.js';
import { dropListed } from './changes/drop-listed.js';
import { dropOn } from './changes/drop-on.js';
import { dropOrderBy } from './changes/drop-order-by.js';
import { joinType } from './changes/join-type.js';
import { nullHandling } from './changes/null-handling.js';
import { numericConstant } from './changes/numeric-constant.js';
import { orderDirection } from './changes/order-direction.js';
import { setOperator } from './changes/set-operator.js';
import { stringConstant } from './changes/string-constant.js';
import { table } from './changes/table.js';

/** Every kind of change; of two that come to the same query, the earlier one names it. */
export const NEIGHBOR_RULES: readonly NeighborRule[] = [
  numericConstant,
  stringConstant,
  comparisonOperator,
  aggregator,
  column,
  table,
  connective,
  arithmetic,
  joinType,
  setOperator,
  addDistinct,
  addLimit,
  nullHandling,
  orderDirection,
  dropDistinct,
  dropColumn,
  dropAggregate,
  dropCondition,
  dropBound,
  dropListed,
  dropJoin,
  dropOn,
  dropOrderBy,
  dropLimit,
  dropGroupBy,
  dropHaving,
  dropClauses,
  dropBranch,
];

import type { Rng } from '../../stage.js';
import type { ChangeKind, Gold, QueryChange } from './change.js';
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

/** Lists all changes of one kind that a query allows. */
type NeighborRule = (gold: Gold, rng: Rng) => Iterable<QueryChange>;

/** The rule of each kind. */
export const NEIGHBOR_RULES: Readonly<Record<ChangeKind, NeighborRule>> = {
  'numeric-constant': numericConstant,
  'string-constant': stringConstant,
  'comparison-operator': comparisonOperator,
  aggregator,
  column,
  table,
  connective,
  arithmetic,
  'join-type': joinType,
  'set-operator': setOperator,
  'add-distinct': addDistinct,
  'add-limit': addLimit,
  'null-handling': nullHandling,
  'order-direction': orderDirection,
  'drop-distinct': dropDistinct,
  'drop-column': dropColumn,
  'drop-aggregate': dropAggregate,
  'drop-condition': dropCondition,
  'drop-bound': dropBound,
  'drop-listed': dropListed,
  'drop-join': dropJoin,
  'drop-on': dropOn,
  'drop-order-by': dropOrderBy,
  'drop-limit': dropLimit,
  'drop-group-by': dropGroupBy,
  'drop-having': dropHaving,
  'drop-clauses': dropClauses,
  'drop-branch': dropBranch,
};

/** Kinds that may make a name elsewhere in the query refer to two columns, so that each change is to be resolved. */
export const CLASHING_KINDS: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['table']);

import type { FunctionCall } from '../../../sql/ast.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import type { Gold, QueryChange } from '../change.js';
import { columnOf } from '../proofs/conditions.js';
import { isDeclaredPresent, isNeverNull } from '../proofs/no-nulls.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';

const PRESENT = 'the column is never NULL';

/** A mean over all rows, as sum(x) / count(*) gives it: missing values count as 0. */
function* filled(gold: Gold, core: CoreSite, { name, args }: FunctionCall): Iterable<QueryChange> {
  const [arg] = args;
  if (name.name.toLowerCase() !== 'avg' || arg === undefined) return;
  const target = columnOf(gold, core, arg);
  if (target === null) return;
  const after = `coalesce(${gold.sql.slice(arg.span.start, arg.span.end)}, 0)`;
  const equivalent = isNeverNull(gold, core, target) ? PRESENT : null;
  yield { edit: gold.text.replace(arg.span, after), detail: 'avg with NULL as 0', equivalent };
}

/** An inequality that also holds where there is no value. */
function* distinctFrom(gold: Gold, core: CoreSite, { node, clause }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'binary' || (node.operator !== '!=' && node.operator !== '<>') || clause === 'from') return;
  const target = columnOf(gold, core, bareExpression(node.left));
  if (target === null) return;
  const edit = gold.text.replace(gold.text.between(node.left.span, node.right.span), 'IS NOT');
  const equivalent = isDeclaredPresent(gold, core, target) ? PRESENT : null;
  yield { edit, detail: `${node.operator} → IS NOT`, equivalent };
}

/** Missing values are taken for others. */
export function* nullHandling(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    if (site.core === null) continue;
    if (site.node.kind === 'function') yield* filled(gold, site.core, site.node);
    yield* distinctFrom(gold, site.core, site);
  }
}

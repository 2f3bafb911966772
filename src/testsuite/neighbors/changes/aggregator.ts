import { columnKey } from '../../../schema/schema.js';
import type { FunctionCall } from '../../../sql/ast.js';
import { baseOf, nameIn, type ColumnTarget } from '../../../sql/scope.js';
import { isAggregate } from '../aggregates.js';
import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { isNeverNull } from '../proofs/no-nulls.js';
import type { CoreSite } from '../query-sites.js';
import { spellColumn } from '../spelled-column.js';

const AGGREGATORS = ['count', 'sum', 'avg', 'min', 'max'];

function* renamed(gold: Gold, { name }: FunctionCall): Iterable<QueryChange> {
  const before = name.name.toLowerCase();
  for (const after of AGGREGATORS) {
    if (after === before || !AGGREGATORS.includes(before)) continue;
    yield { edit: gold.text.replace(name.span, after), detail: `${before} → ${after}`, equivalent: null };
  }
}

const COUNT_PROOF = 'the column counted is never NULL';

/** count(column) counts all rows. */
function* uncounted(gold: Gold, core: CoreSite, { args, distinct }: FunctionCall): Iterable<QueryChange> {
  const [arg] = args;
  if (arg?.kind !== 'column' || distinct) return;
  const target = gold.names.get(arg.column)?.found?.target;
  const never = target?.kind === 'column' && isNeverNull(gold, core, target);
  const detail = `count(${arg.column.name}) → count(*)`;
  yield { edit: gold.text.replace(arg.span, '*'), detail, equivalent: never ? COUNT_PROOF : null };
}

/** Columns that count(*) may be taken to be about: those that the SELECT names, and keys of its tables. */
function countable(gold: Gold, { bound, node }: CoreSite): ColumnTarget[] {
  const keys = new Set(gold.database.primaryKeys.map(columnKey));
  const named = [...gold.names.values()].filter(({ token: { span } }) => {
    return span.start >= node.span.start && span.end <= node.span.end;
  });
  const used = new Set(named.map(({ found }) => (found?.target.kind === 'column' ? found.target.column : null)));
  return bound.sources.flatMap((source) => {
    const targets = source.relation.columns.map((column) => ({ kind: 'column', source, column }) as const);
    return targets.filter(({ column }) => {
      const ref = baseOf(column);
      return used.has(column) || (ref !== null && keys.has(columnKey(ref)));
    });
  });
}

/** count(*) counts the values of a column. */
function* counted(gold: Gold, core: CoreSite, { name, span }: FunctionCall): Iterable<QueryChange> {
  const star = gold.text.at(gold.text.placeFrom(name.span.end) + 1);
  for (const target of countable(gold, core)) {
    const text = spellColumn(gold, { kind: 'general', scope: core.bound.columnScope }, target, null);
    if (text === null || star.end > span.end) continue;
    const detail = `count(*) → count(${nameIn(gold.world, target.column)})`;
    const equivalent = isNeverNull(gold, core, target) ? COUNT_PROOF : null;
    yield { edit: gold.text.replace(star, text), detail, equivalent };
  }
}

/** An aggregator becomes another; a count of rows one of a column's values, and back. */
export const aggregator: NeighborRule = {
  kind: 'aggregator',
  *changes(gold: Gold): Iterable<QueryChange> {
    for (const { node, core } of gold.sites.expressions) {
      if (!isAggregate(node) || core === null) continue;
      const isCount = node.name.name.toLowerCase() === 'count';
      if (node.star) yield* counted(gold, core, node);
      else if (node.args.length === 1) yield* renamed(gold, node);
      if (isCount) yield* uncounted(gold, core, node);
    }
  },
};

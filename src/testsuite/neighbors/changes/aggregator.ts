import { columnKey } from '../../../schema/schema.js';
import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { baseOf, nameIn, type ColumnTarget } from '../../../sql/scope.js';
import { isAggregate, STANDARD_AGGREGATES } from '../../../sql/aggregates.js';
import type { Gold, QueryChange } from '../change.js';
import { targetIsDistinct, valuesAreDistinct } from '../proofs/duplicate-free.js';
import { columnOf } from '../proofs/conditions.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';
import { isNeverNull } from '../proofs/no-nulls.js';
import { extremeIsFree } from '../proofs/one-row-groups.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { spellColumn } from '../spelled-column.js';

function* renamed(gold: Gold, core: CoreSite, call: FunctionCall): Iterable<QueryChange> {
  const before = call.name.name.toLowerCase();
  for (const after of STANDARD_AGGREGATES) {
    if (after === before || !STANDARD_AGGREGATES.includes(before)) continue;
    const equivalent = after === 'min' || after === 'max' ? extremeIsFree(gold, core, call) : null;
    yield { edit: gold.text.replace(call.name.span, after), detail: `${before} → ${after}`, equivalent };
  }
}

const COUNT_PROOF = 'the column counted is never NULL';

/** Why the values of a column are as many as the rows, or null. */
function proofOf(gold: Gold, core: CoreSite, target: ColumnTarget | null, arg: Expression | null): string | null {
  if (target === null || !isNeverNull(gold, core, target)) return null;
  return arg === null ? COUNT_PROOF : valuesAreDistinct(gold, core, arg);
}

/** count(column) counts all rows. */
function* uncounted(gold: Gold, core: CoreSite, { name, args, distinct, span }: FunctionCall): Iterable<QueryChange> {
  const [arg] = args;
  if (arg?.kind !== 'column') return;
  const target = columnOf(gold, core, arg);
  const open = gold.text.at(gold.text.placeFrom(name.span.end));
  const close = gold.text.at(gold.text.placeFrom(arg.span.end));
  if (close.end > span.end) return;
  const edit = gold.text.replace({ start: open.end, end: close.start }, '*');
  const detail = `count(${distinct ? 'DISTINCT ' : ''}${arg.column.name}) → count(*)`;
  yield { edit, detail, equivalent: proofOf(gold, core, target, distinct ? arg : null) };
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
function* counted(gold: Gold, core: CoreSite, site: ExpressionSite, call: FunctionCall): Iterable<QueryChange> {
  const { name: called, span } = call;
  const always = site.parent === null ? null : isAlwaysTrue(gold, site.parent);
  const star = gold.text.at(gold.text.placeFrom(called.span.end) + 1);
  for (const target of countable(gold, core)) {
    const text = spellColumn(gold, { kind: 'general', scope: core.bound.columnScope }, target, null);
    if (text === null || star.end > span.end) continue;
    const name = nameIn(gold.world, target.column);
    const never = isNeverNull(gold, core, target);
    const all = { edit: gold.text.replace(star, text), detail: `count(*) → count(${name})` };
    yield { ...all, equivalent: never ? COUNT_PROOF : null };
    const distinct = {
      edit: gold.text.replace(star, `DISTINCT ${text}`),
      detail: `count(*) → count(DISTINCT ${name})`,
    };
    yield { ...distinct, equivalent: never ? (targetIsDistinct(gold, core, target) ?? always) : null };
  }
}

/** An aggregator becomes another; a count of rows one of a column's values, and back. */
export function* aggregator(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    const { node, core } = site;
    if (!isAggregate(node) || core === null) continue;
    const isCount = node.name.name.toLowerCase() === 'count';
    if (node.star) yield* counted(gold, core, site, node);
    else if (node.args.length === 1) yield* renamed(gold, core, node);
    if (isCount) yield* uncounted(gold, core, node);
  }
}

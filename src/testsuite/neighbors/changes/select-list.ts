import { countsDuplicates, isAggregate, STANDARD_AGGREGATES } from '../../../sql/aggregates.js';
import { allowsWithout, cutItem, fixesStar, type Gold, type QueryChange, spellColumn } from '../change.js';
import { distinctIsFree, distinctIsIdle, targetIsDistinct, valuesAreDistinct } from '../proofs/duplicate-free.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import type { Expression, FunctionCall, ResultColumn } from '../../../sql/ast.js';
import { isUnread } from '../proofs/single-row.js';
import { extremeIsFree } from '../proofs/joined-columns.js';
import { columnKey } from '../../../schema/schema.js';
import { baseOf, type ColumnTarget, nameIn } from '../../../sql/scope.js';
import { columnOf, isNeverNull } from '../proofs/conditions.js';
import { isAlwaysTrue } from '../proofs/integer-test.js';

function* addedToSelects(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    // Where DISTINCT has nothing to do, whatever the tables hold, it is no mistake.
    if (core.node.quantifier !== null || distinctIsIdle(gold, core) !== null) continue;
    const word = gold.text.at(gold.text.placeFrom(core.node.span.start));
    const edit = gold.text.replace({ start: word.end, end: word.end }, 'DISTINCT');
    yield { edit, detail: 'SELECT → SELECT DISTINCT', equivalent: distinctIsFree(gold, core) };
  }
}

function* addedToCall(gold: Gold, { node, core }: ExpressionSite): Iterable<QueryChange> {
  if (!isAggregate(node) || node.distinct || node.args.length !== 1) return;
  const [name, [arg]] = [node.name.name.toLowerCase(), node.args];
  if (arg === undefined || !countsDuplicates(name)) return;
  const edit = gold.text.replace({ start: arg.span.start, end: arg.span.start }, 'DISTINCT ');
  const equivalent = core === null ? null : valuesAreDistinct(gold, core, arg);
  yield { edit, detail: `${name}(…) → ${name}(DISTINCT …)`, equivalent };
}

/** DISTINCT comes, to a SELECT or to an aggregate that duplicates count for. */
export function* addDistinct(gold: Gold): Iterable<QueryChange> {
  yield* addedToSelects(gold);
  for (const site of gold.sites.expressions) yield* addedToCall(gold, site);
}

function* droppedFromSelects(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    if (core.node.quantifier !== 'DISTINCT') continue;
    const word = gold.text.at(gold.text.placeFrom(core.node.span.start) + 1);
    yield { edit: gold.text.cut(word), detail: 'SELECT DISTINCT → SELECT', equivalent: distinctIsFree(gold, core) };
  }
}

function* droppedFromCall(gold: Gold, { node, core }: ExpressionSite): Iterable<QueryChange> {
  if (node.kind !== 'function' || !node.distinct) return;
  const name = node.name.name.toLowerCase();
  const word = gold.text.at(gold.text.placeFrom(node.name.span.end) + 1);
  const [arg] = node.args;
  const extreme = name === 'min' || name === 'max';
  const distinct = core === null || arg === undefined ? null : valuesAreDistinct(gold, core, arg);
  const equivalent = extreme ? `${name} is the same with and without duplicates` : distinct;
  yield { edit: gold.text.cut(word), detail: `${name}(DISTINCT …) → ${name}(…)`, equivalent };
}

/** DISTINCT goes, of a SELECT or of an aggregate. */
export function* dropDistinct(gold: Gold): Iterable<QueryChange> {
  yield* droppedFromSelects(gold);
  for (const site of gold.sites.expressions) yield* droppedFromCall(gold, site);
}

/**
 * Checks whether the number of result columns may change: a set operation, a value and a table's list of columns fix
 * it.
 */
function isFree({ sites }: Gold, { select: { node, use } }: CoreSite): boolean {
  if (node.terms.length > 1 || use === 'in' || use === 'scalar') return false;
  // A star elsewhere may hand the columns of a subquery on to where their number counts.
  const isOpen = sites.selects.every((site) => site.node.with === null) && !sites.cores.some(fixesStar);
  return use !== 'relation' || isOpen;
}

/** Checks whether another part of the query names a result column, by its alias or by its position. */
function isNamed(gold: Gold, { node, select }: CoreSite, column: ResultColumn): boolean {
  const terms = [...node.groupBy, ...select.node.orderBy.map(({ expression }) => expression)];
  // A name in ORDER BY may be that of a star's column, and without the star that of two tables'.
  if (terms.some((term) => term.kind === 'literal') || (column.kind === 'star' && terms.length > 0)) return true;
  return gold.query.names.some(({ found }) => found?.target.kind === 'alias' && found.target.node === column);
}

/** A column of the result goes, where there are others. */
export function* dropColumn(gold: Gold): Iterable<QueryChange> {
  for (const core of gold.sites.cores) {
    const { columns } = core.node;
    if (columns.length < 2 || !isFree(gold, core)) continue;
    for (const column of columns) {
      if (isNamed(gold, core, column) || !allowsWithout(core, { column })) continue;
      yield {
        edit: cutItem(gold, columns, column),
        detail: gold.text.textOf(column.span),
        equivalent: isUnread(core),
      };
    }
  }
}

/** Checks whether a call is the whole of a result column that may become a star. */
function isWhole({ core, parent, clause }: ExpressionSite, call: FunctionCall): boolean {
  if (core === null || parent !== null || clause !== 'result') return false;
  const { node, select } = core;
  const column = node.columns.find((each) => each.kind === 'result' && each.expression === call);
  return (
    select.use === 'result' && select.node.terms.length === 1 && column?.kind === 'result' && column.alias === null
  );
}

/** Returns the rest of an aggregate: its argument, or a star if rows are counted; null if nothing can be left. */
function argumentOf(gold: Gold, site: ExpressionSite, call: FunctionCall): string | null {
  if (call.star) return isWhole(site, call) && site.core?.node.from !== null ? '*' : null;
  const [arg] = call.args;
  if (arg === undefined || call.args.length > 1) return null;
  const text = gold.text.textOf(arg.span);
  return arg.kind === 'column' || arg.kind === 'literal' || arg.kind === 'list' ? text : `(${text})`;
}

/**
 * Checks whether the place of an aggregate may hold a constant: alone in GROUP BY and ORDER BY, a number is a position.
 */
function isOrdering({ core, parent, clause }: ExpressionSite): boolean {
  return core === null || (parent === null && clause === 'order');
}

function* unwrapped(gold: Gold, site: ExpressionSite, core: CoreSite): Iterable<QueryChange> {
  const { node } = site;
  if (!isAggregate(node) || !allowsWithout(core, { aggregate: node })) return;
  const text = argumentOf(gold, site, node);
  if (text === null || (isOrdering(site) && node.args[0]?.kind === 'literal')) return;
  const detail = `${gold.text.textOf(node.span)} → ${text}`;
  yield { edit: gold.text.replace(node.span, text), detail, equivalent: extremeIsFree(gold, core, node) };
}

/** An aggregate around its argument goes; count(*) becomes a star. */
export function* dropAggregate(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) if (site.core !== null) yield* unwrapped(gold, site, site.core);
}

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

/** The operators that an operator is taken for. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['/'],
};

/** An arithmetic operator becomes its inverse, or goes with one of its operands; so does one operand of ||. */
export function* arithmetic(gold: Gold): Iterable<QueryChange> {
  for (const { node, clause } of gold.sites.expressions) {
    if (node.kind !== 'binary' || clause === 'window' || clause === 'limit') continue;
    const { operator, left, right, span } = node;
    const others = OTHERS[operator];
    if (others === undefined && operator !== '||') continue;
    for (const other of others ?? []) {
      const edit = gold.text.replace(gold.text.between(left.span, right.span), other);
      yield { edit, detail: `${operator} → ${other}`, equivalent: null };
    }
    for (const kept of [left, right]) {
      const text = gold.text.textOf(kept.span);
      yield { edit: gold.text.replace(span, text), detail: `${gold.text.textOf(span)} → ${text}`, equivalent: null };
    }
  }
}

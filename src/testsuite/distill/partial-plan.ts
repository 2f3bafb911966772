import { whereReadable } from '../../sql/sql-fault.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { Expression, Limit, OrderingTerm, ResultColumn, SelectCore } from '../../sql/ast.js';
import { bareExpression, expressionsWithin } from '../../sql/ast-walk.js';
import type { BoundCore, BoundQuery } from '../../sql/bound-query.js';
import { applyEdits, insertion, sortEdits, spacedEdit, type SqlEdit } from '../../sql/edits.js';
import { sameTarget } from '../../sql/name-context.js';
import type { Target } from '../../sql/scope.js';
import type { Span } from '../../sql/tokenizer.js';
import { aggregates, aggregatesIn } from '../../sql/aggregates.js';
import { isDoubtfulCall } from './row-order.js';

/** The known facts about a gold query's column: its values, that they are some row's of their group, or nothing. */
export type PlannedColumn =
  | { readonly kind: 'determinate' }
  /** `at` is the column of `valuesSql`. */
  | { readonly kind: 'group'; readonly at: number }
  | { readonly kind: 'any' };

/** The rows that LIMIT takes. */
export interface RowWindow {
  /** Null where all rows after the offset are taken. */
  readonly count: number | null;
  readonly offset: number;
}

/** How a gold is asked for what of its result does not depend on the order of rows. */
export interface PartialPlan {
  /**
   * The gold without LIMIT: its columns, NULL for those that are not determinate, then what it groups and orders by.
   */
  readonly rowsSql: string;
  /** The rows that are grouped: what the gold groups by, then the values of its columns of kind `group`. */
  readonly valuesSql: string | null;
  /** The gold's columns. */
  readonly columns: readonly PlannedColumn[];
  /** Positions in `rowsSql` of what the gold groups by; they are the first columns of `valuesSql`. */
  readonly groupKeys: readonly number[];
  /** Positions in `rowsSql` of what orders the rows, as far as that is determinate. */
  readonly orderKeys: readonly number[];
  readonly window: RowWindow;
}

const NO_LIMIT: RowWindow = { count: null, offset: 0 };

const isWithin = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end;

function wholeNumber(expression: Expression | null): number | null {
  if (expression?.kind !== 'literal' || expression.type !== 'number') return null;
  return /^\d{1,9}$/u.test(expression.value) ? Number(expression.value) : null;
}

/** Null where LIMIT is no plain number. */
function windowOf(limit: Limit | null): RowWindow | null {
  if (limit === null) return NO_LIMIT;
  const [count, offset] = [wholeNumber(limit.count), limit.offset === null ? 0 : wholeNumber(limit.offset)];
  return count === null || offset === null ? null : { count, offset };
}

function hasDoubtfulCall(expression: Expression): boolean {
  return expressionsWithin(expression).some(isDoubtfulCall);
}

const groupsRows = ({ columns, groupBy, having }: SelectCore, orderBy: readonly OrderingTerm[]): boolean =>
  groupBy.length > 0 ||
  having !== null ||
  columns.some((column) => column.kind === 'result' && aggregates(column.expression)) ||
  orderBy.some(({ expression }) => aggregates(expression));

/** The result columns of one SELECT of the whole query, and what they depend on. */
class CoreReader {
  readonly isGrouped: boolean;
  readonly #query: BoundQuery;
  readonly #core: BoundCore;
  readonly #grouped: readonly Target[];

  constructor(query: BoundQuery, core: BoundCore) {
    this.#query = query;
    this.#core = core;
    this.isGrouped = groupsRows(core.node, query.select.orderBy);
    this.#grouped = core.node.groupBy.flatMap((term) => this.#targetOf(bareExpression(term)) ?? []);
  }

  text({ span }: { readonly span: Span }): string {
    return this.#query.sql.slice(span.start, span.end);
  }

  /** How many columns of the result a result column stands for. */
  widthOf(column: ResultColumn): number {
    return this.#core.outputs.filter(({ node }) => node === column).length;
  }

  /** Checks whether an expression has one value in each row of the result, or in each group. */
  isDeterminate(expression: Expression): boolean {
    return !hasDoubtfulCall(expression) && !this.#readsAnyRow(expression);
  }

  kindOf(column: ResultColumn): PlannedColumn['kind'] {
    if (column.kind === 'star') return this.isGrouped ? 'group' : 'determinate';
    const { expression } = column;
    if (this.isDeterminate(expression)) return 'determinate';
    return hasDoubtfulCall(expression) || aggregates(expression) ? 'any' : 'group';
  }

  /** Returns the expression of a GROUP BY term, as a result column can have it; null if that is not plain. */
  groupKey(term: Expression): string | null {
    const place = wholeNumber(bareExpression(term));
    const target = this.#targetOf(bareExpression(term));
    const named = target?.kind === 'alias' ? target.node : place === null ? null : this.#core.outputs[place - 1]?.node;
    if (named === null) return this.text(term);
    return named?.kind === 'result' ? this.text(named.expression) : null;
  }

  /**
   * The position of the result column that a term of ORDER BY is, or its text; null where its value is not determinate.
   */
  orderKey({ expression }: OrderingTerm): number | string | null {
    const bare = bareExpression(expression);
    const place = this.#placeOf(bare);
    if (place !== null) return place;
    if (this.#core.node.quantifier === 'DISTINCT' || wholeNumber(bare) !== null) return null;
    return this.isDeterminate(expression) && !this.#namesAlias(expression) ? this.text(expression) : null;
  }

  #placeOf(bare: Expression): number | null {
    const target = this.#targetOf(bare);
    const number = wholeNumber(bare);
    const place = this.#core.outputs.findIndex(({ node, found }, i) => {
      if (number !== null) return i === number - 1;
      if (target?.kind === 'alias') return node === target.node;
      return target !== undefined && found !== null && sameTarget(found.target, target);
    });
    return place === -1 ? null : place;
  }

  #targetOf(expression: Expression): Target | undefined {
    if (expression.kind !== 'column') return undefined;
    return this.#query.names.find(({ token }) => token === expression.column)?.found?.target;
  }

  #namesAlias({ span }: Expression): boolean {
    return this.#query.names.some(({ token, found }) => {
      return isWithin(token.span, span) && (found?.target.kind === 'alias' || found?.target.kind === 'output');
    });
  }

  /**
   * Checks whether an expression, subqueries included, names a column of the grouped rows that may differ within a
   * group.
   */
  #readsAnyRow(expression: Expression): boolean {
    if (!this.isGrouped) return false;
    const calls = aggregatesIn(expression);
    return this.#query.names.some(({ token: { span }, found }) => {
      if (found === null || !isWithin(span, expression.span) || calls.some((call) => isWithin(span, call.span)))
        return false;
      return this.#isFromAnyRow(found.target);
    });
  }

  #isFromAnyRow(target: Target): boolean {
    if (target.kind === 'output') return true;
    if (target.kind !== 'alias') {
      const isOwn = this.#core.sources.includes(target.source);
      return isOwn && !this.#grouped.some((other) => sameTarget(other, target));
    }
    const isOwn = this.#core.node.columns.includes(target.node);
    return isOwn && !this.isDeterminate(target.node.expression);
  }
}

/** Writes the plan of a query whose outermost SELECT is one. */
class PlanWriter {
  readonly #query: BoundQuery;
  readonly #core: BoundCore;
  readonly #reader: CoreReader;

  constructor(query: BoundQuery, core: BoundCore) {
    this.#query = query;
    this.#core = core;
    this.#reader = new CoreReader(query, core);
  }

  plan(window: RowWindow): PartialPlan | null {
    const { node } = this.#core;
    const kinds = node.columns.map((column) => this.#reader.kindOf(column));
    const isDistinct = node.quantifier === 'DISTINCT';
    if (isDistinct && kinds.some((kind) => kind !== 'determinate')) return null;
    if (node.having !== null && !this.#reader.isDeterminate(node.having)) return null;
    const keys = kinds.includes('group') ? node.groupBy.map((term) => this.#reader.groupKey(term)) : [];
    if (keys.includes(null)) return null;
    const columns = this.#columns(kinds, keys.length);
    const order = this.#orderKeys(columns);
    const appended = [
      ...keys.flatMap((key) => key ?? []),
      ...order.flatMap((key) => (typeof key === 'string' ? key : [])),
    ];
    // Without its aggregates it would not be grouped.
    if (this.#reader.isGrouped && !isDistinct) appended.push('count(*)');
    let next = columns.length + keys.length;
    return {
      rowsSql: this.#rowsSql(kinds, appended),
      valuesSql: kinds.includes('group')
        ? this.#valuesSql(
            kinds,
            keys.flatMap((key) => key ?? []),
          )
        : null,
      columns,
      groupKeys: keys.map((_, k) => columns.length + k),
      orderKeys: order.map((key) => (typeof key === 'string' ? next++ : key)),
      window,
    };
  }

  #columns(kinds: readonly PlannedColumn['kind'][], keys: number): readonly PlannedColumn[] {
    let at = keys;
    return this.#core.node.columns.flatMap((column, i) => {
      const kind = kinds[i] ?? 'any';
      return Array.from({ length: this.#reader.widthOf(column) }, (): PlannedColumn => {
        return kind === 'group' ? { kind, at: at++ } : { kind };
      });
    });
  }

  /** The terms that order rows, up to the first that is not determinate. */
  #orderKeys(columns: readonly PlannedColumn[]): readonly (number | string)[] {
    const keys: (number | string)[] = [];
    for (const term of this.#query.select.orderBy) {
      const key = this.#reader.orderKey(term);
      if (key === null || (typeof key === 'number' && columns[key]?.kind !== 'determinate')) break;
      keys.push(key);
    }
    return keys;
  }

  #rowsSql(kinds: readonly PlannedColumn['kind'][], appended: readonly string[]): string {
    const { sql, select } = this.#query;
    const { columns } = this.#core.node;
    const edits = columns.flatMap((column, i): SqlEdit[] => {
      if (kinds[i] === 'determinate') return [];
      const { start, end } = column.kind === 'star' ? column.span : column.expression.span;
      const nulls = Array.from({ length: this.#reader.widthOf(column) }, () => 'NULL').join(', ');
      return [spacedEdit(sql, start, end, nulls)];
    });
    const end = columns.at(-1)?.span.end ?? 0;
    if (appended.length > 0) edits.push(insertion(sql, end, `, ${appended.join(', ')}`));
    if (select.limit !== null) edits.push(spacedEdit(sql, select.limit.span.start, select.limit.span.end, ''));
    return applyEdits(sql, sortEdits(edits));
  }

  #valuesSql(kinds: readonly PlannedColumn['kind'][], keys: readonly string[]): string | null {
    const { sql, select } = this.#query;
    const { columns, from, where, quantifier } = this.#core.node;
    const [first, last, tail] = [columns[0], columns.at(-1), where ?? from];
    if (first === undefined || last === undefined || tail === null || quantifier !== null) return null;
    const shown = columns.flatMap((column, i) => {
      if (kinds[i] !== 'group') return [];
      return [this.#reader.text(column.kind === 'star' ? column : column.expression)];
    });
    return applyEdits(sql, [
      spacedEdit(sql, first.span.start, last.span.end, [...keys, ...shown].join(', ')),
      spacedEdit(sql, tail.span.end, select.span.end, ''),
    ]);
  }
}

/** The plan of a set operation: its rows are ordered by its own columns. */
function planWhole({ sql, select, cores }: BoundQuery, window: RowWindow): PartialPlan | null {
  const [term] = select.terms;
  const outputs = cores.find(({ node }) => node === term?.body)?.outputs;
  if (outputs === undefined || outputs.length === 0) return null;
  const orderKeys: number[] = [];
  for (const { expression } of select.orderBy) {
    const bare = bareExpression(expression);
    const name = bare.kind === 'column' && bare.table === null ? bare.column.name.toLowerCase() : null;
    const number = wholeNumber(bare);
    const place = outputs.findIndex(({ column }, i) => {
      return number === null ? column.rawName.toLowerCase() === name : i === number - 1;
    });
    if (place === -1) break;
    orderKeys.push(place);
  }
  const { limit } = select;
  const edits = limit === null ? [] : [spacedEdit(sql, limit.span.start, limit.span.end, '')];
  return {
    rowsSql: applyEdits(sql, edits),
    valuesSql: null,
    columns: outputs.map(() => ({ kind: 'determinate' })),
    groupKeys: [],
    orderKeys,
    window,
  };
}

/**
 * How to ask what of a query's result does not depend on the order of rows; null where its outermost SELECT leaves
 * nothing to ask: DISTINCT or HAVING over a column that any row of a group may give, a LIMIT that is computed.
 */
export function planPartial(query: BoundQuery): PartialPlan | null {
  const window = windowOf(query.select.limit);
  const [term, ...others] = query.select.terms;
  if (window === null || term === undefined) return null;
  const core = query.cores.find(({ node }) => node === term.body);
  if (others.length > 0 || core === undefined) return planWhole(query, window);
  return new PlanWriter(query, core).plan(window);
}

/** The plan of a query by its text; null also where it can't be read against the schema. */
export function planPartialOf(sql: string, database: Database): PartialPlan | null {
  return whereReadable(() => planPartial(bindQuery(sql, database)), null);
}

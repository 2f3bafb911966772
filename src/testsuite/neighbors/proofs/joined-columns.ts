import type { Affinity } from '../../../sql/affinity.js';
import { columnKey } from '../../../schema/schema.js';
import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { baseOf, type ColumnTarget, type ScopeSource } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import { pairKey } from '../column-facts.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { columnOf, conditionsOf, hasOuterJoin, isNeverNull } from './conditions.js';
import { aggregates, selectsAggregate } from '../../../sql/aggregates.js';

/** A column of one of a SELECT's own tables, as a text. */
type ColumnId = string;

/** A condition that says that two columns, or a column and a constant, are equal. */
interface Equality {
  readonly node: Expression;
  readonly left: ColumnTarget;
  /** Null for a constant. */
  readonly right: ColumnTarget | null;
}

/** The facts about the columns of a SELECT's rows from its conditions and its tables' keys. */
interface CoreColumns {
  readonly hasOuterJoin: boolean;
  readonly equalities: readonly Equality[];
}

const KNOWN = new WeakMap<CoreSite, CoreColumns>();

function idOf({ bound }: CoreSite, { source, column }: ColumnTarget): ColumnId {
  return `${bound.sources.indexOf(source)}.${column.index}`;
}

function affinityOf({ facts }: Gold, { source, column }: ColumnTarget): Affinity | undefined {
  const ref = source.relation.table === null ? null : baseOf(column);
  return ref === null ? undefined : facts.affinities.get(columnKey(ref));
}

/** Checks whether equal values of two columns are the same value: without a type, 1 and 1.0 are equal and two. */
function isSame(gold: Gold, { left, right }: Equality): boolean {
  const affinity = affinityOf(gold, left);
  return right !== null && affinity !== undefined && affinity !== 'BLOB' && affinity === affinityOf(gold, right);
}

const isNumeric = (affinity: Affinity): boolean => affinity !== 'TEXT' && affinity !== 'BLOB';

/** Checks whether one of two columns refers to the other and writes its values as it does. */
function areWrittenAlike({ facts }: Gold, from: ColumnTarget, to: ColumnTarget): boolean {
  const [a, b] = [baseOf(from.column), baseOf(to.column)];
  return a !== null && b !== null && facts.writtenAlike.has(pairKey(a, b));
}

/**
 * Checks whether a value of one column is equal to one value of another at most. A text that is compared with a number
 * is one number, and a number is many texts, 1 and 01, but where they refer to it. https://sqlite.org/datatype3.html
 * §4.2
 */
export function tellsValue(gold: Gold, from: ColumnTarget, to: ColumnTarget): boolean {
  const [before, after] = [affinityOf(gold, from), affinityOf(gold, to)];
  if (before === undefined || after === undefined) return false;
  return areWrittenAlike(gold, from, to) || isNumeric(after) || (after === 'TEXT' && !isNumeric(before));
}

function equalityOf(gold: Gold, core: CoreSite, node: Expression): Equality[] {
  if (node.kind !== 'binary' || (node.operator !== '=' && node.operator !== '==')) return [];
  const [left, right] = [columnOf(gold, core, node.left), columnOf(gold, core, node.right)];
  if (left !== null && right !== null) return [{ node, left, right }];
  const [column, other] = left === null ? [right, node.left] : [left, node.right];
  const bare = unparenthesized(other);
  const isConstant = bare.kind === 'literal' && (bare.type === 'number' || bare.type === 'string');
  return column !== null && isConstant && affinityOf(gold, column) !== undefined
    ? [{ node, left: column, right: null }]
    : [];
}

function columnsOf(gold: Gold, core: CoreSite): CoreColumns {
  const known = KNOWN.get(core);
  if (known !== undefined) return known;
  const { from } = core.node;
  const equalities = conditionsOf(core).flatMap((node) => equalityOf(gold, core, node));
  const columns: CoreColumns = { hasOuterJoin: from !== null && hasOuterJoin(from), equalities };
  KNOWN.set(core, columns);
  return columns;
}

/**
 * Checks whether two columns hold the same value in every row of a SELECT, by its conditions other than the one around
 * `site`.
 */
export function areEqual(gold: Gold, core: CoreSite, a: ColumnTarget, b: ColumnTarget, site: Expression): boolean {
  const { start } = site.span;
  const others = columnsOf(gold, core).equalities.filter((equality) => {
    const { span } = equality.node;
    return (start < span.start || start >= span.end) && isSame(gold, equality);
  });
  const reached = new Set([idOf(core, a)]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const { left, right } of others) {
      if (right === null) continue;
      const [x, y] = [idOf(core, left), idOf(core, right)];
      if (reached.has(x)) reached.add(y);
      else if (reached.has(y)) reached.add(x);
    }
  }
  return reached.has(idOf(core, b));
}

/** Why a condition of a SELECT holds where its others do, or null: it says of two columns what they say together. */
export function isImplied(gold: Gold, { core, node }: ExpressionSite): string | null {
  if (core === null) return null;
  const own = columnsOf(gold, core).equalities.find((equality) => equality.node === unparenthesized(node));
  if (own === undefined || own.right === null) return null;
  return areEqual(gold, core, own.left, own.right, node) ? 'the other conditions make both columns equal' : null;
}

/** The columns that have one value only among rows of a SELECT that agree in some columns: by equalities and keys. */
export class Determined {
  readonly #gold: Gold;
  readonly #core: CoreSite;
  readonly #columns = new Set<ColumnId>();
  readonly #sources = new Set<ScopeSource>();

  /** `present` are columns of which only rows count that have a value there. */
  constructor(gold: Gold, core: CoreSite, start: readonly ColumnTarget[], present: readonly ColumnTarget[] = []) {
    this.#gold = gold;
    this.#core = core;
    for (const target of start) this.#columns.add(idOf(core, target));
    const known = columnsOf(gold, core);
    if (known.hasOuterJoin) return;
    const full = new Set(present.map((target) => idOf(core, target)));
    for (const { left, right } of known.equalities) if (right === null) this.#columns.add(idOf(core, left));
    while (this.#spread(known.equalities) || this.#closeKeys(full));
  }

  has(target: ColumnTarget): boolean {
    return this.#sources.has(target.source) || this.#columns.has(idOf(this.#core, target));
  }

  /** Checks whether an expression is a column that has one value. */
  tells(expression: Expression): boolean {
    const target = columnOf(this.#gold, this.#core, expression);
    return target !== null && this.has(target);
  }

  /** True if no two rows agree: a row of each table is determined. */
  get rows(): boolean {
    const { sources } = this.#core.bound;
    return sources.length > 0 && sources.every((source) => this.#sources.has(source));
  }

  #spread(equalities: readonly Equality[]): boolean {
    const before = this.#columns.size;
    for (const { left, right } of equalities) {
      if (right === null || this.has(left) === this.has(right)) continue;
      const [from, to] = this.has(left) ? [left, right] : [right, left];
      if (tellsValue(this.#gold, from, to)) this.#columns.add(idOf(this.#core, to));
    }
    return this.#columns.size > before;
  }

  #closeKeys(full: ReadonlySet<ColumnId>): boolean {
    const before = this.#sources.size;
    for (const source of this.#core.bound.sources) {
      if (this.#sources.has(source) || source.relation.table === null) continue;
      const keys = this.#gold.facts.keys.filter(([ref]) => ref?.table === source.relation.table);
      if (keys.some((key) => key.every((ref) => this.#pins(source, ref.column, full)))) this.#sources.add(source);
    }
    return this.#sources.size > before;
  }

  /** Checks whether a column of a key is determined, and not NULL: of that a key may have many. */
  #pins(source: ScopeSource, column: number, full: ReadonlySet<ColumnId>): boolean {
    const own = source.relation.columns.find((each) => baseOf(each)?.column === column);
    if (own === undefined) return false;
    const target: ColumnTarget = { kind: 'column', source, column: own };
    const id = idOf(this.#core, target);
    return this.#columns.has(id) && (full.has(id) || isNeverNull(this.#gold, this.#core, target));
  }
}

/** Checks whether each group of a SELECT has one row: what it groups by determines a row of each table. */
function hasOneRowGroups(gold: Gold, core: CoreSite): boolean {
  const terms = core.node.groupBy.map((term) => columnOf(gold, core, term));
  return (
    terms.length > 0 &&
    new Determined(
      gold,
      core,
      terms.filter((term) => term !== null),
    ).rows
  );
}

const EXTREMES = ['min', 'max'];

/** Why min and max of one column are the same, and the column itself, or null. */
export function extremeIsFree(gold: Gold, core: CoreSite, { name, args, filter }: FunctionCall): string | null {
  const [arg] = args;
  const isExtreme = EXTREMES.includes(name.name.toLowerCase()) && filter === null && arg?.kind === 'column';
  return isExtreme && hasOneRowGroups(gold, core) ? 'each group has one row' : null;
}

/** Why a SELECT is the same without its GROUP BY, or null. */
export function groupsAreFree(gold: Gold, core: CoreSite): string | null {
  const { node, select } = core;
  const isPlain = node.having === null && !selectsAggregate(node);
  const isOrdered = select.node.orderBy.some(({ expression }) => aggregates(expression));
  return isPlain && !isOrdered && hasOneRowGroups(gold, core) ? 'each group has one row' : null;
}

/** Why a SELECT is the same without a term of its GROUP BY, or null. */
export function termIsFree(gold: Gold, core: CoreSite, term: Expression): string | null {
  const target = columnOf(gold, core, term);
  if (target === null) return null;
  const others = core.node.groupBy.flatMap((other) => (other === term ? [] : (columnOf(gold, core, other) ?? [])));
  return new Determined(gold, core, others).has(target) ? 'the other terms tell its value' : null;
}

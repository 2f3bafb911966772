import { columnKey } from '../../../schema/schema.js';
import type { Expression, Source } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { baseOf, type ColumnTarget, type ScopeSource } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';
import { hasOuterJoin, isNeverNull } from './no-nulls.js';

/** A column of one of a SELECT's own tables, as a text. */
type ColumnId = string;

/** A condition that says that two columns, or a column and a constant, are equal. */
interface Equality {
  readonly node: Expression;
  readonly left: ColumnTarget;
  /** Null for a constant. */
  readonly right: ColumnTarget | null;
}

/** What a SELECT's conditions and its tables' keys say of the columns of its rows. */
interface CoreColumns {
  readonly hasOuterJoin: boolean;
  readonly equalities: readonly Equality[];
}

const KNOWN = new WeakMap<CoreSite, CoreColumns>();

function idOf({ bound }: CoreSite, { source, column }: ColumnTarget): ColumnId {
  return `${bound.sources.indexOf(source)}.${column.index}`;
}

/** The conditions that all have to be true for an expression to be. */
export function conjunctsOf(node: Expression | null): Expression[] {
  if (node === null) return [];
  const bare = unparenthesized(node);
  return bare.kind === 'binary' && bare.operator === 'AND'
    ? [...conjunctsOf(bare.left), ...conjunctsOf(bare.right)]
    : [bare];
}

function joinConditions(source: Source): Expression[] {
  if (source.kind === 'group') return joinConditions(source.source);
  if (source.kind !== 'join') return [];
  const own = source.constraint?.kind === 'on' ? conjunctsOf(source.constraint.condition) : [];
  return [...joinConditions(source.left), ...joinConditions(source.right), ...own];
}

/** The column of a SELECT's own tables that an expression is, or null. */
export function columnOf({ names }: Gold, { bound }: CoreSite, node: Expression): ColumnTarget | null {
  const bare = unparenthesized(node);
  const found = bare.kind === 'column' ? names.get(bare.column)?.found : undefined;
  if (found?.target.kind !== 'column' || found.merged.length > 0) return null;
  return bound.sources.includes(found.target.source) ? found.target : null;
}

function affinityOf({ facts }: Gold, { source, column }: ColumnTarget): string | undefined {
  const ref = source.relation.table === null ? null : baseOf(column);
  return ref === null ? undefined : facts.affinities.get(columnKey(ref));
}

/** Whether equal values of two columns are the same value: without a type, 1 and 1.0 are equal and two. */
function comparesExactly(gold: Gold, left: ColumnTarget, right: ColumnTarget): boolean {
  const affinity = affinityOf(gold, left);
  return affinity !== undefined && affinity !== 'BLOB' && affinity === affinityOf(gold, right);
}

function equalityOf(gold: Gold, core: CoreSite, node: Expression): Equality[] {
  if (node.kind !== 'binary' || (node.operator !== '=' && node.operator !== '==')) return [];
  const [left, right] = [columnOf(gold, core, node.left), columnOf(gold, core, node.right)];
  if (left !== null && right !== null) return comparesExactly(gold, left, right) ? [{ node, left, right }] : [];
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
  const { from, where } = core.node;
  const outer = from !== null && hasOuterJoin(from);
  const joined = from === null || outer ? [] : joinConditions(from);
  const equalities = [...joined, ...conjunctsOf(where)].flatMap((node) => equalityOf(gold, core, node));
  const columns: CoreColumns = { hasOuterJoin: outer, equalities };
  KNOWN.set(core, columns);
  return columns;
}

/** Whether two columns hold the same value in every row of a SELECT, by its conditions other than the one around `site`. */
export function areEqual(gold: Gold, core: CoreSite, a: ColumnTarget, b: ColumnTarget, site: Expression): boolean {
  const { start } = site.span;
  const others = columnsOf(gold, core).equalities.filter(({ node }) => start < node.span.start || start >= node.span.end);
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
    for (const { left, right } of known.equalities) {
      full.add(idOf(core, left));
      if (right === null) this.#columns.add(idOf(core, left));
      else full.add(idOf(core, right));
    }
    while (this.#spread(known.equalities) || this.#closeKeys(full));
  }

  has(target: ColumnTarget): boolean {
    return this.#sources.has(target.source) || this.#columns.has(idOf(this.#core, target));
  }

  /** Whether no two rows agree: a row of each table is determined. */
  get rows(): boolean {
    const { sources } = this.#core.bound;
    return sources.length > 0 && sources.every((source) => this.#sources.has(source));
  }

  #spread(equalities: readonly Equality[]): boolean {
    const before = this.#columns.size;
    for (const { left, right } of equalities) {
      if (right === null || this.has(left) === this.has(right)) continue;
      this.#columns.add(idOf(this.#core, this.has(left) ? right : left));
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

  /** Whether a column of a key is determined, and not NULL: of that a key may have many. */
  #pins(source: ScopeSource, column: number, full: ReadonlySet<ColumnId>): boolean {
    const own = source.relation.columns.find((each) => baseOf(each)?.column === column);
    if (own === undefined) return false;
    const target: ColumnTarget = { kind: 'column', source, column: own };
    const id = idOf(this.#core, target);
    return this.#columns.has(id) && (full.has(id) || isNeverNull(this.#gold, this.#core, target));
  }
}

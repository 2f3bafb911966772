import type {
  Between,
  Binary,
  Expression,
  FunctionCall,
  Identifier,
  In,
  Like,
  Select,
  SelectCore,
} from '../../sql/ast.js';
import { isExtreme, isNumericAggregate } from '../../sql/aggregates.js';
import { mirroredOperator, plainOperator } from '../../sql/operators.js';
import { bareExpression, conjunctsOf, joinsOf, literalValue, onCondition } from '../../sql/ast-walk.js';
import type { BoundCore, BoundOutput, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import type { RelationColumn, ScopeSource, Target } from '../../sql/scope.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Cell, ValueConstraint, Witness } from './value-constraints.js';
import { itemAt } from '../../present.js';

const OPPOSITE: Readonly<Record<string, string>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
/** As far as rows go, which have no NULL where a value is wanted. */
const WITHOUT_NULL: Readonly<Record<string, string>> = { IS: '=', 'IS NOT': '!=' };

/** A witness while it is collected; `turn` decides between the branches of an OR. */
class WitnessCollector {
  readonly #query: BoundQuery;
  readonly #turn: number;
  readonly #names: ReadonlyMap<Identifier, NameBinding>;
  readonly #cores: ReadonlyMap<SelectCore, BoundCore>;
  readonly #outputs: ReadonlyMap<RelationColumn, BoundOutput>;
  readonly #rows = new Map<ScopeSource, number>();
  readonly #tables: number[] = [];
  readonly #equal: [Cell, Cell][] = [];
  readonly #less: [Cell, Cell][] = [];
  readonly #constraints: [Cell, ValueConstraint][] = [];
  readonly #shared: Cell[] = [];

  constructor(query: BoundQuery, turn: number) {
    this.#query = query;
    this.#turn = turn;
    this.#names = new Map(query.names.map((binding) => [binding.token, binding]));
    this.#cores = new Map(query.cores.map((core) => [core.node, core]));
    this.#outputs = new Map(
      query.cores.flatMap(({ outputs }) => outputs.map((output) => [output.column, output] as const)),
    );
  }

  collect(): Witness {
    const results = this.#select(this.#query.select).filter((cell) => cell !== null);
    return {
      results,
      rows: this.#tables,
      equal: this.#equal,
      less: this.#less,
      constraints: this.#constraints,
      shared: this.#shared,
    };
  }

  /** Makes a query find something; the cells of its result columns, null where they are computed. */
  #select(select: Select): readonly (Cell | null)[] {
    for (const table of select.with?.tables ?? []) this.#select(table.select);
    let first: readonly (Cell | null)[] | null = null;
    for (const { operator, body } of select.terms) {
      const core = body.kind === 'core' ? this.#cores.get(body) : undefined;
      if (core === undefined) continue;
      if (operator === 'EXCEPT') {
        this.#avoid(first ?? [], core);
        continue;
      }
      const cells = this.#core(core);
      if (operator === 'INTERSECT') cells.forEach((cell, c) => this.#unify(first?.[c] ?? null, cell));
      first ??= cells;
    }
    return first ?? [];
  }

  #core(core: BoundCore): readonly (Cell | null)[] {
    for (const source of core.sources) this.#open(source);
    for (const { merges } of core.sources) {
      for (const { left, right } of merges) this.#unify(this.#cellOfTarget(left), this.#cellOfTarget(right));
    }
    for (const condition of [...joinsOf(core.node.from).map(onCondition), core.node.where]) {
      if (condition !== null) this.#condition(condition, true);
    }
    this.#shared.push(...core.node.groupBy.flatMap((expression) => this.#cellOf(expression) ?? []));
    if (core.node.having !== null) this.#condition(core.node.having, true);
    return core.outputs.map(({ column }) => this.#cellOfColumn(null, column));
  }

  #open(source: ScopeSource): void {
    if (this.#rows.has(source)) return;
    if (source.relation.table !== null) this.#rows.set(source, this.#tables.push(source.relation.table) - 1);
    else if (source.node.kind === 'derived') this.#select(source.node.select);
  }

  /** Cells whose values a query must not select: they hold what no other row does, and miss its conditions. */
  #avoid(cells: readonly (Cell | null)[], core: BoundCore): void {
    for (const cell of cells) if (cell !== null) this.#constraints.push([cell, { kind: 'alone' }]);
    for (const condition of conjunctsOf(core.node.where)) {
      if (condition.kind === 'binary' && /^(?:=|==|IS)$/u.test(condition.operator)) this.#miss(condition);
    }
  }

  /** Rows so far miss a condition of a query that is to find nothing: a constant, or a cell that it is compared with. */
  #miss({ left, right }: Binary): void {
    for (const side of [left, right]) this.#constrain(this.#cellOf(side), { kind: 'alone' });
    const target = this.#targetOf(left);
    const value = this.#literalOf(right);
    if (target?.kind !== 'column' || value === undefined) return;
    for (const [row, table] of this.#tables.entries()) {
      if (table !== target.source.relation.table) continue;
      this.#constraints.push([
        { row, column: target.column.index },
        { kind: 'not', value },
      ]);
    }
  }

  #condition(expression: Expression, wanted: boolean): void {
    const bare = bareExpression(expression);
    switch (bare.kind) {
      case 'unary':
        if (bare.operator === 'NOT') this.#condition(bare.operand, !wanted);
        return;
      case 'binary':
        this.#binary(bare, wanted);
        return;
      case 'like':
        this.#like(bare, wanted);
        return;
      case 'between':
        this.#between(bare, wanted);
        return;
      case 'in':
        this.#in(bare, wanted);
        return;
      case 'null-test':
        this.#constrain(this.#cellOf(bare.operand), this.#nullConstraint(bare.negated !== wanted));
        return;
      case 'exists':
        if (wanted) this.#select(bare.select);
        else this.#avoidAny(bare.select, []);
        return;
      default:
        return;
    }
  }

  #nullConstraint(isNull: boolean): ValueConstraint {
    return isNull ? { kind: 'one-of', values: [null] } : { kind: 'not', value: null };
  }

  #binary(node: Binary, wanted: boolean): void {
    if (node.operator === 'AND' || node.operator === 'OR') {
      const both = (node.operator === 'AND') === wanted;
      if (both || this.#turn % 2 === 0) this.#condition(node.left, wanted);
      if (both || this.#turn % 2 === 1) this.#condition(node.right, wanted);
      return;
    }
    const written = WITHOUT_NULL[node.operator] ?? plainOperator(node.operator);
    const opposite = OPPOSITE[written];
    if (opposite === undefined) return;
    const operator = wanted ? written : opposite;
    const [left, right] = [bareExpression(node.left), bareExpression(node.right)];
    if (isNumericAggregate(left)) this.#aggregate(left, operator, right);
    else if (isNumericAggregate(right)) this.#aggregate(right, mirroredOperator(operator), left);
    else this.#compare(left, operator, right);
  }

  #compare(left: Expression, operator: string, right: Expression): void {
    const [a, b] = [this.#cellOf(left), this.#cellOf(right)];
    if (a === null && b !== null) this.#compare(right, mirroredOperator(operator), left);
    else if (a !== null && b !== null) this.#compareCells(a, operator, b);
    else if (right.kind === 'subquery') this.#compareResult(a, operator, right.select);
    else if (left.kind === 'subquery') this.#compareResult(null, operator, left.select);
    else this.#compareValue(a, operator, this.#literalOf(right));
  }

  #compareCells(a: Cell, operator: string, b: Cell): void {
    if (operator === '=') this.#unify(a, b);
    else if (operator.startsWith('<')) this.#less.push([a, b]);
    else if (operator.startsWith('>')) this.#less.push([b, a]);
    else this.#constraints.push([a, { kind: 'alone' }]);
  }

  #compareValue(cell: Cell | null, operator: string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    if (operator === '=') this.#constrain(cell, { kind: 'one-of', values: [value] });
    else if (operator === '!=') this.#constrain(cell, { kind: 'not', value });
    else
      this.#constrain(cell, {
        kind: operator.startsWith('>') ? 'above' : 'below',
        value,
        strict: operator.length === 1,
      });
  }

  /** `= (SELECT max(c) …)` is met by the row that has the maximum: its cell and the one compared are the same. */
  #compareResult(cell: Cell | null, operator: string, select: Select): void {
    const cells = this.#select(select);
    const [first] = select.terms;
    const node = first?.body.kind === 'core' ? first.body.columns[0] : undefined;
    const result = node?.kind === 'result' ? bareExpression(node.expression) : null;
    const extreme = result !== null && isExtreme(result) ? result.args[0] : undefined;
    const inner = extreme === undefined ? (cells[0] ?? null) : this.#cellOf(extreme);
    if (operator === '=') this.#unify(cell, inner);
    else if (operator.startsWith('>')) this.#constrain(cell, { kind: 'most' });
    else if (operator.startsWith('<')) this.#constrain(cell, { kind: 'least' });
  }

  #aggregate(call: FunctionCall, operator: string, right: Expression): void {
    const value = this.#literalOf(right);
    if (right.kind === 'subquery') this.#select(right.select);
    if (value === undefined || call.name.name.toLowerCase() === 'count') return;
    const argument = call.args[0] === undefined ? null : this.#cellOf(call.args[0]);
    const sum = /^(?:sum|total)$/iu.test(call.name.name);
    if (sum && operator === '<') this.#constrain(argument, { kind: 'least' });
    else if (!sum || operator.startsWith('>')) this.#compareValue(argument, operator, value);
  }

  #like({ left, right, negated, operator }: Like, wanted: boolean): void {
    const pattern = this.#literalOf(right);
    if (negated === wanted || typeof pattern !== 'string') return;
    const like = operator === 'GLOB' ? pattern.replaceAll('*', '%').replaceAll('?', '_') : pattern;
    this.#constrain(this.#cellOf(left), { kind: 'like', pattern: like });
  }

  #between({ operand, low, high, negated }: Between, wanted: boolean): void {
    const bare = bareExpression(operand);
    const [from, to] = [this.#literalOf(low), this.#literalOf(high)];
    if (isNumericAggregate(bare)) {
      this.#aggregate(bare, '>=', low);
      return;
    }
    const cell = this.#cellOf(bare);
    if (negated !== wanted) {
      this.#compareValue(cell, '>=', from);
      this.#compareValue(cell, '<=', to);
    } else this.#compareValue(cell, '>', to);
  }

  #in({ operand, source, negated }: In, wanted: boolean): void {
    const cell = this.#cellOf(operand);
    if (source.kind === 'table') return;
    if (source.kind === 'subquery') {
      if (negated === wanted) this.#avoidAny(source.select, [cell]);
      else this.#unify(cell, this.#select(source.select)[0] ?? null);
      return;
    }
    const values = source.items.flatMap((item) => this.#literalOf(bareExpression(item)) ?? []);
    if (negated === wanted) for (const value of values) this.#constrain(cell, { kind: 'not', value });
    else if (values.length > 0)
      this.#constrain(cell, { kind: 'one-of', values: [itemAt(values, this.#turn % values.length)] });
  }

  #avoidAny(select: Select, cells: readonly (Cell | null)[]): void {
    for (const { body } of select.terms) {
      const core = body.kind === 'core' ? this.#cores.get(body) : undefined;
      if (core !== undefined) this.#avoid(cells, core);
    }
  }

  #constrain(cell: Cell | null, constraint: ValueConstraint): void {
    if (cell !== null) this.#constraints.push([cell, constraint]);
  }

  #unify(a: Cell | null, b: Cell | null): void {
    if (a !== null && b !== null) this.#equal.push([a, b]);
  }

  #literalOf(expression: Expression): SqlValue | undefined {
    return literalValue(expression, (token) => this.#names.get(token)?.found === null);
  }

  #targetOf(expression: Expression): Target | null {
    const bare = bareExpression(expression);
    return bare.kind === 'column' ? (this.#names.get(bare.column)?.found?.target ?? null) : null;
  }

  /** The cell that an expression reads; through a function of one argument, too, as `lower(name)`. */
  #cellOf(expression: Expression): Cell | null {
    const bare = bareExpression(expression);
    if (bare.kind === 'cast') return this.#cellOf(bare.operand);
    const [only, ...others] = bare.kind === 'function' ? bare.args : [];
    if (only !== undefined && others.length === 0 && !isNumericAggregate(bare)) return this.#cellOf(only);
    const target = this.#targetOf(bare);
    return target === null ? null : this.#cellOfTarget(target);
  }

  #cellOfTarget(target: Target): Cell | null {
    if (target.kind === 'alias') return this.#cellOf(target.node.expression);
    return target.kind === 'column' ? this.#cellOfColumn(target.source, target.column) : null;
  }

  #cellOfColumn(source: ScopeSource | null, column: RelationColumn): Cell | null {
    if (source !== null && source.relation.table !== null) {
      const row = this.#rows.get(source);
      return row === undefined ? null : { row, column: column.index };
    }
    const output = this.#outputs.get(column);
    if (output?.found != null) return this.#cellOfTarget(output.found.target);
    const inner = output === undefined && 'inner' in column.origin ? column.origin.inner : null;
    return inner === null ? null : this.#cellOfColumn(null, inner);
  }
}

/**
 * The rows that would make a query find something, as far as its comparisons with constants and between columns tell:
 * joins, subqueries, INTERSECT and IN share values, EXCEPT and NOT IN avoid them. `turn` picks the branch of OR and
 * the item of IN lists, so that two turns serve both. Null for a query that reads no table.
 */
export function witnessOf(query: BoundQuery, turn: number): Witness | null {
  const witness = new WitnessCollector(query, turn).collect();
  return witness.rows.length === 0 ? null : witness;
}

import type { ColumnRef, Database } from '../schema/schema.js';
import type {
  ColumnNode,
  Expression,
  FunctionCall,
  Identifier,
  Join,
  OrderingTerm,
  Select,
  SelectCore,
  Source,
} from './ast.js';
import { itemAt } from '../present.js';
import { bareExpression } from './ast-walk.js';
import { bindQuery } from './binder.js';
import type { BoundQuery, NameBinding, TableBinding } from './bound-query.js';
import { plainOperator } from './operators.js';
import { foldName } from './dialect.js';
import { baseOf, type Relation } from './scope.js';
import { sqlFault } from './sql-fault.js';

/** `[aggregate, column, distinct]`; column 0 is `*`, others count from 1 in the order of tables.json. */
export type SpiderColumnUnit = readonly [aggregate: number, column: number, distinct: boolean];
/** `[operator, left, right]`; right is null without an operator. */
export type SpiderValueUnit = readonly [operator: number, left: SpiderColumnUnit, right: SpiderColumnUnit | null];
/** A number, a string in double quotes, a column or a subquery. */
export type SpiderValue = number | string | SpiderColumnUnit | SpiderSql;
/** `[negated, operator, left, value, second value of BETWEEN]`. */
export type SpiderCondition = readonly [boolean, number, SpiderValueUnit, SpiderValue | null, SpiderValue | null];
/** Conditions with `and` and `or` between them. */
export type SpiderConditions = readonly (SpiderCondition | 'and' | 'or')[];
export type SpiderTableUnit = readonly ['table_unit', number] | readonly ['sql', SpiderSql];

/** The `sql` field of a Spider example, as Spider's process_sql.py makes it. */
export interface SpiderSql {
  readonly from: { readonly table_units: readonly SpiderTableUnit[]; readonly conds: SpiderConditions };
  /** `[distinct, [[aggregate, value unit], …]]`. */
  readonly select: readonly [boolean, readonly (readonly [number, SpiderValueUnit])[]];
  readonly where: SpiderConditions;
  readonly groupBy: readonly SpiderColumnUnit[];
  readonly having: SpiderConditions;
  readonly orderBy: readonly [] | readonly ['asc' | 'desc', readonly SpiderValueUnit[]];
  readonly limit: number | null;
  readonly intersect: SpiderSql | null;
  readonly union: SpiderSql | null;
  readonly except: SpiderSql | null;
}

/** The numbers that the tables of a schema have in a structure, and the columns of each table. */
export interface SchemaNumbers {
  readonly tables: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

/** Tables by their places, columns in the order of tables.json, where 0 is `*`. */
export function schemaNumbers({ tables }: Database): SchemaNumbers {
  let next = 1;
  return { tables: tables.map((_, i) => i), columns: tables.map(({ columns }) => columns.map(() => next++)) };
}

// Positions in these lists are Spider's ids; read off the `sql` fields of Spider's dev.json.
const AGGREGATES = ['none', 'max', 'min', 'count', 'sum', 'avg'];
const UNIT_OPERATORS = ['none', '-', '+', '*', '/'];
const CONDITIONS = ['not', 'between', '=', '>', '<', '>=', '<=', '!=', 'in', 'like', 'is', 'exists'];

class SpiderBuilder {
  readonly #sql: string;
  readonly #hasQuirks: boolean;
  readonly #names: ReadonlyMap<Identifier, NameBinding>;
  readonly #tables: ReadonlyMap<Identifier, TableBinding>;
  readonly #aliases: ReadonlyMap<string, Relation>;
  readonly #numbers: SchemaNumbers;

  constructor(query: BoundQuery, numbers: SchemaNumbers, hasQuirks: boolean) {
    this.#sql = query.sql;
    this.#hasQuirks = hasQuirks;
    this.#names = new Map(query.names.map((binding) => [binding.token, binding]));
    this.#tables = new Map(query.tables.map((binding) => [binding.token, binding]));
    this.#aliases = hasQuirks ? lastAliases(query) : new Map();
    this.#numbers = numbers;
  }

  select(select: Select): SpiderSql {
    if (select.with !== null) throw this.#fault(select.with, 'WITH');
    const [last, ...earlier] = [...select.terms].reverse();
    if (last === undefined) throw this.#fault(select, 'an empty query');
    let result = this.#core(last.body, select);
    let operator = last.operator;
    for (const term of earlier) {
      const key = operator === 'INTERSECT' ? 'intersect' : operator === 'EXCEPT' ? 'except' : 'union';
      result = { ...this.#core(term.body, null), [key]: result };
      operator = term.operator;
    }
    return result;
  }

  /** One SELECT; Spider hangs ORDER BY and LIMIT of a compound on its last. */
  #core(core: Select['terms'][number]['body'], ending: Select | null): SpiderSql {
    if (core.kind !== 'core') throw this.#fault(core, 'VALUES');
    return {
      from: this.#from(core.from),
      select: this.#result(core),
      where: this.#conditions(core.where),
      groupBy: core.groupBy.map((expression) => this.#columnUnit(expression)),
      having: this.#conditions(core.having),
      orderBy: this.#orderBy(ending?.orderBy ?? []),
      limit: this.#limit(ending),
      intersect: null,
      union: null,
      except: null,
    };
  }

  #from(from: Source | null): SpiderSql['from'] {
    const units: SpiderTableUnit[] = [];
    const conditions: SpiderConditions[] = [];
    for (const source of from === null ? [] : flatten(from)) {
      if (source.kind === 'join') conditions.push(...this.#joinConditions(source));
      else units.push(this.#tableUnit(source));
    }
    // AND binds tighter: next to others, an OR would change its meaning.
    if (from !== null && conditions.length > 1 && conditions.some((list) => list.includes('or'))) {
      throw this.#fault(from, 'OR in one of several join conditions');
    }
    const conds = conditions.flatMap((list, i) => (i === 0 ? list : ['and' as const, ...list]));
    return { table_units: units, conds };
  }

  /** Of a join's conditions, dev.json holds those before the first OR. */
  #joinConditions(join: Join): SpiderConditions[] {
    const plain = join.type === 'inner' || join.type === 'comma' || join.type === 'cross';
    if (!plain || join.natural !== null || join.constraint?.kind === 'using') throw this.#fault(join, 'this join');
    if (join.constraint === null) return [];
    const conditions = this.#conditions(join.constraint.condition);
    const or = this.#hasQuirks ? conditions.indexOf('or') : -1;
    return [or < 0 ? conditions : conditions.slice(0, or)];
  }

  #tableUnit(source: Source): SpiderTableUnit {
    if (source.kind === 'derived') return ['sql', this.select(source.select)];
    const table = source.kind === 'table' ? this.#tables.get(source.name)?.table : null;
    if (table == null) throw this.#fault(source, 'this table');
    return ['table_unit', itemAt(this.#numbers.tables, table)];
  }

  #result(core: SelectCore): SpiderSql['select'] {
    const columns = core.columns.map((column): readonly [number, SpiderValueUnit] => {
      if (column.kind === 'star') return [0, [0, [0, 0, false], null]];
      return this.#selected(bareExpression(column.expression));
    });
    return [core.quantifier === 'DISTINCT', columns];
  }

  /** A result column: the aggregate stands outside the value unit here, and only here. */
  #selected(expression: Expression): readonly [number, SpiderValueUnit] {
    if (expression.kind !== 'function') return [0, this.#valueUnit(expression)];
    const aggregate = this.#aggregate(expression);
    const [argument] = expression.args;
    if (argument === undefined) return [aggregate, [0, [0, 0, false], null]];
    const [operator, left, right] = this.#valueUnit(bareExpression(argument));
    return [aggregate, [operator, [left[0], left[1], left[2] || expression.distinct], right]];
  }

  #valueUnit(expression: Expression): SpiderValueUnit {
    const bare = bareExpression(expression);
    if (bare.kind !== 'binary') return [0, this.#columnUnit(bare), null];
    const operator = UNIT_OPERATORS.indexOf(bare.operator);
    if (operator < 1) throw this.#fault(bare, 'this expression');
    return [operator, this.#columnUnit(bare.left), this.#columnUnit(bare.right)];
  }

  #columnUnit(expression: Expression): SpiderColumnUnit {
    const bare = bareExpression(expression);
    if (bare.kind === 'column') return this.#columnOf(bare);
    if (bare.kind !== 'function') throw this.#fault(bare, 'this expression');
    const aggregate = this.#aggregate(bare);
    const [argument] = bare.args;
    if (argument === undefined) return [aggregate, 0, false];
    const inner = this.#columnUnit(argument);
    if (inner[0] !== 0) throw this.#fault(bare, 'a nested aggregate');
    return [aggregate, inner[1], bare.distinct];
  }

  #aggregate(call: FunctionCall): number {
    const aggregate = AGGREGATES.indexOf(call.name.name.toLowerCase());
    const plain = call.filter === null && call.over === null && call.orderBy.length === 0;
    const arity = call.star ? call.name.name.toLowerCase() === 'count' : call.args.length === 1;
    if (aggregate < 1 || !plain || !arity) throw this.#fault(call, 'this function');
    return aggregate;
  }

  #columnOf(node: ColumnNode): SpiderColumnUnit {
    const target = this.#names.get(node.column)?.found?.target;
    if (target?.kind === 'alias') return this.#columnUnit(target.node.expression);
    const ref = this.#byLastAlias(node) ?? (target?.kind === 'column' ? baseOf(target.column) : null);
    if (ref === null) throw this.#fault(node, `the column ${node.column.name}`);
    return [0, itemAt(itemAt(this.#numbers.columns, ref.table), ref.column), false];
  }

  /** process_sql.py knows one table per alias in the whole query text: the last one, if it has such a column. */
  #byLastAlias({ table, column }: ColumnNode): ColumnRef | null {
    const relation = table === null ? undefined : this.#aliases.get(foldName(table.name));
    const named = relation?.columns.find(({ rawName }) => foldName(rawName) === foldName(column.name));
    return named === undefined ? null : baseOf(named);
  }

  #conditions(expression: Expression | null): SpiderConditions {
    return expression === null ? [] : this.#condition(expression, 0);
  }

  /** AND and OR in a flat list; Spider has no parentheses, so they must not change the meaning. */
  #condition(expression: Expression, tightness: number): SpiderConditions {
    const bare = bareExpression(expression);
    const level = bare.kind !== 'binary' ? 0 : bare.operator === 'OR' ? 1 : bare.operator === 'AND' ? 2 : 0;
    if (bare.kind !== 'binary' || level === 0) return [this.#comparison(bare)];
    if (level < tightness) throw this.#fault(bare, 'OR in parentheses');
    const word = level === 1 ? 'or' : 'and';
    return [...this.#condition(bare.left, level), word, ...this.#condition(bare.right, level)];
  }

  #comparison(expression: Expression): SpiderCondition {
    const id = (name: string): number => CONDITIONS.indexOf(name);
    switch (expression.kind) {
      case 'binary': {
        const operator = id(plainOperator(expression.operator).toLowerCase());
        if (operator < 2 || operator === 10) throw this.#fault(expression, `the operator ${expression.operator}`);
        return [false, operator, this.#valueUnit(expression.left), this.#value(expression.right), null];
      }
      case 'between': {
        const values = [this.#value(expression.low), this.#value(expression.high)] as const;
        return [expression.negated, id('between'), this.#valueUnit(expression.operand), ...values];
      }
      case 'like':
        if (expression.operator !== 'LIKE' || expression.escape !== null) throw this.#fault(expression, 'this LIKE');
        return [expression.negated, id('like'), this.#valueUnit(expression.left), this.#value(expression.right), null];
      case 'in': {
        const { source, negated, operand } = expression;
        if (source.kind !== 'subquery') throw this.#fault(source, 'IN without a subquery');
        return [negated, id('in'), this.#valueUnit(operand), this.select(source.select), null];
      }
      default:
        throw this.#fault(expression, 'this condition');
    }
  }

  #value(expression: Expression): SpiderValue {
    const bare = bareExpression(expression);
    if (bare.kind === 'subquery') return this.select(bare.select);
    if (bare.kind === 'literal' && bare.type === 'number') return Number(bare.value);
    if (bare.kind === 'literal' && bare.type === 'string') return `"${bare.value}"`;
    if (bare.kind === 'unary' && bare.operator === '-') {
      const value = this.#value(bare.operand);
      if (typeof value === 'number') return -value;
    }
    if (bare.kind === 'column' && this.#names.get(bare.column)?.found === null) return `"${bare.column.name}"`;
    return this.#columnUnit(bare);
  }

  #orderBy(terms: readonly OrderingTerm[]): SpiderSql['orderBy'] {
    if (terms.length === 0) return [];
    // One direction for all terms: the last one written.
    const direction = terms.findLast((term) => term.direction !== null)?.direction ?? 'ASC';
    return [direction === 'DESC' ? 'desc' : 'asc', terms.map(({ expression }) => this.#orderUnit(expression))];
  }

  #orderUnit(expression: Expression): SpiderValueUnit {
    const bare = bareExpression(expression);
    const target = bare.kind === 'column' ? this.#names.get(bare.column)?.found?.target : undefined;
    return this.#valueUnit(target?.kind === 'alias' ? target.node.expression : bare);
  }

  #limit(ending: Select | null): number | null {
    const limit = ending?.limit ?? null;
    if (limit === null) return null;
    const { count, offset } = limit;
    if (offset !== null || count?.kind !== 'literal' || count.type !== 'number') throw this.#fault(limit, 'this LIMIT');
    return Number(count.value);
  }

  #fault(node: { readonly span: { readonly start: number } }, what: string): Error {
    const fix = 'Leave the query out of the comparison by clauses.';
    return sqlFault(this.#sql, node.span.start, `Spider's structure has no form for ${what}`, fix);
  }
}

/** Each table alias of a query with the table that it was given to last in the text. */
function lastAliases({ cores }: BoundQuery): Map<string, Relation> {
  const aliased = cores.flatMap(({ sources }) =>
    sources.filter(({ node, relation }) => node.alias !== null && relation.table !== null),
  );
  aliased.sort((a, b) => a.node.span.start - b.node.span.start);
  return new Map(aliased.map(({ label, relation }) => [foldName(label ?? ''), relation]));
}

/** Tables and joins in Spider's order: each join after its right-hand table. */
function flatten(source: Source): Source[] {
  if (source.kind === 'group') return flatten(source.source);
  if (source.kind !== 'join') return [source];
  return [...flatten(source.left), ...flatten(source.right), source];
}

/**
 * The structure that Spider's process_sql.py makes of a query, equal as JSON to the `sql` field of Spider's examples.
 * Quirks kept: numbers are floats; strings carry double quotes; the aggregate of a result column stands outside its
 * value unit, elsewhere inside the column unit; join conditions form one list with `and` between; ORDER BY and LIMIT of
 * a compound depend on its last SELECT; compounds nest to the right; ORDER BY has one direction. A table alias stands
 * for the table that got it last in the whole text, if that table has the column; else names are resolved by SQL's
 * rules. Of a join's conditions only those before an OR are kept.
 * @throws SqlRewriteError with the position where a query can't be resolved, or where the structure has no form for it
 * (outer joins, IN lists, OR in parentheses, IS NULL, EXISTS, CASE, WITH, OFFSET, …)
 */
export function toSpiderSql(sql: string, database: Database): SpiderSql {
  const query = bindQuery(sql, database);
  return new SpiderBuilder(query, schemaNumbers(database), true).select(query.select);
}

/**
 * As `toSpiderSql`, but names are resolved by SQL's rules alone and join conditions are kept after OR.
 * @throws SqlRewriteError as `toSpiderSql`, and for an OR in one of several join conditions
 */
export function toStructure(query: BoundQuery, numbers: SchemaNumbers): SpiderSql {
  return new SpiderBuilder(query, numbers, false).select(query.select);
}

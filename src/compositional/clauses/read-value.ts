import { unparenthesized } from '../../sql/ast-walk.js';
import type { Binary, Case, ColumnNode, Expression, FunctionCall, In, Literal, Select } from '../../sql/ast.js';
import { comparisonOf } from '../../sql/operators.js';
import type { ScopeSource } from '../../sql/scope.js';
import type {
  ClauseCase,
  ClauseComparison,
  ClauseCondition,
  ClauseLiteral,
  ClauseQuery,
  ClauseValue,
  ComparisonOperator,
} from './clause.js';
import { ClauseRefusal, type RefusalReason } from './clause-refusal.js';
import type { TableUse } from './clause-parts.js';
import { columnOfTarget, type QueryNames } from './read-from.js';

/** The context for reading values of one SELECT. */
export interface ValueContext {
  readonly sql: string;
  readonly names: QueryNames;
  readonly uses: ReadonlyMap<ScopeSource, TableUse>;
  /** Reads a nested query. */
  readonly nested: (select: Select) => ClauseQuery;
  /** The value of a result column by its index. */
  readonly output: (index: number) => ClauseValue;
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '||', '&', '|']);

function literalOf({ type, value }: Literal): ClauseLiteral {
  if (type === 'number' || type === 'string' || type === 'null') return { kind: 'literal', type, value };
  return { kind: 'literal', type: 'other', value };
}

/** Reads the values and conditions of one SELECT. */
export class ValueReader {
  readonly #context: ValueContext;

  constructor(context: ValueContext) {
    this.#context = context;
  }

  /** @throws ClauseRefusal where the form has no place for the expression */
  value(expression: Expression): ClauseValue {
    const bare = unparenthesized(expression);
    switch (bare.kind) {
      case 'literal':
        return literalOf(bare);
      case 'column':
        return this.#column(bare);
      case 'function':
        return this.#call(bare);
      case 'binary':
        return this.#arithmetic(bare);
      case 'unary':
        return this.#negative(bare);
      case 'cast':
        return { kind: 'cast', operand: this.value(bare.operand), type: bare.type };
      case 'case':
        return this.#case(bare);
      case 'subquery':
        return { kind: 'query', query: this.#context.nested(bare.select) };
      default:
        throw this.#refusal('expression', bare);
    }
  }

  #column(node: ColumnNode): ClauseValue {
    const binding = this.#context.names.binding(node.column);
    if (binding === undefined) throw this.#refusal('unreadable', node);
    if (binding.found === null) return { kind: 'literal', type: 'string', value: node.column.name };
    const { target } = binding.found;
    if (target.kind === 'alias') return this.value(target.node.expression);
    if (target.kind === 'output') return this.#context.output(target.column.index);
    if (target.kind !== 'column') throw this.#refusal('expression', node);
    const column = columnOfTarget(target, this.#context.uses);
    if (column === null) throw this.#refusal('correlated', node);
    return column;
  }

  #call(call: FunctionCall): ClauseValue {
    if (call.over !== null || call.filter !== null || call.orderBy.length > 0) throw this.#refusal('window', call);
    const name = call.name.name.toLowerCase();
    if (name === 'iif' && call.args.length === 3) return this.#iif(call.args);
    const star = { kind: 'star', table: null } as const;
    const args = call.star ? [star] : call.args.map((arg) => this.value(arg));
    return { kind: 'call', name, distinct: call.distinct, args };
  }

  #iif([when, then, otherwise]: readonly Expression[]): ClauseCase {
    const empty: ClauseValue = { kind: 'literal', type: 'null', value: 'NULL' };
    const branch = {
      when: when === undefined ? [] : this.conditions(when),
      then: then === undefined ? empty : this.value(then),
    };
    return { kind: 'case', branches: [branch], otherwise: otherwise === undefined ? null : this.value(otherwise) };
  }

  #arithmetic(node: Binary): ClauseValue {
    if (!ARITHMETIC.has(node.operator)) throw this.#refusal('expression', node);
    const [left, right] = [this.value(node.left), this.value(node.right)];
    return { kind: 'arithmetic', operator: node.operator, left, right };
  }

  #negative(node: Extract<Expression, { kind: 'unary' }>): ClauseValue {
    const operand = this.value(node.operand);
    const isNumber = operand.kind === 'literal' && operand.type === 'number' && !operand.value.startsWith('-');
    if (node.operator === '+') return operand;
    if (node.operator !== '-' || !isNumber) throw this.#refusal('expression', node);
    return { ...operand, value: `-${operand.value}` };
  }

  #case({ operand, branches, otherwise }: Case): ClauseCase {
    const subject = operand === null ? null : this.value(operand);
    const when = (expression: Expression): readonly ClauseCondition[] => {
      if (subject === null) return this.conditions(expression);
      const right = [this.value(expression)];
      return [asCondition({ kind: 'comparison', left: subject, negated: false, operator: '=', right })];
    };
    return {
      kind: 'case',
      branches: branches.map((branch) => ({ when: when(branch.when), then: this.value(branch.then) })),
      otherwise: otherwise === null ? null : this.value(otherwise),
    };
  }

  /** Conditions with the connectives between them; OR below AND becomes one with `any`. */
  conditions(expression: Expression): readonly ClauseCondition[] {
    const bare = unparenthesized(expression);
    if (bare.kind !== 'binary' || (bare.operator !== 'OR' && bare.operator !== 'AND')) return [this.#condition(bare)];
    const connective = bare.operator === 'OR' ? 'or' : 'and';
    const side = (node: Expression): readonly ClauseCondition[] => {
      const read = this.conditions(node);
      const isOr = connective === 'and' && read.some((condition) => condition.connective === 'or');
      return isOr ? [asCondition({ kind: 'any', negated: false, conditions: read })] : read;
    };
    return joined(side(bare.left), connective, side(bare.right));
  }

  #condition(node: Expression): ClauseCondition {
    if (node.kind === 'unary' && node.operator === 'NOT') return this.#negated(node.operand);
    return asCondition(this.#comparison(node));
  }

  #negated(operand: Expression): ClauseCondition {
    const conditions = this.conditions(operand);
    const [only, ...others] = conditions;
    if (only === undefined || others.length > 0) return asCondition({ kind: 'any', negated: true, conditions });
    return { ...only, test: { ...only.test, negated: !only.test.negated } };
  }

  #comparison(node: Expression): ClauseComparison {
    switch (node.kind) {
      case 'binary':
        return this.#binary(node);
      case 'between': {
        const right = [this.value(node.low), this.value(node.high)];
        return this.#compared('between', node.operand, node.negated, right);
      }
      case 'like':
        if (node.operator !== 'LIKE' || node.escape !== null) throw this.#refusal('condition', node);
        return this.#compared('like', node.left, node.negated, [this.value(node.right)]);
      case 'in':
        return this.#compared('in', node.operand, node.negated, this.#listOf(node));
      case 'null-test':
        return this.#compared('is', node.operand, node.negated, [{ kind: 'literal', type: 'null', value: 'NULL' }]);
      case 'exists': {
        const right: readonly ClauseValue[] = [{ kind: 'query', query: this.#context.nested(node.select) }];
        return { kind: 'comparison', left: null, negated: false, operator: 'exists', right };
      }
      default:
        throw this.#refusal('condition', node);
    }
  }

  #binary(node: Binary): ClauseComparison {
    const operator = comparisonOf(node.operator);
    if (operator !== null) return this.#compared(operator, node.left, false, [this.value(node.right)]);
    const right = this.value(node.right);
    const isNull = right.kind === 'literal' && right.type === 'null';
    if (!isNull || (node.operator !== 'IS' && node.operator !== 'IS NOT')) throw this.#refusal('condition', node);
    return this.#compared('is', node.left, node.operator === 'IS NOT', [right]);
  }

  #compared(
    operator: ComparisonOperator,
    operand: Expression,
    negated: boolean,
    right: readonly ClauseValue[],
  ): ClauseComparison {
    return { kind: 'comparison', left: this.value(operand), negated, operator, right };
  }

  #listOf({ source }: In): readonly ClauseValue[] {
    if (source.kind === 'subquery') return [{ kind: 'query', query: this.#context.nested(source.select) }];
    if (source.kind === 'list') return source.items.map((item) => this.value(item));
    throw this.#refusal('condition', source);
  }

  #refusal(
    reason: RefusalReason,
    { span }: { readonly span: { readonly start: number; readonly end: number } },
  ): Error {
    return new ClauseRefusal(reason, this.#context.sql.slice(span.start, span.end));
  }
}

function asCondition(test: ClauseCondition['test']): ClauseCondition {
  return { kind: 'condition', connective: null, test };
}

/** Two lists of conditions with a connective between them. */
export function joined(
  left: readonly ClauseCondition[],
  connective: 'and' | 'or',
  right: readonly ClauseCondition[],
): readonly ClauseCondition[] {
  const [first, ...rest] = right;
  if (first === undefined) return left;
  return left.length === 0 ? right : [...left, { ...first, connective }, ...rest];
}

import { columnAt, type Database } from '../../schema/schema.js';
import { renderIdentifier, renderString } from '../../sql/dialect.js';
import type { ClauseComparison, ClauseCondition, ClauseLiteral, ClauseQuery, ClauseValue } from './clause.js';

/** The context for writing values of one SELECT. */
export interface WriteContext {
  readonly database: Database;
  /** The alias of a use of a table, or null where the SELECT has one table. */
  readonly alias: (table: number, copy: number) => string | null;
  /** Writes a nested query. */
  readonly nested: (query: ClauseQuery) => string;
}

function writeLiteral({ type, value }: ClauseLiteral): string {
  return type === 'string' ? renderString(value) : value;
}

function operandText(value: ClauseValue, context: WriteContext): string {
  const text = writeValue(value, context);
  return value.kind === 'arithmetic' ? `(${text})` : text;
}

/** The SQL of a value. */
export function writeValue(value: ClauseValue, context: WriteContext): string {
  switch (value.kind) {
    case 'column': {
      const name = renderIdentifier(columnAt(context.database, value).originalName);
      const alias = context.alias(value.table, value.copy);
      return alias === null ? name : `${alias}.${name}`;
    }
    case 'star': {
      const alias = value.table === null ? null : context.alias(value.table, 0);
      return alias === null ? '*' : `${alias}.*`;
    }
    case 'literal':
      return writeLiteral(value);
    case 'call': {
      const args = value.args.map((arg) => (arg.kind === 'star' ? '*' : writeValue(arg, context)));
      return `${value.name}(${value.distinct ? 'DISTINCT ' : ''}${args.join(', ')})`;
    }
    case 'arithmetic':
      return `${operandText(value.left, context)} ${value.operator} ${operandText(value.right, context)}`;
    case 'query':
      return `(${context.nested(value.query)})`;
    case 'cast':
      return `CAST(${writeValue(value.operand, context)} AS ${value.type})`;
    case 'case': {
      const branches = value.branches.map(
        ({ when, then }) => `WHEN ${writeConditions(when, context)} THEN ${writeValue(then, context)}`,
      );
      const otherwise = value.otherwise === null ? '' : ` ELSE ${writeValue(value.otherwise, context)}`;
      return `CASE ${branches.join(' ')}${otherwise} END`;
    }
  }
}

function writeComparison({ left, negated, operator, right }: ClauseComparison, context: WriteContext): string {
  const operand = left === null ? '' : `${operandText(left, context)} `;
  const values = right.map((value) => operandText(value, context));
  const not = negated ? 'NOT ' : '';
  switch (operator) {
    case 'between':
      return `${operand}${not}BETWEEN ${values.join(' AND ')}`;
    case 'in': {
      const isQuery = right[0]?.kind === 'query' && right.length === 1;
      return `${operand}${not}IN ${isQuery ? values.join('') : `(${values.join(', ')})`}`;
    }
    case 'like':
      return `${operand}${not}LIKE ${values.join('')}`;
    case 'is':
      return `${operand}IS ${not}${values.join('')}`;
    case 'exists':
      return `${not}EXISTS ${values.join('')}`;
    default:
      return `${not}${operand}${operator} ${values.join('')}`;
  }
}

/** The SQL of conditions with their connectives; that of the first is not written. */
export function writeConditions(conditions: readonly ClauseCondition[], context: WriteContext): string {
  const texts = conditions.map(({ connective, test }, i) => {
    const word = i === 0 ? '' : ` ${(connective ?? 'and').toUpperCase()} `;
    if (test.kind === 'comparison') return word + writeComparison(test, context);
    return `${word}${test.negated ? 'NOT ' : ''}(${writeConditions(test.conditions, context)})`;
  });
  return texts.join('');
}

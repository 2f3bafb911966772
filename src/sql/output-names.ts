import type { ColumnNode, Expression, Select } from './ast.js';

/** PostgreSQL's name of a column that has none. */
const UNNAMED = '?column?';

/** How surely a name stands: that of a type gives way to that of a function or column (FigureColnameInternal). */
interface ImpliedName {
  readonly name: string | ColumnNode;
  readonly sure: boolean;
}

const sure = (name: string | ColumnNode): ImpliedName => ({ name, sure: true });

// Names that the grammar gives types: parser/gram.y, SystemTypeName.
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  dec: 'numeric',
  boolean: 'bool',
  char: 'bpchar',
  character: 'bpchar',
  'character varying': 'varchar',
  'char varying': 'varchar',
  time: 'time',
  timestamp: 'timestamp',
};

function typeName(source: string): string {
  const text = source.toLowerCase().replace(/\s+/g, ' ').replace(/\[.*$/, '');
  const bare = text.replace(/\([^)]*\)/, '').trim();
  if (/^(?:time|timestamp) with time zone$/.test(bare.replace(/ +/g, ' ')))
    return bare.startsWith('timestamp') ? 'timestamptz' : 'timetz';
  const plain = bare.replace(/ without time zone$/, '').replace(/^interval .*/, 'interval');
  return TYPE_NAMES[plain] ?? (plain.split('.').at(-1) ?? plain).replaceAll('"', '');
}

function ofSelect(select: Select): ImpliedName | null {
  const body = select.terms[0]?.body;
  if (body === undefined) return null;
  if (body.kind === 'select') return ofSelect(body);
  if (body.kind === 'values') return sure('column1');
  const [column] = body.columns;
  if (column?.kind !== 'result') return null;
  return column.alias === null ? imply(column.expression) : sure(column.alias.name);
}

const SPECIAL_FORMS: Readonly<Record<string, string>> = { trim: 'btrim' };

function imply(expression: Expression): ImpliedName | null {
  switch (expression.kind) {
    case 'column':
      return sure(expression);
    case 'list':
      return expression.items.length === 1 ? imply(expression.items[0] as Expression) : sure('row');
    case 'collate':
    case 'subscript':
      return imply(expression.operand);
    case 'function':
      return sure(SPECIAL_FORMS[expression.name.name] ?? expression.name.name);
    case 'cast': {
      const inner = imply(expression.operand);
      return inner?.sure === true ? inner : { name: typeName(expression.type), sure: false };
    }
    case 'case': {
      const inner = expression.otherwise === null ? null : imply(expression.otherwise);
      return inner?.sure === true ? inner : { name: 'case', sure: false };
    }
    case 'array':
      return sure('array');
    case 'exists':
      return sure('exists');
    case 'subquery':
      return ofSelect(expression.select);
    case 'literal':
      return literalName(expression);
    case 'binary':
      return expression.operator === 'AT TIME ZONE' ? sure('timezone') : null;
    default:
      return null;
  }
}

function literalName({ type, value }: Extract<Expression, { kind: 'literal' }>): ImpliedName | null {
  if (type === 'boolean') return { name: 'bool', sure: false };
  return type === 'time' ? sure(value.toLowerCase()) : null;
}

/**
 * Returns PostgreSQL's name for a result column without an alias: the column that its name comes from, or a text. The
 * name of a subquery that selects a star is not known here; such a column is called `?column?`.
 */
export function impliedName(expression: Expression): string | ColumnNode {
  return imply(expression)?.name ?? UNNAMED;
}

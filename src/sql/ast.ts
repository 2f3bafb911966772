import type { QuoteStyle } from './dialect.js';
import type { Span } from './tokenizer.js';

/** The common fields of all nodes: a `kind` to switch on and the span of its source text. */
interface NodeBase {
  readonly span: Span;
}

/** One name token; `name` is without quotes. */
export interface Identifier extends NodeBase {
  readonly kind: 'identifier';
  readonly name: string;
  readonly quote: QuoteStyle;
}

/** A literal; `value` is the string's content, else the source text. */
export interface Literal extends NodeBase {
  readonly kind: 'literal';
  readonly type: 'number' | 'string' | 'blob' | 'null' | 'boolean' | 'time' | 'parameter';
  readonly value: string;
}

/** `column`, `table.column` or `schema.table.column`; a double-quoted `column` may turn out to be a string. */
export interface ColumnNode extends NodeBase {
  readonly kind: 'column';
  readonly schema: Identifier | null;
  readonly table: Identifier | null;
  readonly column: Identifier;
}

interface Unary extends NodeBase {
  readonly kind: 'unary';
  /** `NOT`, `-`, `+` or `~`; in other dialects also `!`, `BINARY`, `INTERVAL`, `ANY`, … */
  readonly operator: string;
  readonly operand: Expression;
}

export interface Binary extends NodeBase {
  readonly kind: 'binary';
  /** Upper case: `AND`, `=`, `IS NOT`, `||`, … */
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Like extends NodeBase {
  readonly kind: 'like';
  /** Upper case: `LIKE`, `GLOB`, `ILIKE`, `SIMILAR TO`, … */
  readonly operator: string;
  readonly negated: boolean;
  readonly left: Expression;
  readonly right: Expression;
  readonly escape: Expression | null;
}

export interface Between extends NodeBase {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface In extends NodeBase {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly source: List | Subquery | TableSource;
}

/** `ISNULL`, `NOTNULL`, `NOT NULL`; `IS NULL` is a binary `IS`. */
interface NullTest extends NodeBase {
  readonly kind: 'null-test';
  readonly negated: boolean;
  readonly operand: Expression;
}

interface Collate extends NodeBase {
  readonly kind: 'collate';
  readonly operand: Expression;
  readonly collation: Identifier;
}

interface Cast extends NodeBase {
  readonly kind: 'cast';
  readonly operand: Expression;
  /** The type's source text. */
  readonly type: string;
}

/** `ARRAY[…]`. */
interface ArrayValue extends NodeBase {
  readonly kind: 'array';
  readonly items: readonly Expression[];
}

/** `operand[index]` or `operand[low:high]`. */
interface Subscript extends NodeBase {
  readonly kind: 'subscript';
  readonly operand: Expression;
  readonly indexes: readonly Expression[];
}

export interface Case extends NodeBase {
  readonly kind: 'case';
  readonly operand: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  readonly otherwise: Expression | null;
}

/** `( … )`: one item is a parenthesized expression, more are a row value, or the list of an IN. */
export interface List extends NodeBase {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

export interface Subquery extends NodeBase {
  readonly kind: 'subquery';
  readonly select: Select;
}

interface Exists extends NodeBase {
  readonly kind: 'exists';
  readonly select: Select;
}

export interface FunctionCall extends NodeBase {
  readonly kind: 'function';
  readonly name: Identifier;
  readonly distinct: boolean;
  /** `count(*)`. */
  readonly star: boolean;
  readonly args: readonly Expression[];
  readonly orderBy: readonly OrderingTerm[];
  readonly filter: Expression | null;
  /** OVER: a window's definition, or the name of one. */
  readonly over: WindowDefinition | Identifier | null;
}

export type Expression =
  | Literal
  | ColumnNode
  | Unary
  | Binary
  | Like
  | Between
  | In
  | NullTest
  | Collate
  | Cast
  | ArrayValue
  | Subscript
  | Case
  | List
  | Subquery
  | Exists
  | FunctionCall;

export interface WindowDefinition extends NodeBase {
  readonly kind: 'window';
  readonly base: Identifier | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderingTerm[];
  /** Expressions of the frame's bounds. */
  readonly bounds: readonly Expression[];
}

export interface OrderingTerm extends NodeBase {
  readonly kind: 'ordering';
  readonly expression: Expression;
  readonly direction: 'ASC' | 'DESC' | null;
  readonly nulls: 'FIRST' | 'LAST' | null;
}

export interface Limit extends NodeBase {
  readonly kind: 'limit';
  /** Null for OFFSET alone and LIMIT ALL. */
  readonly count: Expression | null;
  readonly offset: Expression | null;
}

/** `*` or `t.*`. */
export interface Star extends NodeBase {
  readonly kind: 'star';
  readonly table: Identifier | null;
}

export interface ResultExpression extends NodeBase {
  readonly kind: 'result';
  readonly expression: Expression;
  readonly alias: Identifier | null;
}

export type ResultColumn = Star | ResultExpression;

export interface TableSource extends NodeBase {
  readonly kind: 'table';
  readonly schema: Identifier | null;
  readonly name: Identifier;
  /** Arguments of a table-valued function, else null. */
  readonly args: readonly Expression[] | null;
  readonly alias: Identifier | null;
  /** Names of a table-valued function's columns in parentheses after the alias, or null. */
  readonly columns: readonly Identifier[] | null;
  /** Set if the query names the index to read it by: SQLite's INDEXED BY. */
  readonly namesIndex?: true;
}

export interface DerivedSource extends NodeBase {
  readonly kind: 'derived';
  readonly select: Select;
  /** True if it sees the tables to its left. */
  readonly lateral: boolean;
  readonly alias: Identifier | null;
  /** Names of its columns in parentheses after the alias, or null. */
  readonly columns: readonly Identifier[] | null;
}

/** A join in parentheses. */
export interface GroupSource extends NodeBase {
  readonly kind: 'group';
  readonly source: Source;
  readonly alias: Identifier | null;
}

export type JoinType = 'comma' | 'inner' | 'cross' | 'left' | 'right' | 'full';

interface OnConstraint extends NodeBase {
  readonly kind: 'on';
  readonly condition: Expression;
}

interface UsingConstraint extends NodeBase {
  readonly kind: 'using';
  readonly columns: readonly Identifier[];
}

export interface Join extends NodeBase {
  readonly kind: 'join';
  readonly type: JoinType;
  /** Span of the word NATURAL, or null. */
  readonly natural: Span | null;
  readonly left: Source;
  readonly right: Source;
  readonly constraint: OnConstraint | UsingConstraint | null;
}

export type Source = TableSource | DerivedSource | GroupSource | Join;

export interface NamedWindow extends NodeBase {
  readonly kind: 'named-window';
  readonly name: Identifier;
  readonly definition: WindowDefinition;
}

export interface SelectCore extends NodeBase {
  readonly kind: 'core';
  readonly quantifier: 'DISTINCT' | 'ALL' | null;
  /** Expressions of DISTINCT ON. */
  readonly distinctOn: readonly Expression[];
  readonly columns: readonly ResultColumn[];
  readonly from: Source | null;
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | null;
  readonly windows: readonly NamedWindow[];
}

export interface Values extends NodeBase {
  readonly kind: 'values';
  readonly rows: readonly List[];
}

export type CompoundOperator = 'UNION' | 'UNION ALL' | 'INTERSECT' | 'EXCEPT';

/** One SELECT, VALUES or query in parentheses of a compound; the first has no operator. */
export interface CompoundTerm extends NodeBase {
  readonly kind: 'term';
  readonly operator: CompoundOperator | null;
  readonly body: SelectCore | Values | Select;
}

export interface CommonTable extends NodeBase {
  readonly kind: 'common-table';
  readonly name: Identifier;
  /** The column list in parentheses, or null. */
  readonly columns: readonly Identifier[] | null;
  readonly select: Select;
}

export interface With extends NodeBase {
  readonly kind: 'with';
  readonly recursive: boolean;
  readonly tables: readonly CommonTable[];
}

/** A whole query: WITH, one or more terms, ORDER BY and LIMIT. */
export interface Select extends NodeBase {
  readonly kind: 'select';
  readonly with: With | null;
  readonly terms: readonly CompoundTerm[];
  readonly orderBy: readonly OrderingTerm[];
  readonly limit: Limit | null;
}

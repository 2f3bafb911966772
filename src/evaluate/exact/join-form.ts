import type { Expression, Join, Source, TableSource } from '../../sql/ast.js';
import { conjunctsOf, joinsOf, onCondition, tablesOf, unparenthesized } from '../../sql/ast-walk.js';
import { foldName } from '../../sql/dialect.js';
import { conjunctParts, type ExpressionView, type FormPart, sortedParts } from './expression-form.js';

/** The context that the form of joins depends on. */
export interface JoinView extends ExpressionView {
  /** The key of a table of FROM. */
  readonly leafKey: (leaf: TableSource) => string;
  /** The same view, columns with other keys. */
  readonly withKeys: (change: (key: string) => string) => JoinView;
}

const PLAIN: ReadonlySet<Join['type']> = new Set(['inner', 'comma', 'cross']);

const isPlain = (from: Source): boolean => joinsOf(from).every(({ type }) => PLAIN.has(type));

const onConditions = (join: Join): readonly Expression[] => conjunctsOf(onCondition(join));

/** What a join asks for besides the conditions of its ON. */
function otherConditions({ natural, constraint }: Join): readonly FormPart[] {
  if (natural !== null) return ['natural'];
  return constraint?.kind === 'using' ? constraint.columns.map(({ name }) => ['using', foldName(name)]) : [];
}

type KeyPair = readonly [string, string];

/** The keys of two columns that a condition sets equal. */
function equatedKeys(condition: Expression, view: ExpressionView): KeyPair | null {
  if (condition.kind !== 'binary' || (condition.operator !== '=' && condition.operator !== '==')) return null;
  const [left, right] = [condition.left, condition.right].map((side) => {
    const bare = unparenthesized(side);
    return bare.kind === 'column' ? view.columnPart(bare) : null;
  });
  return typeof left === 'string' && typeof right === 'string' ? [left, right] : null;
}

/** Checks whether a key comes before another: the one of the lower column, as shorter numbers are lower. */
const isLess = (key: string, other: string): boolean =>
  key.length === other.length ? key < other : key.length < other.length;

/** The least of the keys that are connected, for each. */
function connect(pairs: readonly KeyPair[]): (key: string) => string {
  const parents = new Map<string, string>();
  const find = (key: string): string => {
    const parent = parents.get(key) ?? key;
    return parent === key ? key : find(parent);
  };
  for (const [left, right] of pairs) {
    const [a, b] = [find(left), find(right)];
    if (isLess(a, b)) parents.set(b, a);
    else parents.set(a, b);
  }
  return find;
}

function equatedIn(from: Source, view: ExpressionView): readonly KeyPair[] {
  const conditions = joinsOf(from).flatMap(onConditions);
  return conditions.map((condition) => equatedKeys(condition, view)).filter((pair) => pair !== null);
}

/** The key that a column shares with those that plain joins set equal to it. */
export function joinedKeys(from: Source | null, view: JoinView): (key: string) => string {
  return connect(from === null || !isPlain(from) ? [] : equatedIn(from, view));
}

/** Columns that plain joins set equal, as classes, and what else these ask for. */
function plainJoins(from: Source, view: JoinView): readonly FormPart[] {
  const joins = joinsOf(from);
  const others = joins.flatMap(otherConditions);
  const conditions = joins.flatMap(onConditions);
  const pairs = view.rules.has('operands') ? equatedIn(from, view) : [];
  if (pairs.length === 0 || pairs.some(([left, right]) => left === right))
    return sortedParts([...others, ...conditions.flatMap((condition) => conjunctParts(condition, view))]);
  const least = connect(pairs);
  const classes = [...new Set(pairs.flat())].map((key) => `${key}=${least(key)}`);
  const rest = conditions.filter((condition) => equatedKeys(condition, view) === null);
  const mapped = view.withKeys(least);
  return sortedParts([...classes, ...others, ...rest.flatMap((condition) => conjunctParts(condition, mapped))]);
}

function leafPart(leaf: Source, view: JoinView): FormPart {
  return leaf.kind === 'table' ? view.leafKey(leaf) : leaf.kind;
}

/** Plain joins as a set of conditions; around outer joins, what is joined with what counts. */
export function joinParts(source: Source, view: JoinView): readonly FormPart[] {
  if (isPlain(source)) return plainJoins(source, view);
  if (source.kind === 'group') return joinParts(source.source, view);
  if (source.kind !== 'join') return [leafPart(source, view)];
  const sides = [source.left, source.right].map((side): FormPart => [
    tablesOf(side).map((leaf) => leafPart(leaf, view)),
    joinParts(side, view),
  ]);
  const on = sortedParts([
    ...otherConditions(source),
    ...onConditions(source).flatMap((condition) => conjunctParts(condition, view)),
  ]);
  return [[PLAIN.has(source.type) ? 'inner' : source.type, ...sides, on]];
}

import { memoizeObject } from '../../../schema/memoize.js';
import type { Select } from '../../../sql/ast.js';
import { isNode, type TreeNode, visitNodes } from '../../../sql/ast-walk.js';

/** Operators that compare two values, and so apply a column's affinity to the other side. */
const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '>', '<=', '>=', 'IS', 'IS NOT']);
/** Operators that bind less tightly than any that an expression of ours has. */
const LOOSE: ReadonlySet<string> = new Set([...COMPARISONS, 'AND', 'OR']);

/** Where a column name is in a query: its node, and the nodes around it, the nearest first. */
export interface ValueContext {
  readonly node: TreeNode;
  readonly around: readonly TreeNode[];
}

/** Parentheses around one expression; not the list of an IN. */
function isParentheses(node: TreeNode, parent: TreeNode | undefined): boolean {
  if (node.kind !== 'list' || (node as unknown as { items: readonly unknown[] }).items.length !== 1) return false;
  return parent === undefined || (parent as unknown as { source?: unknown }).source !== node;
}

/** A context without the parentheses around the column. */
export function withoutParentheses({ node, around }: ValueContext): ValueContext {
  const [parent, ...outer] = around;
  if (parent === undefined || !isParentheses(parent, outer[0])) return { node, around };
  return withoutParentheses({ node: parent, around: outer });
}

/** The contexts of a query's column names, by where the name's own token starts; kept, as one gold follows many changes. */
export const valueContexts = memoizeObject((select: Select): ReadonlyMap<number, ValueContext> => {
  const contexts = new Map<number, ValueContext>();
  visitNodes(select, [], (node, around) => {
    if (node.kind !== 'column') return;
    const { column } = node as unknown as { readonly column: TreeNode };
    contexts.set(column.span.start, { node, around });
  });
  return contexts;
});

/** Checks whether an expression in the place of a column must be put in parentheses. */
export function needsParentheses({ node, around: [parent] }: ValueContext): boolean {
  if (parent === undefined) return false;
  // `column::type`; CAST has parentheses of its own.
  if (parent.kind === 'cast') return parent.span.start === node.span.start;
  if (parent.kind === 'binary') return !LOOSE.has((parent as unknown as { operator: string }).operator);
  return ['unary', 'collate', 'subscript'].includes(parent.kind);
}

/** The values that a column's is compared with; null where it is not compared. */
function comparedWith({ node, around: [parent] }: ValueContext): readonly unknown[] | null {
  const { kind, ...parts } = parent as unknown as Readonly<Record<string, unknown>>;
  if (kind === 'binary' && COMPARISONS.has(String(parts['operator']))) {
    return [parts['left'] === node ? parts['right'] : parts['left']];
  }
  if (kind === 'between') return [parts['operand'], parts['low'], parts['high']].filter((part) => part !== node);
  if (kind === 'in') return parts['operand'] === node && isNode(parts['source']) ? itemsOf(parts['source']) : [null];
  if (kind === 'case') return parts['operand'] === null ? null : [null];
  return null;
}

function itemsOf(source: TreeNode): readonly unknown[] {
  return source.kind === 'list' ? (source as unknown as { items: readonly unknown[] }).items : [null];
}

/** Kinds of nodes that read a column's value alone, so that its affinity plays no part. */
const READING = ['ordering', 'core', 'function', 'null-test', 'window', 'like', 'cast', 'unary', 'binary', 'case'];

/**
 * Checks whether the affinity of a column can matter where it is named: it is compared with something that `isSame`
 * does not know to be of its kind, or a subquery passes it on.
 */
export function affinityMatters(context: ValueContext, query: Select, isSame: (value: unknown) => boolean): boolean {
  const bare = withoutParentheses(context);
  const [parent] = bare.around;
  if (parent === undefined) return true;
  if (parent.kind === 'result') return bare.around.find(({ kind }) => kind === 'select') !== query;
  const others = comparedWith(bare);
  if (others !== null) return !others.every(isSame);
  return !READING.includes(parent.kind);
}

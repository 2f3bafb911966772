import type { Span } from './tokenizer.js';

/** Any node of a query's tree. */
export interface TreeNode {
  readonly kind: string;
  readonly span: Span;
}

/** Checks whether a value is a node of a tree. */
export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'span' in value;
}

/** A value's node and all nodes below it, outer ones first. */
export function nodesOf(value: unknown): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  collectNodes(value, nodes);
  return nodes;
}

function collectNodes(value: unknown, nodes: TreeNode[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) nodes.push(value);
  for (const child of Object.values(value)) collectNodes(child, nodes);
}

/** Visits every node below a value, each with the nodes around it, the nearest first. */
export function visitNodes(
  value: unknown,
  around: readonly TreeNode[],
  found: (node: TreeNode, around: readonly TreeNode[]) => void,
) {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) visitNodes(item, around, found);
  } else if (isNode(value)) {
    found(value, around);
    for (const child of Object.values(value)) visitNodes(child, [value, ...around], found);
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) visitNodes(child, around, found);
  }
}

import type { Expression } from '../../../sql/ast.js';
import type { AuditedGold } from '../audited-gold.js';
import { type GoldFinding, plainFinding } from '../finding.js';
import type { ReadQuery } from '../read-query.js';

type Operands = readonly Expression[];

/** Returns the operands that one operator joins without parentheses. */
function operandsOf(node: Expression, operator: string): Operands {
  if (node.kind !== 'binary' || node.operator !== operator) return [node];
  return [...operandsOf(node.left, operator), ...operandsOf(node.right, operator)];
}

/** The column that a condition tests by itself. */
function testedColumn(query: ReadQuery, node: Expression): string | null {
  const side =
    node.kind === 'binary' || node.kind === 'like'
      ? node.left
      : node.kind === 'in' || node.kind === 'between'
        ? node.operand
        : null;
  const target = side === null ? null : query.target(side);
  return side === null || target === null ? null : query.text(side).toLowerCase();
}

/** Checks whether a condition ties two tables. */
function isJoin(query: ReadQuery, node: Expression): boolean {
  if (node.kind !== 'binary' || !/^==?$/.test(node.operator)) return false;
  const [left, right] = [query.target(node.left), query.target(node.right)];
  return left !== null && right !== null && left.source !== right.source;
}

/** Of `a AND b OR c`: why OR was likely meant between `b` and `c` alone. */
function reasonOf(query: ReadQuery, branches: readonly Operands[]): string | null {
  const [only, ...others] = branches.filter((parts) => parts.length > 1);
  if (only === undefined || branches.length < 2) return null;
  const joins = only.filter((part) => isJoin(query, part));
  const bare = branches.filter((parts) => !parts.some((part) => isJoin(query, part)));
  const [lost] = joins;
  const [free] = bare[0] ?? [];
  if (lost !== undefined && free !== undefined) return `${query.text(free)} holds without ${query.text(lost)}`;
  if (others.length > 0) return null;
  const alone = branches.flatMap((parts) => (parts.length === 1 ? parts : []));
  const columns = new Set(only.map((part) => testedColumn(query, part)));
  const same = alone.find((part) => {
    const column = testedColumn(query, part);
    return column !== null && columns.has(column);
  });
  const apart = only.find(
    (part) => testedColumn(query, part) !== (same === undefined ? null : testedColumn(query, same)),
  );
  if (same === undefined || apart === undefined) return null;
  return `${query.text(same)} holds without ${query.text(apart)}`;
}

/** Gold queries that write `a AND b OR c` where `a AND (b OR c)` may be meant. */
export function checkAndOr({ written }: AuditedGold): readonly GoldFinding[] {
  if (written === null) return [];
  const reasons = written.sites.expressions.flatMap(({ node, parent }) => {
    const isOuter = parent?.node.kind !== 'binary' || parent.node.operator !== 'OR';
    if (node.kind !== 'binary' || node.operator !== 'OR' || !isOuter) return [];
    return (
      reasonOf(
        written,
        operandsOf(node, 'OR').map((part) => operandsOf(part, 'AND')),
      ) ?? []
    );
  });
  return reasons.slice(0, 1).map((reason) => plainFinding('and-or', `AND binds before OR, so that ${reason}.`, false));
}

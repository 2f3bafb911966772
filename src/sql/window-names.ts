import type { Identifier, Select, SelectCore, WindowDefinition } from './ast.js';
import { type TreeNode, visitNodes } from './visit-nodes.js';

/** The names of windows that a clause uses, those of its subqueries aside. */
function usedWindows(clause: unknown): readonly Identifier[] {
  const used: Identifier[] = [];
  visitNodes(
    clause,
    [],
    (node: TreeNode & { over?: Identifier | WindowDefinition | null; base?: Identifier | null }, around) => {
      if (around.some(({ kind }) => kind === 'select')) return;
      if (node.kind === 'function' && node.over?.kind === 'identifier') used.push(node.over);
      if (node.kind === 'window' && node.base != null) used.push(node.base);
    },
  );
  return used;
}

/** The windows that a select names and no WINDOW clause of the same SELECT defines. */
export function undefinedWindows(select: Select, same: (a: string, b: string) => boolean): readonly Identifier[] {
  const bodies = select.terms.map(({ body }) => body);
  const cores = bodies.filter((body): body is SelectCore => body.kind === 'core');
  return cores.flatMap((core) => {
    const clauses = [
      core.columns,
      core.having,
      core.windows,
      cores.length === bodies.length && bodies.length === 1 ? select.orderBy : [],
    ];
    return usedWindows(clauses).filter(({ name }) => !core.windows.some((window) => same(window.name.name, name)));
  });
}

import type { ColumnNode, Star } from './ast.js';
import type { BoundCore, BoundOutput, NameBinding, NameContext } from './bound-query.js';
import { foldIn, foundOne, lookup, nameIn, type Found, type Target, type World } from './scope.js';

/** Checks whether two targets are the same column, row id or alias. */
export function sameTarget(a: Target, b: Target): boolean {
  if (a.kind === 'column') return b.kind === 'column' && a.source === b.source && a.column === b.column;
  if (a.kind === 'alias') return b.kind === 'alias' && a.node === b.node;
  if (a.kind === 'output') return b.kind === 'output' && a.column === b.column;
  if (b.kind === 'column' || b.kind === 'alias' || b.kind === 'output') return false;
  if (a.kind === 'rowid') return b.kind === 'rowid' && a.source === b.source && a.hidden === b.hidden;
  return a.kind === b.kind && a.source === b.source;
}

/** Returns the targets that a result selects without an alias, and those that the names of its GROUP BY refer to. */
export function usedTargets(outputs: readonly BoundOutput[], grouped: readonly NameBinding[]): Target[] {
  const unnamed = outputs.filter(({ node }) => node?.kind !== 'result' || node.alias === null);
  return [...unnamed, ...grouped].flatMap(({ found }) => (found === null ? [] : [found.target, ...found.merged]));
}

function lookupStar(world: World, core: BoundCore, star: Star, name: string): Found | null {
  const named = core.outputs.find(({ node, column: { origin } }) => {
    return node === star && origin.kind === 'through' && foldIn(world, nameIn(world, origin.inner)) === name;
  });
  if (named !== undefined) return named.found;
  const label = star.table === null ? null : foldIn(world, star.table.name);
  const covered = core.sources.filter(
    (source) => label === null || foldIn(world, world.labelOf(source) ?? '') === label,
  );
  const source = covered.find(({ relation }) => world.addedTo(relation).has(name));
  return source === undefined ? null : foundOne({ kind: 'added', source });
}

/**
 * The first result column with a name of its own, as ORDER BY sees it: SQLite gives a star's columns one as AS does.
 */
function lookupResult(world: World, core: BoundCore, name: string): Found | null {
  for (const node of core.node.columns) {
    if (node.kind === 'star') {
      const found = world.isExpanded(node) ? null : lookupStar(world, core, node, name);
      if (found !== null) return found;
    } else if (node.alias !== null && foldIn(world, node.alias.name) === name) {
      return foundOne({ kind: 'alias', node });
    }
  }
  return null;
}

function lookupInCore(world: World, core: BoundCore, qualifier: string | null, name: string): Found | null {
  const named = qualifier === null ? lookupResult(world, core, foldIn(world, name)) : null;
  if (named !== null) return named;
  const found = lookup(world, { ...core.clauseScope, parent: null }, qualifier, name);
  if (found === null || found.ambiguous) return null;
  const selected = core.outputs.some(
    (output) => output.found !== null && sameTarget(output.found.target, found.target),
  );
  return selected ? found : null;
}

type OutputContext = Extract<NameContext, { kind: 'output' }>;

/** The result column of a name; two are one only when they select the same column. */
function lookupOutput(world: World, { result, outputs }: OutputContext, name: string): Found | null {
  const named = result.columns.filter((column) => foldIn(world, nameIn(world, column)) === name);
  const [column, ...others] = named;
  const extra = outputs.find((output) => hidesAdded(world, output, name));
  if (column === undefined)
    return extra === undefined ? null : { ...foundOne({ kind: 'output', column: extra.column }), ambiguous: true };
  const first = outputs.find((output) => output.column === column)?.found ?? null;
  const alike = others.every((other) => {
    const found = outputs.find((output) => output.column === other)?.found ?? null;
    return first !== null && found !== null && sameTarget(first.target, found.target);
  });
  return { ...foundOne({ kind: 'output', column }), ambiguous: !alike || extra !== undefined };
}

/** Checks whether a star that stays brings in an added column of the name. */
function hidesAdded(world: World, { node, found }: BoundOutput, name: string): boolean {
  if (node?.kind !== 'star' || world.isExpanded(node) || found?.target.kind !== 'column') return false;
  return world.addedTo(found.target.source.relation).has(name);
}

/** The column that a result column without a name of its own selects. */
function selectedColumn({ outputs }: OutputContext, { target, ambiguous }: Found): Found | null {
  if (target.kind !== 'output' || ambiguous) return null;
  const output = outputs.find(({ column }) => column === target.column);
  return output?.node?.kind === 'result' && output.node.alias !== null ? null : (output?.found ?? null);
}

function lookupTerm(world: World, context: OutputContext, qualifier: string | null, name: string): Found | null {
  const { scope, first } = context;
  const output = qualifier === null ? lookupOutput(world, context, foldIn(world, name)) : null;
  if (scope === null) return output;
  if (first === 'output') return output ?? lookup(world, scope, qualifier, name);
  const columns = lookup(world, { ...scope, aliasRule: 'none', parent: null }, qualifier, name);
  if (columns?.ambiguous === true && output !== null && world.dialect.scoping.groupTwice === 'output')
    return selectedColumn(context, output) ?? output;
  return columns ?? output ?? lookup(world, scope, qualifier, name);
}

/** Looks up a name where it is written; null when nothing has the name. */
export function lookupIn(world: World, context: NameContext, qualifier: string | null, name: string): Found | null {
  switch (context.kind) {
    case 'general':
      return lookup(world, context.scope, qualifier, name);
    case 'order': {
      const named = qualifier === null ? lookupResult(world, context.core, foldIn(world, name)) : null;
      return named ?? lookup(world, context.core.clauseScope, qualifier, name);
    }
    case 'output':
      return lookupTerm(world, context, qualifier, name);
    case 'compound-order':
      for (const core of context.cores) {
        const found = lookupInCore(world, core, qualifier, name);
        if (found !== null) return found;
      }
      return null;
  }
}

/** A text that two expressions share when they differ in spans, letter case and spelling of the same columns only. */
export function expressionKey(
  world: World,
  expression: unknown,
  targetOf: (column: ColumnNode) => Target | null,
): string {
  return JSON.stringify(expression, (key, value: unknown) => {
    if (key === 'span' || key === 'quote') return undefined;
    if (key === 'name' && typeof value === 'string') return foldIn(world, value);
    if (!isColumn(value)) return value;
    const target = targetOf(value);
    return target === null ? `literal ${value.column.name}` : `target ${targetKey(target)}`;
  });
}

function isColumn(value: unknown): value is ColumnNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'column';
}

function targetKey(target: Target): string {
  if (target.kind === 'alias') return `alias ${target.node.span.start}`;
  if (target.kind === 'output') return `output ${target.column.index}`;
  const column = target.kind === 'column' ? target.column.index : target.kind;
  return `${target.source.node.span.start}.${column}`;
}

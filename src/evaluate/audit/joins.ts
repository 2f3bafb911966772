import type { Join, Source } from '../../sql/ast.js';

/** The joins of a FROM clause, inner ones first. */
export function joinsOf(source: Source | null): readonly Join[] {
  if (source?.kind === 'group') return joinsOf(source.source);
  if (source?.kind !== 'join') return [];
  return [...joinsOf(source.left), ...joinsOf(source.right), source];
}

/** The tables of a FROM clause or a part of it, from left to right. */
export function tablesOf(source: Source): readonly Source[] {
  if (source.kind === 'group') return tablesOf(source.source);
  return source.kind === 'join' ? [...tablesOf(source.left), ...tablesOf(source.right)] : [source];
}

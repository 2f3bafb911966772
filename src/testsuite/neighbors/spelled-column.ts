import { renderIdentifier } from '../../sql/dialect.js';
import { lookupIn, sameTarget } from '../../sql/name-context.js';
import type { NameContext } from '../../sql/bound-query.js';
import { nameIn, type ColumnTarget } from '../../sql/scope.js';
import type { Gold } from './change.js';

/**
 * A column as text that stands for it where it is to be written: with the qualifier given, else alone, else with its
 * table's name. Null where neither does.
 */
export function spellColumn(
  { world }: Gold,
  context: NameContext,
  target: ColumnTarget,
  qualifier: string | null,
): string | null {
  const name = nameIn(world, target.column);
  const { label } = target.source;
  for (const before of new Set([qualifier, label])) {
    const found = lookupIn(world, context, before, name);
    if (found === null || found.ambiguous || found.coalesced || !sameTarget(found.target, target)) continue;
    return before === null ? renderIdentifier(name) : `${renderIdentifier(before)}.${renderIdentifier(name)}`;
  }
  return null;
}

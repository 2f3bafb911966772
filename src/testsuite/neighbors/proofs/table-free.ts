import { columnAt, columnKey } from '../../../schema/schema.js';
import { foldName } from '../../../sql/dialect.js';
import { baseOf, type ColumnTarget, type ScopeSource } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { CoreSite } from '../query-sites.js';
import { columnOf, conditionsOf, hasOuterJoin } from './conditions.js';
import { countsNoDuplicates } from './duplicate-free.js';

/** The only column of a table that a query names; null where there are several, or none. */
function onlyColumn({ query }: Gold, source: ScopeSource): ColumnTarget | null {
  const targets = query.names.flatMap(({ found }) => {
    const target = found?.target;
    return target !== undefined && 'source' in target && target.source === source ? [target] : [];
  });
  const [first] = targets;
  const isOne = targets.every(
    (each) => each.kind === 'column' && first?.kind === 'column' && each.column === first.column,
  );
  return isOne && first?.kind === 'column' ? first : null;
}

/** Checks whether a column refers to another by a foreign key of one column, and the name and type are the same. */
function isTwin({ facts, database }: Gold, child: ColumnTarget, parent: ColumnTarget): boolean {
  if (child.source.relation.table === null || parent.source.relation.table === null) return false;
  const [from, to] = [baseOf(child.column), baseOf(parent.column)];
  if (from === null || to === null) return false;
  const [name, other] = [from, to].map((ref) => foldName(columnAt(database, ref).originalName));
  const [before, after] = [from, to].map((ref) => facts.affinities.get(columnKey(ref)));
  const isSame = name === other && before !== undefined && before === after && before !== 'BLOB';
  return (
    isSame &&
    facts.references.some((reference) => {
      const [first, second] = [reference.from[0], reference.to[0]];
      if (reference.from.length !== 1 || first === undefined || second === undefined) return false;
      return columnKey(first) === columnKey(from) && columnKey(second) === columnKey(to);
    })
  );
}

/**
 * Why a table may be read twice in the place of the table that its foreign key refers to, or null: of the parent only
 * the key is read, which the child has, too.
 */
export function childStandsIn(gold: Gold, core: CoreSite, source: ScopeSource, table: number): string | null {
  const { from } = core.node;
  const own = onlyColumn(gold, source);
  if (own === null || from === null || hasOuterJoin(from) || !countsNoDuplicates(gold, core)) return null;
  const isJoined = conditionsOf(core).some((node) => {
    if (node.kind !== 'binary' || (node.operator !== '=' && node.operator !== '==')) return false;
    const sides = [columnOf(gold, core, node.left), columnOf(gold, core, node.right)];
    const child = sides.find((side) => side?.source.relation.table === table && side.source !== source);
    return child != null && sides.some((side) => side?.source === source) && isTwin(gold, child, own);
  });
  return isJoined ? 'of the parent only the key is read, which its child has' : null;
}

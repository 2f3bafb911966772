import { columnAt, columnKey } from '../../../schema/schema.js';
import type { NameBinding } from '../../../sql/bound-query.js';
import { sameTarget } from '../../../sql/name-context.js';
import { baseOf, nameIn, type ColumnTarget, type RelationColumn } from '../../../sql/scope.js';
import { shuffled } from '../../../seeded-rng.js';
import type { Span } from '../../../sql/tokenizer.js';
import type { Rng } from '../../../stage.js';
import { type Gold, type QueryChange, spellColumn } from '../change.js';
import { joinsOf } from '../join-sites.js';
import { otherConditionIsFree } from '../proofs/join-free.js';
import { areEqual, Determined } from '../proofs/joined-columns.js';
import { hasOuterJoin, isNeverNull } from '../proofs/conditions.js';
import { isUnread } from '../proofs/single-row.js';
import type { CoreSite, ExpressionSite } from '../query-sites.js';

/**
 * Columns of other tables that have the type, and columns of another type, that a column becomes at most: so that wide
 * schemas don't make thousands of neighbors.
 */
const MOST_ELSEWHERE = 8;
const MOST_OTHER_TYPE = 5;

function typeOf({ database }: Gold, column: RelationColumn): string | null {
  const ref = baseOf(column);
  return ref === null ? null : columnAt(database, ref).type;
}

/** The columns of a SELECT's tables that may stand in the place of one of them; its own first. */
function columnsInReach({ core, clause }: ExpressionSite, { source, column }: ColumnTarget): ColumnTarget[] {
  // The condition of an outer join may name no table after it.
  const isBound = clause === 'from' && core?.node.from != null && hasOuterJoin(core.node.from);
  const others = core === null || isBound ? [] : core.bound.sources.filter((other) => other !== source);
  return [source, ...others].flatMap((other) => {
    const columns = other.relation.columns.filter((each) => each !== column || other !== source);
    return columns.map((each) => ({ kind: 'column', source: other, column: each }) as const);
  });
}

/** Checks whether a GROUP BY may be meant to go by a column: one that is selected as it is, or of its table's key. */
function isGroupable({ database }: Gold, { bound }: CoreSite, target: ColumnTarget): boolean {
  const ref = baseOf(target.column);
  const isKey = ref !== null && database.primaryKeys.some((key) => columnKey(key) === columnKey(ref));
  return isKey || bound.outputs.some(({ found }) => found !== null && sameTarget(found.target, target));
}

/** Columns in random order; in GROUP BY, first those that it may be meant to go by. */
function drawn(
  gold: Gold,
  { core, clause }: ExpressionSite,
  targets: readonly ColumnTarget[],
  rng: Rng,
): ColumnTarget[] {
  const random = shuffled(targets, rng);
  if (clause !== 'group' || core === null) return random;
  const isLikely = random.map((target) => isGroupable(gold, core, target));
  return [...random.filter((_, i) => isLikely[i]), ...random.filter((_, i) => !isLikely[i])];
}

/** All columns of the same table and type, some of the other tables', and some of another type. */
function othersOf(gold: Gold, site: ExpressionSite, before: ColumnTarget, rng: Rng): ColumnTarget[] {
  const type = typeOf(gold, before.column);
  if (type === null) return [];
  const [own, elsewhere, otherType]: [ColumnTarget[], ColumnTarget[], ColumnTarget[]] = [[], [], []];
  for (const target of columnsInReach(site, before)) {
    const isSame = typeOf(gold, target.column) === type;
    if (!isSame && site.clause !== 'from') otherType.push(target);
    else if (!isSame) continue;
    else if (target.source === before.source) own.push(target);
    else elsewhere.push(target);
  }
  return [
    ...own,
    ...drawn(gold, site, elsewhere, rng).slice(0, MOST_ELSEWHERE),
    ...drawn(gold, site, otherType, rng).slice(0, MOST_OTHER_TYPE),
  ];
}

/** Why a term of GROUP BY groups as another does, or null. */
function groupsAlike(gold: Gold, core: CoreSite, before: ColumnTarget, after: ColumnTarget): string | null {
  const tells = (a: ColumnTarget, b: ColumnTarget): boolean => new Determined(gold, core, [a]).has(b);
  return tells(before, after) && tells(after, before) ? 'both columns make the same groups' : null;
}

const isWithin = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end;

/** Why one column in the place of another makes no difference, or null. */
function proofOf(gold: Gold, site: ExpressionSite, before: ColumnTarget, after: ColumnTarget): string | null {
  const { core, clause, parent, node } = site;
  if (core === null) return null;
  if (core.bound.exists && clause === 'result' && parent === null && isUnread(core) !== null) return isUnread(core);
  if (areEqual(gold, core, before, after, node)) return 'a join makes both columns equal';
  if (clause === 'from') {
    const join = joinsOf(core).find(
      ({ node: { constraint } }) => constraint !== null && isWithin(node.span, constraint.span),
    );
    return join === undefined ? null : otherConditionIsFree(gold, join, before, after);
  }
  if (clause === 'group' && parent === null) return groupsAlike(gold, core, before, after);
  const call = parent?.node;
  if (call?.kind !== 'function' || call.name.name.toLowerCase() !== 'count') return null;
  if (call.distinct || call.over !== null) return null;
  const never = isNeverNull(gold, core, before) && isNeverNull(gold, core, after);
  return never ? 'neither column counted is ever NULL' : null;
}

/** A column as people tell it from those of the same name. */
function labelOf(gold: Gold, { source, column }: ColumnTarget, other: ColumnTarget): string {
  const name = nameIn(gold.world, column);
  return source === other.source || source.label === null ? name : `${source.label}.${name}`;
}

function* swapsOf(gold: Gold, site: ExpressionSite, binding: NameBinding, rng: Rng): Iterable<QueryChange> {
  // A column that USING or NATURAL matched is of two tables.
  if (binding.found?.target.kind !== 'column' || binding.found.merged.length > 0) return;
  const before = binding.found.target;
  for (const after of othersOf(gold, site, before, rng)) {
    const qualifier = after.source === before.source ? (binding.qualifier?.name ?? null) : null;
    const text = spellColumn(gold, binding.context, after, qualifier);
    if (text === null) continue;
    const detail = `${labelOf(gold, before, after)} → ${labelOf(gold, after, before)}`;
    yield { edit: gold.text.replace(site.node.span, text), detail, equivalent: proofOf(gold, site, before, after) };
  }
}

/** A column becomes another of the tables at hand. */
export function* column(gold: Gold, rng: Rng): Iterable<QueryChange> {
  for (const site of gold.sites.expressions) {
    const binding = site.node.kind === 'column' ? gold.names.get(site.node.column) : undefined;
    if (binding !== undefined) yield* swapsOf(gold, site, binding, rng);
  }
}

import { fixesStar, type Gold, type QueryChange } from '../change.js';
import { isNamedOutside, type JoinSite, joinsOf } from '../join-sites.js';
import { childStandsIn, conditionIsFree, joinIsFree, leftIsInner, namesEarlier } from '../proofs/join-free.js';
import { itemAt } from '../../../present.js';
import { foldName, renderIdentifier } from '../../../sql/dialect.js';
import { shuffled } from '../../../seeded-rng.js';
import { nameIn, type ScopeSource } from '../../../sql/scope.js';
import type { Rng } from '../../../stage.js';
import type { CoreSite } from '../query-sites.js';

function* dropped(gold: Gold, site: JoinSite): Iterable<QueryChange> {
  const { node, left, right } = site;
  const span = { start: gold.text.between(node.left.span, node.right.span).start, end: node.span.end };
  const sides = [
    [right, gold.text.cut(span), span],
    [left, gold.text.replace(node.span, gold.text.textOf(node.right.span)), node.span],
  ] as const;
  for (const [source, edit, within] of sides) {
    if (source === null || isNamedOutside(gold, site, source, within)) continue;
    yield { edit, detail: gold.text.textOf(source.node.span), equivalent: joinIsFree(gold, site, source) };
  }
}

/** A joined table goes with the condition of its join, where no other part of the query names it. */
export function* dropJoin(gold: Gold): Iterable<QueryChange> {
  // NATURAL and USING name columns of all tables before them.
  if (gold.query.joins.length > 0) return;
  for (const core of gold.sites.cores.filter((each) => !fixesStar(each))) {
    for (const site of joinsOf(core)) yield* dropped(gold, site);
  }
}

/** The condition of a join goes: each row meets each. */
export function* dropOn(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.cores.flatMap(joinsOf)) {
    const { constraint } = site.node;
    if (constraint?.kind !== 'on') continue;
    const { span } = constraint;
    yield { edit: gold.text.cut(span), detail: gold.text.textOf(span), equivalent: conditionIsFree(gold, site) };
  }
}

function* turned(gold: Gold, site: JoinSite): Iterable<QueryChange> {
  const { type, left, right, constraint, natural } = site.node;
  if (constraint?.kind !== 'on' || natural !== null) return;
  const words = gold.text.between(left.span, right.span);
  const [before, after] = type === 'left' ? ['LEFT JOIN', 'JOIN'] : ['JOIN', 'LEFT JOIN'];
  if (type !== 'left' && (type !== 'inner' || !namesEarlier(site, gold))) return;
  yield { edit: gold.text.replace(words, after), detail: `${before} → ${after}`, equivalent: leftIsInner(gold, site) };
}

/** A join with a condition becomes a left join, and back. */
export function* joinType(gold: Gold): Iterable<QueryChange> {
  for (const site of gold.sites.cores.flatMap(joinsOf)) yield* turned(gold, site);
}

/** Tables that one becomes, at most: nothing is read of it where rows are counted, so that every table would do. */
const MOST_TABLES = 3;

/** Folded names of a table's columns that the query reads; null where it reads all, or its row id. */
function namesRead({ query, world }: Gold, source: ScopeSource): Set<string> | null {
  const names = new Set<string>();
  for (const { found } of query.names) {
    const target = found?.target;
    if (target === undefined || !('source' in target) || target.source !== source) continue;
    if (target.kind !== 'column') return null;
    names.add(foldName(nameIn(world, target.column)));
  }
  return names;
}

/** Positions of the other tables that have all columns of these names. */
function othersOf({ database }: Gold, table: number, names: ReadonlySet<string>): number[] {
  return database.tables.flatMap(({ columns }, position) => {
    const own = new Set(columns.map((column) => foldName(column.originalName)));
    return position !== table && [...names].every((name) => own.has(name)) ? [position] : [];
  });
}

function* swapsOf(gold: Gold, core: CoreSite, source: ScopeSource, rng: Rng): Iterable<QueryChange> {
  const { node, relation, label } = source;
  const names = namesRead(gold, source);
  if (node.kind !== 'table' || node.schema !== null || relation.table === null || names === null) return;
  for (const position of shuffled(othersOf(gold, relation.table, names), rng).slice(0, MOST_TABLES)) {
    const other = itemAt(gold.database.tables, position).originalName;
    const named = node.alias !== null || label === null ? '' : ` AS ${renderIdentifier(label)}`;
    const edit = gold.text.replace(node.name.span, renderIdentifier(other) + named);
    yield { edit, detail: `${node.name.name} → ${other}`, equivalent: childStandsIn(gold, core, source, position) };
  }
}

/** A table becomes another that has columns of the names that are read. */
export function* table(gold: Gold, rng: Rng): Iterable<QueryChange> {
  // NATURAL and USING read columns that the query does not name.
  if (gold.query.joins.length > 0) return;
  for (const core of gold.sites.cores.filter((each) => !fixesStar(each))) {
    for (const source of core.bound.sources) yield* swapsOf(gold, core, source, rng);
  }
}

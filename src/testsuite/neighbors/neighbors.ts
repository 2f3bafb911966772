import { whereReadable } from '../../sql/sql-fault.js';
import { createRng } from '../../seeded-rng.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { OriginalNames, type BoundQuery } from '../../sql/bound-query.js';
import { applyEdits, type SqlEdit } from '../../sql/edits.js';
import type { Span } from '../../sql/tokenizer.js';
import { CHANGE_KINDS, type ChangeKind, type Gold, type QueryChange } from './change.js';
import { NO_FACTS, type ColumnFacts } from './column-facts.js';
import { QuerySites } from './query-sites.js';
import { TokenText } from './token-text.js';
import type { Rng } from '../../stage.js';
import { addDistinct, aggregator, arithmetic, dropAggregate, dropColumn, dropDistinct } from './changes/select-list.js';
import { addLimit, dropLimit, dropOrderBy, orderDirection } from './changes/order-and-limit.js';
import { column } from './changes/column.js';
import { comparisonOperator } from './changes/comparison-operator.js';
import { connective, dropBound, dropBranch, dropCondition, dropListed, nullHandling } from './changes/conditions.js';
import { dropClauses, dropGroupBy, dropHaving, setOperator } from './changes/clauses.js';
import { dropJoin, dropOn, joinType, table } from './changes/joins.js';
import { numericConstant, stringConstant } from './changes/constants.js';

/** Lists all changes of one kind that a query allows. */
type NeighborRule = (gold: Gold, rng: Rng) => Iterable<QueryChange>;

/** The rule of each kind. */
export const NEIGHBOR_RULES: Readonly<Record<ChangeKind, NeighborRule>> = {
  'numeric-constant': numericConstant,
  'string-constant': stringConstant,
  'comparison-operator': comparisonOperator,
  aggregator,
  column,
  table,
  connective,
  arithmetic,
  'join-type': joinType,
  'set-operator': setOperator,
  'add-distinct': addDistinct,
  'add-limit': addLimit,
  'null-handling': nullHandling,
  'order-direction': orderDirection,
  'drop-distinct': dropDistinct,
  'drop-column': dropColumn,
  'drop-aggregate': dropAggregate,
  'drop-condition': dropCondition,
  'drop-bound': dropBound,
  'drop-listed': dropListed,
  'drop-join': dropJoin,
  'drop-on': dropOn,
  'drop-order-by': dropOrderBy,
  'drop-limit': dropLimit,
  'drop-group-by': dropGroupBy,
  'drop-having': dropHaving,
  'drop-clauses': dropClauses,
  'drop-branch': dropBranch,
};

/** Kinds that may make a name elsewhere in the query refer to two columns, so that each change is to be resolved. */
const CLASHING_KINDS: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['table']);

export interface NeighborOptions {
  /** Together with the gold it decides all random constants. */
  readonly seed: number;
  /** The facts that hold in all databases of the suite; without, less is shown to be equivalent. */
  readonly facts?: ColumnFacts;
}

/** A query that differs from its gold by one change. */
export interface Neighbor extends QueryChange {
  readonly sql: string;
  readonly kind: ChangeKind;
}

function takeApart(sql: string, database: Database, facts: ColumnFacts): Gold {
  const query = bindQuery(sql, database);
  return {
    sql,
    database,
    facts,
    query,
    sites: new QuerySites(query),
    text: new TokenText(sql),
    names: new Map(query.names.map((binding) => [binding.token, binding])),
    world: new OriginalNames(),
  };
}

/** Parts in which a name may refer to what another part selects: subqueries of FROM, ordered set operations. */
function namedParts({ sites }: Gold): Span[] {
  const named = sites.selects.filter(({ node, use }) => {
    return use === 'relation' || (node.terms.length > 1 && node.orderBy.length > 0);
  });
  return named.map(({ node }) => node.span);
}

/** Result columns of set operations that are ordered by an expression: it has to be one of them, word for word. */
function fixedParts({ sites }: Gold): Span[] {
  const ordered = sites.selects.filter(({ node }) => {
    const isPlain = node.orderBy.every(({ expression: { kind } }) => kind === 'column' || kind === 'literal');
    return node.terms.length > 1 && !isPlain;
  });
  return ordered.flatMap(({ node, cores }) => {
    const results = cores.flatMap((core) => core.node.columns.map(({ span }) => span));
    return [...results, ...node.orderBy.map(({ expression: { span } }) => span)];
  });
}

const touches = (edit: SqlEdit, part: Span): boolean => edit.start < part.end && edit.end > part.start;

/** Returns the kind of referent of the name at each offset: a column, an alias, a row id, or a literal. */
function kindsOf({ names }: BoundQuery): Map<number, string> {
  return new Map(names.map(({ token, found }) => [token.span.start, found?.target.kind ?? 'literal']));
}

/**
 * Checks whether a query changed in a part that others name resolves, and every name outside of the change refers to
 * the kind of thing that it referred to: one in double quotes becomes a string, or an alias, where its column has gone.
 */
function resolves(changed: string, { start, end, after }: SqlEdit, { query, database }: Gold): boolean {
  // A join by NATURAL or USING would match other columns.
  if (query.joins.length > 0) return false;
  return whereReadable(() => {
    const before = kindsOf(query);
    const shift = start + after.length - end;
    return [...kindsOf(bindQuery(changed, database))].every(([at, kind]) => {
      if (at >= start && at < end + shift) return true;
      return before.get(at < start ? at : at - shift) === kind;
    });
  }, false);
}

/**
 * The neighbors of a gold query in SQLite's dialect (Zhong et al. 2020, §3.1 and Figure 2): it with one change each,
 * as written elsewhere. Every one parses and resolves, and differs from the gold and from each other in more than
 * spaces and letter case. The same gold, schema and seed give the same neighbors.
 * @throws SqlRewriteError with the position where the gold can't be parsed or resolved
 */
export function neighborsOf(sql: string, database: Database, { seed, facts = NO_FACTS }: NeighborOptions): Neighbor[] {
  const gold = takeApart(sql, database, facts);
  const seen = new Set([gold.text.normal]);
  const parts = namedParts(gold);
  const fixed = fixedParts(gold);
  const isNamed = (edit: SqlEdit): boolean => parts.some((part) => touches(edit, part));
  const isFixed = (edit: SqlEdit): boolean => fixed.some((part) => touches(edit, part));
  const neighbors: Neighbor[] = [];
  for (const kind of CHANGE_KINDS) {
    const mayClash = CLASHING_KINDS.has(kind);
    for (const { edit, detail, equivalent } of NEIGHBOR_RULES[kind](gold, createRng(seed, `${kind} ${sql}`))) {
      const normal = gold.text.normalAfter(edit);
      if (seen.has(normal)) continue;
      seen.add(normal);
      const changed = applyEdits(sql, [edit]);
      if (isFixed(edit) || ((mayClash || isNamed(edit)) && !resolves(changed, edit, gold))) continue;
      neighbors.push({ sql: changed, edit, kind, detail, equivalent });
    }
  }
  return neighbors;
}

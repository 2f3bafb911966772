import type { Expression } from '../../../sql/ast.js';
import { columnKey } from '../../../schema/schema.js';
import { baseOf, type ColumnTarget, type ScopeSource } from '../../../sql/scope.js';
import type { Gold } from '../change.js';
import type { JoinSite } from '../join-sites.js';
import type { CoreSite } from '../query-sites.js';
import { conjunctsOf } from '../../../sql/ast-walk.js';
import { columnOf } from './conditions.js';
import { countTest } from './integer-test.js';
import { isNeverNull } from './no-nulls.js';

/** Checks whether columns hold a key of a table without NULL. */
function holdKey({ facts }: Gold, columns: readonly ColumnTarget[], source: ScopeSource): boolean {
  if (source.relation.table === null) return false;
  const refs = columns.flatMap((target) => (target.source === source ? (baseOf(target.column) ?? []) : []));
  const known = new Set(refs.map(columnKey).filter((key) => facts.notNull.has(key)));
  const keys = facts.keys.filter(([ref]) => ref?.table === source.relation.table);
  return keys.some((key) => key.every((ref) => known.has(columnKey(ref))));
}

/**
 * Checks whether a condition drops a group of one row that a LEFT JOIN filled up: it counts 1, or what is NULL there.
 */
function dropsLone(gold: Gold, { core, right }: JoinSite, condition: Expression): boolean {
  const test = countTest(condition);
  if (test === null) return false;
  const [arg] = test.call.args;
  const target = arg === undefined ? null : columnOf(gold, core, arg);
  const counts = test.call.star ? [1] : target?.source === right ? [0] : [0, 1];
  return !counts.some(test.passes);
}

/** Why rows without a partner are in no group that HAVING lets through, or null: each is a group of its own. */
export function groupsDropFilledUp(gold: Gold, site: JoinSite): string | null {
  const { core, left, later } = site;
  const { groupBy, having } = core.node;
  if (left === null || later.length > 0) return null;
  const terms = groupBy.flatMap((term) => columnOf(gold, core, term) ?? []);
  const drops = holdKey(gold, terms, left) && conjunctsOf(having).some((part) => dropsLone(gold, site, part));
  return drops ? 'a row without a partner is a group that HAVING drops' : null;
}

/** The columns that a SELECT selects as they are; null where it selects, or does, more. */
function plainOutputs({ node, bound }: CoreSite): ColumnTarget[] | null {
  if (node.groupBy.length > 0 || node.having !== null) return null;
  const targets = bound.outputs.map(({ found }) => {
    return found?.target.kind === 'column' && found.merged.length === 0 ? found.target : null;
  });
  return targets.includes(null) ? null : (targets as ColumnTarget[]);
}

/**
 * Why rows without a partner are not in a set operation's result, or null: they are NULL where the other side never is.
 */
export function setDropsFilledUp(gold: Gold, { core, right, later }: JoinSite): string | null {
  const { node, cores } = core.select;
  const operator = node.terms[1]?.operator;
  if (node.terms.length !== 2 || cores.length !== 2 || later.some(({ type }) => type === 'right' || type === 'full')) {
    return null;
  }
  const drops = operator === 'INTERSECT' || (operator === 'EXCEPT' && cores[1] === core);
  const other = cores[0] === core ? cores[1] : cores[0];
  if (!drops || other === undefined) return null;
  const [own, others] = [plainOutputs(core), plainOutputs(other)];
  const isTold = own?.some((target, i) => {
    const across = others?.[i];
    return target.source === right && across !== undefined && isNeverNull(gold, other, across);
  });
  return isTold === true ? 'the other side of the set operation has no NULL there' : null;
}

import { memoizeObject } from '../../schema/memoize.js';
import { isAggregated, tablesOf, type TableUse, useKey, usesIn, usesOf } from '../clauses/clause-parts.js';
import type { Clause } from '../clauses/clause.js';
import type { CompositionDraft } from './composition-rule.js';

/** The uses of tables that clauses mention, but for some. */
function newUses(clauses: readonly Clause[], known: ReadonlySet<string>): readonly TableUse[] {
  return usesOf(clauses).filter((use) => !known.has(useKey(use)));
}

/**
 * Checks whether a join would leave out rows that OR is true of, or one list holds conditions on rows and on groups.
 */
function splitsOr({ base, element }: CompositionDraft): boolean {
  const rest = usesIn(base.rest);
  const [before, after] = [base, element].map(({ clauses }) => newUses(clauses, rest).map(useKey).sort().join());
  if (before !== after) return true;
  return base.clauses.some(isAggregated) !== element.clauses.some(isAggregated);
}

const choosing = memoizeObject((clauses: readonly Clause[]): readonly Clause[] =>
  clauses.filter(({ kind }) => kind === 'condition' || kind === 'order'),
);

/**
 * Checks whether both elements are about one further table that the noun does not name: about one of its rows, or about
 * two?
 */
function splitsAnd({ base, element }: CompositionDraft): boolean {
  const rest = usesIn(base.rest);
  const own = new Set(newUses(choosing(element.clauses), rest).map(useKey));
  return newUses(choosing(base.clauses), rest).some(
    (use) => own.has(useKey(use)) && !base.nounTables.includes(use.table),
  );
}

/**
 * Checks whether an appended condition has to be a query of its own, joined by UNION or INTERSECT: "singers who have a
 * song or who are older than 20", "students who have a cat and who have a dog".
 */
export function needsCompound(draft: CompositionDraft): boolean {
  if (draft.kind === 'SUB') return false;
  return draft.connective === 'or' ? splitsOr(draft) : splitsAnd(draft);
}

/**
 * Checks whether what is asked for can be a compound: plain columns, in no order, no compound yet; of INTERSECT columns
 * of the noun's table, as two heroes may have one gender.
 */
export function allowsCompound({ connective, base, element }: CompositionDraft): boolean {
  const isOfNoun = (clause: Clause): boolean => tablesOf(clause).every((table) => base.nounTables.includes(table));
  const isFit = (clause: Clause): boolean => !isAggregated(clause) && (connective === 'or' || isOfNoun(clause));
  const isPlain = base.rest.every((clause) => clause.kind !== 'select' || isFit(clause));
  const all = [...base.rest, ...base.clauses, ...element.clauses];
  return isPlain && all.every(({ kind }) => kind !== 'order' && kind !== 'limit' && kind !== 'set');
}

import type { Clause } from '../clauses/clause.js';
import type { CompositionKind } from '../../formats/artifacts/compositions.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { CompositionalElement } from './element.js';

/** A composition to make: `base`'s question with `element` in the place of `base` or appended to it. */
export interface CompositionDraft {
  readonly kind: CompositionKind;
  /** The connective before an appended element; null for a substitution. */
  readonly connective: 'and' | 'or' | null;
  readonly base: CompositionalElement;
  readonly element: CompositionalElement;
}

const wholeClauses = memoizeObject(({ rest, clauses }: CompositionalElement): readonly Clause[] => [
  ...rest,
  ...clauses,
]);

/** The clauses of the base that stay: without those of its element where that is substituted. */
export function keptClauses({ kind, base }: CompositionDraft): readonly Clause[] {
  return kind === 'SUB' ? base.rest : wholeClauses(base);
}

/** Groups of rules: appendix A's three kinds of checks; `meaning`, ours, that question and query say the same. */
type RuleGroup = 'complexity' | 'logic' | 'coherence' | 'meaning';

/** The subject of a rule: a draft, and the clauses that it results in. */
export interface RuleCase extends CompositionDraft {
  /** The clauses of the base that stay. */
  readonly kept: readonly Clause[];
  /** Those and the element's. */
  readonly clauses: readonly Clause[];
}

/** A small check on a draft. */
export interface CompositionRule {
  /** "same-noun". */
  readonly id: string;
  readonly group: RuleGroup;
  /** "Spider-SS appendix A", or "ours". */
  readonly source: string;
  /** The condition that must hold, for people: "both elements modify the same noun". */
  readonly says: string;
  readonly holds: (given: RuleCase) => boolean;
}

/** Where the paper has a rule. */
export const APPENDIX_A = 'Spider-SS appendix A';

/** A rule beyond the paper: a composed query means what its question says. */
export function ownRule(id: string, says: string, holds: CompositionRule['holds']): CompositionRule {
  return { id, says, holds, group: 'meaning', source: 'ours' };
}

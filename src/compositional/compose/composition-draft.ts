import type { CompositionKind } from '../../formats/artifacts/compositions.js';
import { rememberedOf } from '../clauses/clause-parts.js';
import type { Clause } from '../clauses/clause.js';
import type { CompositionalElement } from './element.js';

/** A composition to make: `base`'s question with `element` in the place of `base` or appended to it. */
export interface CompositionDraft {
  readonly kind: CompositionKind;
  /** The connective before an appended element; null for a substitution. */
  readonly connective: 'and' | 'or' | null;
  readonly base: CompositionalElement;
  readonly element: CompositionalElement;
}

const wholeClauses = rememberedOf(({ rest, clauses }: CompositionalElement): readonly Clause[] => [
  ...rest,
  ...clauses,
]);

/** The clauses of the base that stay: without those of its element where that is substituted. */
export function keptClauses({ kind, base }: CompositionDraft): readonly Clause[] {
  return kind === 'SUB' ? base.rest : wholeClauses(base);
}

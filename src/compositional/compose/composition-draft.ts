import { rememberedOf } from '../clauses/clause-parts.js';
import type { Clause } from '../clauses/clause.js';
import type { CompositionalElement } from './element.js';

/** CG-SUB and CG-APP (Spider-SS §3.1). */
export const COMPOSITION_KINDS = ['SUB', 'APP'] as const;
export type CompositionKind = (typeof COMPOSITION_KINDS)[number];

/** What is to be composed: `base`'s question with `element` in the place of `base` or appended to it. */
export interface CompositionDraft {
  readonly kind: CompositionKind;
  /** What an appended element is joined with; null of a substitution. */
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

/** A stretch of a composed question: of its first parent, of its second, or the word that joins them. */
export interface QuestionPiece {
  readonly of: 'base' | 'element' | 'link';
  readonly text: string;
}

import { COHERENCE_RULES } from './coherence-rules.js';
import { COMPLEXITY_RULES } from './complexity-rules.js';
import { type CompositionDraft, keptClauses } from './composition-draft.js';
import type { CompositionRule, RuleCase } from './composition-rule.js';
import { ELEMENT_RULES } from './element-rules.js';
import { LOGIC_RULES } from './logic-rules.js';
import { REACH_RULES } from './reach-rules.js';
import { ROW_RULES } from './row-rules.js';
import { WORDING_RULES } from './wording-rules.js';

/** Every rule of composing, those first that refuse most and cost least. */
export const COMPOSITION_RULES: readonly CompositionRule[] = [
  ...COHERENCE_RULES,
  ...COMPLEXITY_RULES,
  ...ELEMENT_RULES,
  ...LOGIC_RULES,
  ...WORDING_RULES,
  ...REACH_RULES,
  ...ROW_RULES,
];

/** The paper's rules alone: what its counts are compared with. */
export const APPENDIX_A_RULES: readonly CompositionRule[] = COMPOSITION_RULES.filter(({ source }) => source !== 'ours');

/** The first rule that refuses a draft; null where all hold. */
export function refusedBy(draft: CompositionDraft, rules: readonly CompositionRule[]): CompositionRule | null {
  const kept = keptClauses(draft);
  const given: RuleCase = { ...draft, kept, clauses: [...kept, ...draft.element.clauses] };
  return rules.find((rule) => !rule.holds(given)) ?? null;
}

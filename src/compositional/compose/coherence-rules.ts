import type { Clause } from '../clauses/clause.js';
import { isFixedPlural } from './agreement.js';
import { APPENDIX_A, type CompositionRule, type RuleCase } from './composition-rule.js';
import type { ElementFrame } from './element-frame.js';

const isOnly = (clauses: readonly Clause[], kind: Clause['kind']): boolean => clauses.every((one) => one.kind === kind);
const has = (clauses: readonly Clause[], kind: Clause['kind']): boolean => clauses.some((one) => one.kind === kind);

/** Frames that follow a noun, and can stand in for and next to one another. */
const AFTER_NOUN: ReadonlySet<ElementFrame> = new Set(['order', 'relative', 'modifier'] as const);

function fits({ kind, base, element }: RuleCase): boolean {
  if (AFTER_NOUN.has(base.frame)) {
    if (AFTER_NOUN.has(element.frame)) return true;
    return kind === 'APP' && element.frame === 'imperative' && !base.source.question.trimEnd().endsWith('?');
  }
  if (base.frame === 'clause')
    return kind === 'SUB' && element.frame === 'clause' && firstWord(base.text) === firstWord(element.text);
  return base.frame === element.frame && (kind === 'SUB' || base.frame === 'predicate');
}

const firstWord = (text: string): string => text.split(/\s/, 1)[0]?.toLowerCase() ?? '';

function agrees({ base, element }: RuleCase): boolean {
  if (base.noun === null || base.noun.isPlural || element.noun?.isPlural !== true) return true;
  const isListed = has(element.clauses, 'order') && !has(element.clauses, 'limit');
  return !isListed && !isFixedPlural(element.text, element.frame);
}

/** The composed question reads as one: appendix A's coherence, and what we found missing in it. */
export const COHERENCE_RULES: readonly CompositionRule[] = [
  {
    id: 'same-noun',
    group: 'coherence',
    source: APPENDIX_A,
    says: 'both elements modify the same noun',
    holds: ({ base, element }) => base.noun !== null && base.noun.key === element.noun?.key,
  },
  {
    id: 'or-joins-conditions',
    group: 'coherence',
    source: APPENDIX_A,
    says: '"or" joins nothing but conditions',
    holds: ({ connective, base, element }) =>
      connective !== 'or' || (isOnly(base.clauses, 'condition') && isOnly(element.clauses, 'condition')),
  },
  {
    id: 'same-frame',
    group: 'coherence',
    source: 'ours',
    says: 'an element takes the place of, or joins, one of its own grammar: predicates predicates, modifiers modifiers',
    holds: fits,
  },
  {
    id: 'number-agrees',
    group: 'coherence',
    source: 'ours',
    says: 'a plural verb or an order does not follow a noun in the singular',
    holds: agrees,
  },
  {
    id: 'order-last',
    group: 'coherence',
    source: 'ours',
    says: 'nothing is appended behind an order or a superlative',
    holds: ({ kind, base }) => kind === 'SUB' || !has(base.clauses, 'order'),
  },
  {
    id: 'or-of-two',
    group: 'coherence',
    source: 'ours',
    says: '"or" joins two single conditions, as its reach is unclear among more',
    holds: ({ connective, kept, element }) =>
      connective !== 'or' ||
      (kept.filter(({ kind }) => kind === 'condition').length === 1 && element.clauses.length === 1),
  },
];

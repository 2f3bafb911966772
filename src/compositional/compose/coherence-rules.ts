import { type Clause, hasKind } from '../clauses/clause.js';
import { isFixedPlural } from './agreement.js';
import { APPENDIX_A, type CompositionRule, type RuleCase } from './composition-rule.js';
import { fittedText } from './element-text.js';

const isCondition = ({ kind }: Clause): boolean => kind === 'condition';
const isNoCondition = ({ kind }: Clause): boolean => kind === 'order' || kind === 'limit' || kind === 'set';
const isOfOrder = ({ kind }: Clause): boolean => kind !== 'condition' && kind !== 'set';

/** Checks whether conditions are one, or several of which any is enough. */
function isAnyOf(clauses: readonly Clause[]): boolean {
  const [, ...others] = clauses.filter((clause) => clause.kind === 'condition');
  return others.every(({ connective }) => connective === 'or');
}

/** Words by which a noun in the singular is several rows. */
const OF_EACH = /(?<!\p{L})(?:each|every|all)(?!\p{L})/iu;

/** A noun in the singular that may be several: "each singer", "which airline". */
const GENERAL = /(?<!\p{L})(?:each|every|all|any|which|what)\s+(?:\p{L}+\s+){0,2}\p{L}+\s*$/iu;

function agrees({ connective, base, element }: RuleCase): boolean {
  if (base.noun === null || base.noun.isPlural) return true;
  const before = base.source.question.slice(0, base.start);
  // "The hero named Deathlok": a group in its place, or next to "or", is not one hero.
  if (connective !== 'and' && base.picksOne && !element.picksOne && !GENERAL.test(before)) return false;
  if (element.noun?.isPlural === true && !GENERAL.test(before)) return false;
  if (element.clauses.some((clause) => clause.kind === 'limit' && clause.count > 1)) return false;
  const isListed = hasKind(element.clauses, 'order') && !hasKind(element.clauses, 'limit');
  if (isListed && !OF_EACH.test(before)) return false;
  return element.noun?.isPlural !== true || !isFixedPlural(element.text, element.frame);
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
      connective !== 'or' || ![...base.clauses, ...element.clauses].some(isNoCondition),
  },
  {
    id: 'same-frame',
    group: 'coherence',
    source: 'ours',
    says: 'the element has a form that fits the sentence: a predicate after a noun takes "that"',
    holds: (given) => fittedText(given) !== null,
  },
  {
    id: 'number-agrees',
    group: 'coherence',
    source: 'ours',
    says: 'a plural verb, an order, the first of several or what is said of several does not follow a noun in the singular',
    holds: agrees,
  },
  {
    id: 'order-last',
    group: 'coherence',
    source: 'ours',
    says: 'an element goes before an order or a superlative, where the base has no other element',
    holds: ({ kind, base }) => kind === 'SUB' || !hasKind(base.clauses, 'order') || base.clauses.every(isOfOrder),
  },
  {
    id: 'or-of-two',
    group: 'coherence',
    source: 'ours',
    says: 'behind "or" and before it there are one condition or several joined by "or": its reach is unclear among others',
    holds: ({ connective, base, kept, element }) =>
      connective !== 'or' || (isAnyOf(kept) && isAnyOf(element.clauses) && !base.rest.some(isCondition)),
  },
];

import { INDISPENSABLE, SCREEN_RULE_IDS } from '../../src/recipes/rules-in-force.js';

/** Rules that the product has beyond the paper; `existing-name` stays, since no table can have a name twice. */
const SCREENS = SCREEN_RULE_IDS.filter((rule) => rule !== INDISPENSABLE);

/** The recipe `cta` as ADVETA section 4 has it: no naturalness rules, no bank of columns, no domain floor, no catalog. */
export const PAPER_SETTINGS = {
  retriever: { domainFloor: 0 },
  bank: { keep: 0 },
  attributes: { keep: 0 },
  naturalness: Object.fromEntries(SCREENS.map((rule) => [rule, false])),
} as const;

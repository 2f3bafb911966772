/** Rules that the product has beyond the paper; `existing-name` stays, since no table can have a name twice. */
const SCREENS =
  'offensive symbols digits short misspelled opaque word-repeat too-long rare-word number-agreement row-kind ' +
  'unsupported ambiguous synonym unassociated';

/** The recipe `cta` as ADVETA section 4 has it: no naturalness rules, no association, no domain floor. */
export const PAPER_SETTINGS = {
  retriever: { associated: 0, domainFloor: 0 },
  naturalness: Object.fromEntries(SCREENS.split(' ').map((rule) => [rule, false])),
} as const;

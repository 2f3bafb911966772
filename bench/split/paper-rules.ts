import type { BreakRule } from '../../src/compositional/split/split-rule.js';

/** Spider-SS §2.2, first paragraph. */
const LABELS: readonly string[] = ['prep', 'relcl', 'advcl', 'acl', 'nsubj', 'npadvmod', 'csubj', 'nsubjpass', 'conj'];

/** The paper's dependencies as they are written: each starts a sub-sentence at its left edge. */
export const PAPER_RULES: readonly BreakRule[] = LABELS.map((label) => ({
  id: label,
  source: 'Spider-SS §2.2',
  description: `A token of dependency ${label} starts a sub-sentence with all that depends on it.`,
  find: ({ tree }) =>
    [...tree.tokens.keys()].filter((at) => tree.at(at).label === label).map((at) => tree.leftEdge(at)),
}));

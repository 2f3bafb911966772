/**
 * Other rules of exact match than the default ones: those of Spider's published `evaluation.py`, and the same with the
 * conditions of joins compared (`adapted`: Zhong et al. 2020, §5.3).
 */
export const EXACT_COMPATS = ['spider', 'adapted'] as const;
export type ExactCompat = (typeof EXACT_COMPATS)[number];

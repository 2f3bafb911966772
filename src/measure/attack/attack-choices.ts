import type { SampleChoice } from '../../variants/relations/names/candidate-sampling.js';

/** How perturbations are chosen: drawn at random (ADVETA §5.2), or searched for within a budget of queries. */
export const ATTACK_STRATEGIES = ['random', 'greedy', 'importance', 'worst-of-k'] as const;
export type AttackStrategy = (typeof ATTACK_STRATEGIES)[number];

/** Which of a column's candidates are drawn: any (ADVETA §5.2), or those of the harder half. */
export const ATTACK_SAMPLES = ['random', 'hard'] as const satisfies readonly SampleChoice[];
export type AttackSample = (typeof ATTACK_SAMPLES)[number];

/** How perturbations are chosen: drawn at random (ADVETA §5.2), or searched for within a budget of queries. */
export const ATTACK_STRATEGIES = ['random', 'greedy', 'worst-of-k'] as const;
export type AttackStrategy = (typeof ATTACK_STRATEGIES)[number];

/** Kinds of victims that the command line can make. */
export const VICTIM_KINDS = ['baseline', 'command', 'endpoint', 'file'] as const;
export type VictimKind = (typeof VICTIM_KINDS)[number];

/** How perturbations are chosen: drawn at random (ADVETA §5.2), or searched for within a budget of queries. */
export const ATTACK_STRATEGIES = ['random', 'greedy', 'worst-of-k'] as const;
export type AttackStrategy = (typeof ATTACK_STRATEGIES)[number];

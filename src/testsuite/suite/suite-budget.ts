import type { DistillBudget } from '../distill/distillation.js';

/**
 * The work that goes into a schema where nothing else is asked. The paper tries 1,000 random databases, none of them
 * targeted.
 */
export const SUITE_BUDGET: DistillBudget = { randomDatabases: 300, targetedDatabases: 8, redundancy: 5, allRound: 10 };

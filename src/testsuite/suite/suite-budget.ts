import type { DistillBudget } from '../distill/distillation.js';

/** The work that goes into a schema where nothing else is asked. The paper tries 1,000 random databases, none aimed. */
export const SUITE_BUDGET: DistillBudget = { randomDatabases: 300, aimedDatabases: 8, redundancy: 5, allRound: 10 };

import type { AuditedGold } from '../audited-gold.js';
import type { GoldFinding } from '../finding.js';

/** Looks for some classes in one gold query. It never throws for what the query is or does. */
export type GoldCheck = (gold: AuditedGold) => Promise<readonly GoldFinding[]> | readonly GoldFinding[];

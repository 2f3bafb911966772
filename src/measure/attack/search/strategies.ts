import type { AttackStrategy } from '../attack-choices.js';
import { greedy } from './greedy.js';
import { importance } from './importance.js';
import type { SearchStrategy } from './table-search.js';
import { worstOfK } from './worst-of-k.js';

/** How each searching strategy searches. */
export const SEARCH_STRATEGIES: Readonly<Record<Exclude<AttackStrategy, 'random'>, SearchStrategy>> = {
  greedy,
  importance,
  'worst-of-k': worstOfK,
};

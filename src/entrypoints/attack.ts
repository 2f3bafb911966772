/**
 * Models asked: attacks with perturbed tables, tests for consistency, and victims of one's own.
 * @module
 */
import type { attack as Attack } from '../attack/attack.js';
import type { prepareAttack as PrepareAttack } from '../attack/prepare-attack.js';
import type { scoreAttack as ScoreAttack } from '../attack/score-attack.js';
import type { consistency as Consistency } from '../consistency/consistency.js';

export * from '../errors.js';
export type { AttackOutcome } from '../attack/attack.js';
export type { AttackInput, AttackOptions } from '../attack/attack-options.js';
export { attackReport, type AttackReport } from '../attack/attack-report.js';
export type { PrepareInput, PrepareOutcome } from '../attack/prepare-attack.js';
export type { ScoreOptions } from '../attack/score-attack.js';
export type { ConsistencyOutcome } from '../consistency/consistency.js';
export type { ConsistencyInput, ConsistencyOptions } from '../consistency/consistency-options.js';
export { type ConsistencyReport, consistencyReport } from '../consistency/consistency-report.js';
export { type RunHost, NOOP_HOST } from '../run/run-host.js';
export {
  failedAnswer,
  readAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimQuestion,
} from '../victims/victim.js';
export type { VictimChoice } from '../victims/victims.js';

export const attack: typeof Attack = async (...given) => (await import('../attack/attack.js')).attack(...given);

export const prepareAttack: typeof PrepareAttack = async (...given) =>
  (await import('../attack/prepare-attack.js')).prepareAttack(...given);

export const scoreAttack: typeof ScoreAttack = async (...given) =>
  (await import('../attack/score-attack.js')).scoreAttack(...given);

export const consistency: typeof Consistency = async (...given) =>
  (await import('../consistency/consistency.js')).consistency(...given);

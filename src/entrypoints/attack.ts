/**
 * Models asked: attacks with perturbed tables, tests for consistency, and victims of one's own.
 * @module
 */
import type { attack as Attack } from '../measure/attack/attack.js';
import type { prepareAttack as PrepareAttack, scoreAttack as ScoreAttack } from '../measure/attack/prepare-attack.js';
import type { consistency as Consistency } from '../measure/consistency/consistency.js';

export * from '../errors.js';
export type { AttackOutcome } from '../measure/attack/attack.js';
export type { AttackInput, AttackOptions } from '../measure/attack/attack-options.js';
export { attackReport, type AttackReport } from '../measure/attack/attack-report.js';
export type { PrepareInput, PrepareOutcome } from '../measure/attack/prepare-attack.js';
export type { ScoreOptions } from '../measure/attack/prepare-attack.js';
export type { ConsistencyOutcome } from '../measure/consistency/consistency.js';
export type { ConsistencyInput, ConsistencyOptions } from '../measure/consistency/consistency-options.js';
export { type ConsistencyReport, consistencyReport } from '../measure/consistency/consistency-report.js';
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

export const attack: typeof Attack = async (...given) => (await import('../measure/attack/attack.js')).attack(...given);

export const prepareAttack: typeof PrepareAttack = async (...given) =>
  (await import('../measure/attack/prepare-attack.js')).prepareAttack(...given);

export const scoreAttack: typeof ScoreAttack = async (...given) =>
  (await import('../measure/attack/prepare-attack.js')).scoreAttack(...given);

export const consistency: typeof Consistency = async (...given) =>
  (await import('../measure/consistency/consistency.js')).consistency(...given);

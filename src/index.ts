/**
 * The jobs of perturbql, each loaded at its first call, and the errors that they throw. What they are made of is behind the
 * doors `perturbql/sql`, `/candidates`, `/evaluate`, `/attack`, `/mutate` and `/suite` (docs/api).
 * @module
 */
export * from './errors.js';
export { type RunHost, SILENT_HOST } from './run/run-host.js';
export { VERSION } from './version.js';
export type * from './doors/candidates.js';
export type * from './doors/evaluate.js';
export type * from './doors/attack.js';
export type * from './doors/mutate.js';
export type * from './doors/suite.js';

import type * as AttackDoor from './doors/attack.js';
import type * as CandidatesDoor from './doors/candidates.js';
import type * as EvaluateDoor from './doors/evaluate.js';
import type * as MutateDoor from './doors/mutate.js';
import type * as SuiteDoor from './doors/suite.js';

export const generateCandidates: typeof CandidatesDoor.generateCandidates = async (...given) =>
  (await import('./doors/candidates.js')).generateCandidates(...given);

export const augment: typeof CandidatesDoor.augment = async (...given) =>
  (await import('./doors/candidates.js')).augment(...given);

export const verifyRun: typeof CandidatesDoor.verifyRun = async (...given) =>
  (await import('./doors/candidates.js')).verifyRun(...given);

export const evaluate: typeof EvaluateDoor.evaluate = async (...given) =>
  (await import('./doors/evaluate.js')).evaluate(...given);

export const attack: typeof AttackDoor.attack = async (...given) =>
  (await import('./doors/attack.js')).attack(...given);

export const consistency: typeof AttackDoor.consistency = async (...given) =>
  (await import('./doors/attack.js')).consistency(...given);

export const mutate: typeof MutateDoor.mutate = async (...given) =>
  (await import('./doors/mutate.js')).mutate(...given);

export const mutantsMadeBy: typeof MutateDoor.mutantsMadeBy = async (...given) =>
  (await import('./doors/mutate.js')).mutantsMadeBy(...given);

export const mutantsOfRun: typeof MutateDoor.mutantsOfRun = async (...given) =>
  (await import('./doors/mutate.js')).mutantsOfRun(...given);

export const buildSuite: typeof SuiteDoor.buildSuite = async (...given) =>
  (await import('./doors/suite.js')).buildSuite(...given);

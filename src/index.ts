/**
 * The jobs of perturbql, each loaded at its first call, and the errors that they throw. What they are made of is behind the
 * entrypoints `perturbql/sql`, `/candidates`, `/evaluate`, `/attack`, `/mutate` and `/suite` (docs/api).
 * @module
 */
export * from './errors.js';
export { type RunHost, NOOP_HOST } from './run/run-host.js';
export { VERSION } from './version.js';
export type * from './entrypoints/candidates.js';
export type * from './entrypoints/evaluate.js';
export type * from './entrypoints/attack.js';
export type * from './entrypoints/mutate.js';
export type * from './entrypoints/suite.js';

import type * as AttackDoor from './entrypoints/attack.js';
import type * as CandidatesDoor from './entrypoints/candidates.js';
import type * as EvaluateDoor from './entrypoints/evaluate.js';
import type * as MutateDoor from './entrypoints/mutate.js';
import type * as SuiteDoor from './entrypoints/suite.js';

export const generateCandidates: typeof CandidatesDoor.generateCandidates = async (...given) =>
  (await import('./entrypoints/candidates.js')).generateCandidates(...given);

export const augment: typeof CandidatesDoor.augment = async (...given) =>
  (await import('./entrypoints/candidates.js')).augment(...given);

export const verifyRun: typeof CandidatesDoor.verifyRun = async (...given) =>
  (await import('./entrypoints/candidates.js')).verifyRun(...given);

export const evaluate: typeof EvaluateDoor.evaluate = async (...given) =>
  (await import('./entrypoints/evaluate.js')).evaluate(...given);

export const attack: typeof AttackDoor.attack = async (...given) =>
  (await import('./entrypoints/attack.js')).attack(...given);

export const consistency: typeof AttackDoor.consistency = async (...given) =>
  (await import('./entrypoints/attack.js')).consistency(...given);

export const mutate: typeof MutateDoor.mutate = async (...given) =>
  (await import('./entrypoints/mutate.js')).mutate(...given);

export const mutantsMadeBy: typeof MutateDoor.mutantsMadeBy = async (...given) =>
  (await import('./entrypoints/mutate.js')).mutantsMadeBy(...given);

export const mutantsOfRun: typeof MutateDoor.mutantsOfRun = async (...given) =>
  (await import('./entrypoints/mutate.js')).mutantsOfRun(...given);

export const buildSuite: typeof SuiteDoor.buildSuite = async (...given) =>
  (await import('./entrypoints/suite.js')).buildSuite(...given);

/**
 * Metamorphic mutants (MT-TEQL): questions and schemas changed so that a model's prediction must stay as it is.
 * @module
 */
import type { mutate as Mutate } from '../metamorphic/mutate.js';
import type { mutantsMadeBy as MutantsMadeBy, mutantsOfRun as MutantsOfRun } from '../metamorphic/training-mutants.js';

export * from '../errors.js';
export type { MutateOutcome } from '../metamorphic/mutate.js';
export type { MutateInput, MutateOptions } from '../metamorphic/mutate-options.js';
export type { MutateReport } from '../metamorphic/mutate-report.js';
export type { MutantRecord } from '../formats/artifacts/mutants.js';
export type {
  MetamorphicRelation,
  Mutation,
  MutableExample,
  MutationCase,
  NotApplicable,
} from '../metamorphic/relation.js';
export type { MutatedSchema } from '../variants/mutated-schema.js';
export { RELATION_IDS, type RelationId } from '../metamorphic/relations.js';
export { type RunHost, NOOP_HOST } from '../run/run-host.js';

export type { MutantSource } from '../perturb/mutant-source.js';

export const mutate: typeof Mutate = async (options, ...more) => {
  const { PROJECT_CANDIDATES } = await import('../annotate/final-candidates.js');
  const own = { candidateForms: [PROJECT_CANDIDATES], ...options };
  return (await import('../metamorphic/mutate.js')).mutate(own, ...more);
};

export const mutantsMadeBy: typeof MutantsMadeBy = async (options, ...more) => {
  const { PROJECT_CANDIDATES } = await import('../annotate/final-candidates.js');
  const own = { candidateForms: [PROJECT_CANDIDATES], ...options };
  return (await import('../metamorphic/training-mutants.js')).mutantsMadeBy(own, ...more);
};

export const mutantsOfRun: typeof MutantsOfRun = async (...given) =>
  (await import('../metamorphic/training-mutants.js')).mutantsOfRun(...given);

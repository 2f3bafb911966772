/**
 * Metamorphic mutants (MT-TEQL): questions and schemas changed so that a model's prediction must stay as it is.
 * @module
 */
import type { mutate as Mutate } from '../variants/mutate/mutate.js';
import type {
  mutantsMadeBy as MutantsMadeBy,
  mutantsOfRun as MutantsOfRun,
} from '../variants/mutate/training-mutants.js';

export * from '../errors.js';
export type { MutateOutcome } from '../variants/mutate/mutate.js';
export type { MutateInput, MutateOptions } from '../variants/mutate/mutate-options.js';
export type { MutateReport } from '../variants/mutate/mutate-report.js';
export type { MutantRecord } from '../formats/artifacts/mutants.js';
export type {
  MetamorphicRelation,
  Mutation,
  MutableExample,
  MutationCase,
  NotApplicable,
} from '../variants/relations/relation.js';
export type { MutatedSchema } from '../variants/databases/mutated-schema.js';
export { type MutatingId, RELATION_IDS, type RelationId } from '../variants/relations/relations.js';
export { type RunHost, NOOP_HOST } from '../run/run-host.js';

export type { MutantSource } from '../variants/augment/provenance.js';

export const mutate: typeof Mutate = async (options, ...more) => {
  const { PROJECT_CANDIDATES } = await import('../annotate/final-candidates.js');
  const own = { candidateForms: [PROJECT_CANDIDATES], ...options };
  return (await import('../variants/mutate/mutate.js')).mutate(own, ...more);
};

export const mutantsMadeBy: typeof MutantsMadeBy = async (options, ...more) => {
  const { PROJECT_CANDIDATES } = await import('../annotate/final-candidates.js');
  const own = { candidateForms: [PROJECT_CANDIDATES], ...options };
  return (await import('../variants/mutate/training-mutants.js')).mutantsMadeBy(own, ...more);
};

export const mutantsOfRun: typeof MutantsOfRun = async (...given) =>
  (await import('../variants/mutate/training-mutants.js')).mutantsOfRun(...given);

/**
 * Candidates (CTA) and perturbed training sets, whole or stage by stage. Models, index and SQLite load when they are used.
 * @module
 */
import type { createStages as CreateStages } from '../create-stages.js';
import type { loadDataset as LoadDataset } from '../formats/load-dataset.js';
import type { augment as Augment } from '../variants/augment/augment.js';
import type { generateCandidates as GenerateCandidates } from '../variants/candidates/generate-candidates.js';
import type { verifyRun as VerifyRun } from '../variants/verify/verify-run.js';
import type { mergeShards as MergeShards } from '../run/merge-shards.js';

export * from '../errors.js';
export { type CtaStages, type TableResult, type TableTask, runPipeline } from '../pipeline.js';
export { type CandidateDecision, candidateDecisionSchema, loadCandidates } from '../formats/artifacts/candidates.js';
export type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
export type { EndpointSettings } from '../chat/chat-endpoint.js';
export type { ProposerChoice } from '../llm/create-proposer.js';
export { decideBucket, type Thresholds } from '../nli/bucket-rule.js';
export { renderStatement } from '../nli/statement.js';
export type { AugmentInput, AugmentOptions, AugmentOutcome } from '../variants/augment/augment.js';
export type { CandidatesInput, CandidatesOptions } from '../variants/candidates/candidates-run.js';
export type { CandidatesOutcome } from '../variants/candidates/generate-candidates.js';
export { type PairExplanation, PairExplainer, type ScoredPair } from '../variants/candidates/score-pairs.js';
export { isVerified } from '../variants/verify/verdict.js';
export type { VerifyOptions } from '../variants/verify/verify-groups.js';
export type { Verification } from '../variants/verify/verify-run.js';
export { type Recipe, RECIPES } from '../recipes/recipes.js';
export type { RecipeName } from '../recipes/recipe-names.js';
export { parseSettings, type Settings } from '../recipes/settings.js';
export { type ResourceOptions, StageResources } from '../recipes/stage-resources.js';
export { createStageContext, type RunHost, NOOP_HOST } from '../run/run-host.js';
export { type Shard, ShardFinished } from '../run/shard.js';
export type { Column, ColumnRef, ColumnType, Database, Example, ForeignKey, Table } from '../schema/schema.js';
export type * from '../stage.js';

export const generateCandidates: typeof GenerateCandidates = async (...given) =>
  (await import('../variants/candidates/generate-candidates.js')).generateCandidates(...given);

export const augment: typeof Augment = async (options, ...more) => {
  const { PROJECT_CANDIDATES } = await import('../annotate/final-candidates.js');
  const own = { candidateForms: [PROJECT_CANDIDATES], ...options };
  return (await import('../variants/augment/augment.js')).augment(own, ...more);
};

export const verifyRun: typeof VerifyRun = async (...given) =>
  (await import('../variants/verify/verify-run.js')).verifyRun(...given);

export const loadDataset: typeof LoadDataset = async (...given) =>
  (await import('../formats/load-dataset.js')).loadDataset(...given);

export const createStages: typeof CreateStages = async (...given) =>
  (await import('../create-stages.js')).createStages(...given);

export const mergeShards: typeof MergeShards = async (...given) =>
  (await import('../run/merge-shards.js')).mergeShards(...given);

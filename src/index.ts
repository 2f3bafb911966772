/**
 * The public API of perturbql; everything else is internal.
 * @module
 */
export * from './errors.js';
export type { Column, ColumnRef, ColumnType, Database, Example, ForeignKey, Table } from './schema/schema.js';
export type * from './stage.js';
export { type CandidateDecision, candidateDecisionSchema, loadCandidates } from './formats/candidates-file.js';
export type { Dataset, DatasetExample, DatasetPaths } from './formats/dataset.js';
export { loadDataset } from './formats/load-dataset.js';
export { RECIPES } from './recipes/recipes.js';
export type { Recipe } from './recipes/recipe.js';
export type { RecipeName } from './recipes/recipe-names.js';
export { parseSettings, type Settings } from './recipes/settings.js';
export { type ResourceOptions, StageResources } from './recipes/stage-resources.js';
export { createStages } from './create-stages.js';
export { type CtaStages, runPipeline, type TableResult, type TableTask } from './pipeline.js';
export { decideBucket, type Thresholds } from './nli/bucket-rule.js';
export { renderStatement } from './nli/statement.js';
export { createStageContext, type RunHost, SILENT_HOST } from './run/run-host.js';
export { type CandidatesInput, type CandidatesOptions } from './perturb/candidates-run.js';
export { generateCandidates, type CandidatesOutcome } from './perturb/generate-candidates.js';
export { augment, type AugmentInput, type AugmentOptions, type AugmentOutcome } from './perturb/augment.js';
export { attack, type AttackOutcome } from './attack/attack.js';
export type { AttackInput, AttackOptions, VictimChoice } from './attack/attack-options.js';
export { attackReport, type AttackReport } from './attack/attack-report.js';
export { prepareAttack, type PrepareInput, type PrepareOutcome } from './attack/prepare-attack.js';
export { scoreAttack, type ScoreOptions } from './attack/score-attack.js';
export {
  failedAnswer,
  readAnswer,
  type Victim,
  type VictimAnswer,
  type VictimContext,
  type VictimQuestion,
} from './victims/victim.js';
export { type PairExplanation, PairExplainer, type ScoredPair } from './perturb/score-pairs.js';
export { isVerified, type Verification, verifyRun, type VerifyOptions } from './perturb/verify/verify-run.js';
export { mutate, type MutateOutcome } from './metamorphic/mutate.js';
export type { MutateInput, MutateOptions } from './metamorphic/mutate-options.js';
export type { MutateReport } from './metamorphic/mutate-report.js';
export type {
  MetamorphicRelation,
  MutantRecord,
  MutatedSchema,
  Mutation,
  MutationCase,
  NotApplicable,
} from './metamorphic/relation.js';
export { consistency, type ConsistencyOutcome } from './consistency/consistency.js';
export type { ConsistencyInput, ConsistencyOptions } from './consistency/consistency-options.js';
export { type ConsistencyReport, consistencyReport } from './consistency/consistency-report.js';
export { correlate } from './evaluate/correlation/correlate.js';
export type { CorrelationReport } from './evaluate/correlation/correlation-report.js';
export { evaluate } from './evaluate/evaluate.js';
export type { EvaluateOptions } from './evaluate/evaluate-options.js';
export type { EvaluationReport } from './evaluate/evaluation-report.js';
export { ExactMatch, type ExactMatchOptions, type ExactVerdict } from './evaluate/exact/exact-match.js';
export {
  ExecutionMatch,
  type ExecutionMatchOptions,
  type ExecutionVerdict,
} from './evaluate/execution/execution-match.js';
export type { EvaluationPair, Outcome, Verdict } from './evaluate/metric.js';
export { carrySuite, type CarryOptions, type CarryOutcome } from './testsuite/carry/carry-suite.js';
export { buildSuite, type SuiteOutcome } from './testsuite/suite/build-suite.js';
export { openSuite, type Suite } from './testsuite/suite/open-suite.js';
export type { SuiteBuildInput } from './testsuite/suite/suite-options.js';
export type { SuiteSchemaFile } from './testsuite/suite/suite-manifest.js';
export { unpackSuite } from './testsuite/suite/unpack-suite.js';
export { type SuiteVerification, verifySuite } from './testsuite/suite/verify-suite.js';
export { QueryRunner, type QueryRunnerOptions } from './sql/execution/query-runner.js';
export { renameColumns, rewriteForAdded } from './sql/rename-columns.js';
export { VERSION } from './version.js';

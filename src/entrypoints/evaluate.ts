/**
 * Metrics: predictions against gold by exact set match, execution, suites and schema linking.
 * @module
 */
import type { auditDataset as AuditDataset } from '../evaluate/audit/audit-dataset.js';
import type { evaluate as Evaluate } from '../evaluate/evaluate.js';
import type { RewardJudge } from '../evaluate/rewards/reward-judge.js';

export * from '../errors.js';
export { AUDIT_CLASSES, type AuditClass, type AuditClassName } from '../evaluate/audit/audit-classes.js';
export type { AuditOptions } from '../evaluate/audit/audit-dataset.js';
export type { AuditReport } from '../evaluate/audit/audit-report.js';
export type { AuditFinding } from '../evaluate/audit/finding.js';
export type { EvaluateOptions } from '../evaluate/evaluate-options.js';
export type { EvaluationReport } from '../evaluate/evaluation-report.js';
export { ExactMatch, type ExactMatchOptions, type ExactVerdict } from '../evaluate/exact/exact-match.js';
export {
  ExecutionMatch,
  type ExecutionMatchOptions,
  type ExecutionVerdict,
} from '../evaluate/execution/execution-match.js';
export type { EvaluationPair, Outcome, Verdict } from '../evaluate/metric.js';
export type { Reward, RewardJudge, RewardOptions, RewardReply } from '../evaluate/rewards/reward-judge.js';
export type { RewardRequest } from '../evaluate/rewards/reward-judge.js';
export { createStageContext, type RunHost, NOOP_HOST } from '../run/run-host.js';
export type { Column, ColumnRef, Database, ForeignKey, Table } from '../schema/schema.js';
export { QueryRunner, type QueryRunnerOptions } from '../sql/execution/query-runner.js';

export const evaluate: typeof Evaluate = async (...given) =>
  (await import('../evaluate/evaluate.js')).evaluate(...given);

/** A judge of predictions, request after request, as `perturbql serve rewards` has it; see `RewardJudge.open`. */
export const openRewardJudge: typeof RewardJudge.open = async (...given) =>
  (await import('../evaluate/rewards/reward-judge.js')).RewardJudge.open(...given);

export const auditDataset: typeof AuditDataset = async (...given) =>
  (await import('../evaluate/audit/audit-dataset.js')).auditDataset(...given);

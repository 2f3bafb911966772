import type { Rng } from '../stage.js';
import type { ByHardness, ColumnsScores, ExactScores, ExecutionScores, PairScores } from './evaluation-report.js';
import type { ExactVerdict } from './exact/exact-match.js';
import { type Hardness, HARDNESS_LEVELS } from './exact/hardness.js';
import type { ExecutionVerdict } from './execution/execution-match.js';
import { type SchemaUseVerdict, summarizeSchemaUse } from './linking/schema-use.js';
import type { EvaluationPair, Verdict } from './metric.js';
import { summarizeExact } from './summary/exact-summary.js';
import { type OutcomeSummary, summarizeInteractions, summarizeOutcomes } from './summary/outcome-summary.js';
import { accuracyInterval } from './summary/paired-comparison.js';

/** Pairs with what a metric said of them, in the same order. */
export interface Judged<V extends Verdict> {
  readonly pairs: readonly EvaluationPair[];
  readonly verdicts: readonly V[];
  /** Of the gold; null where that can't be told. */
  readonly hardness: readonly (Hardness | null)[];
  /** Of the bootstrap. */
  readonly rng: Rng;
}

function byHardness({ verdicts, hardness }: Judged<Verdict>): ByHardness<OutcomeSummary> {
  const of = (level: Hardness | null): readonly Verdict[] => verdicts.filter((_, i) => hardness[i] === level);
  const levels = HARDNESS_LEVELS.map((level) => [level, summarizeOutcomes(of(level))] as const);
  const unknown = of(null);
  return {
    ...(Object.fromEntries(levels) as Record<Hardness, OutcomeSummary>),
    ...(unknown.length === 0 ? {} : { unknown: summarizeOutcomes(unknown) }),
  };
}

function pairScores(judged: Judged<Verdict>): PairScores {
  const { pairs, verdicts, rng } = judged;
  return {
    ...summarizeOutcomes(verdicts),
    interval: accuracyInterval(pairs, verdicts, rng),
    hardness: byHardness(judged),
    interactions: summarizeInteractions(pairs, verdicts),
  };
}

/** The scores of exact match: also per component, and beside the published evaluator. */
export function exactScores(judged: Judged<ExactVerdict>, compat: 'spider' | null): ExactScores {
  const scores = pairScores(judged);
  const { levels, published, differences } = summarizeExact(judged.verdicts, { compat });
  const { all, ...hardness } = levels;
  return {
    ...scores,
    hardness: { ...scores.hardness, ...hardness },
    components: all.components,
    published,
    differences,
  };
}

/** The scores of execution: also of gold without rows, where an empty result is correct. */
export function executionScores(judged: Judged<ExecutionVerdict>): ExecutionScores {
  const empty = judged.verdicts.filter(({ goldRows }) => goldRows === 0);
  const correct = empty.filter(({ outcome }) => outcome === 'correct').length;
  const cut = judged.verdicts.filter(({ isCut }) => isCut).length;
  const undecided = judged.verdicts.filter(({ isUndecided }) => isUndecided).length;
  return { ...pairScores(judged), emptyGold: { pairs: empty.length, correct }, cut, undecided };
}

/** The scores of the names that queries use. */
export function columnsScores(judged: Judged<SchemaUseVerdict>): ColumnsScores {
  const { columns, tables } = summarizeSchemaUse(judged.verdicts);
  return { ...pairScores(judged), columns, tables };
}

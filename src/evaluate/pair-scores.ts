import type {
  ColumnsScores,
  ExactScores,
  ExecutionScores,
  LevelScores,
  PairScores,
  SuiteScores,
} from './evaluation-report.js';
import type { ExactVerdict } from './exact/exact-match.js';
import { type ByHardness, type Hardness, HARDNESS_LEVELS } from './exact/hardness.js';
import type { ExecutionVerdict } from './execution/execution-match.js';
import { UNDECIDED } from './execution/failed-trial.js';
import { type SchemaUseVerdict, summarizeSchemaUse } from './linking/schema-use.js';
import type { Judged } from './judged.js';
import type { Verdict } from './metric.js';
import type { SuiteVerdict } from './suite/suite-verdict.js';
import { errorRates, RIVAL_METRICS, type RivalMetric } from './summary/error-rates.js';
import { summarizeExact } from './summary/exact-summary.js';
import { summarizeInteractions, summarizeOutcomes } from './summary/outcome-summary.js';
import { accuracyInterval } from './summary/paired-comparison.js';

function byHardness({ pairs, verdicts, hardness, rng }: Judged<Verdict>): ByHardness<LevelScores> {
  const of = (level: Hardness | null): LevelScores => {
    const isMeant = (_: unknown, i: number): boolean => hardness[i] === level;
    const some = verdicts.filter(isMeant);
    return { ...summarizeOutcomes(some), interval: accuracyInterval(pairs.filter(isMeant), some, rng) };
  };
  const levels = HARDNESS_LEVELS.map((level) => [level, of(level)] as const);
  const unknown = hardness.includes(null) ? of(null) : null;
  return { ...(Object.fromEntries(levels) as Record<Hardness, LevelScores>), ...(unknown !== null && { unknown }) };
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

/** The scores of exact match: also per component, and next to the published evaluator. */
export function exactScores(judged: Judged<ExactVerdict>, compat: 'spider' | null): ExactScores {
  const scores = pairScores(judged);
  const { levels, published, differences } = summarizeExact(judged.verdicts, { compat });
  const { all } = levels;
  const hardness = HARDNESS_LEVELS.map((level) => [level, { ...scores.hardness[level], ...levels[level] }] as const);
  return {
    ...scores,
    hardness: { ...scores.hardness, ...Object.fromEntries(hardness) },
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
  const bird = judged.verdicts.some(({ softF1 }) => softF1 !== undefined) ? birdScores(judged.verdicts) : null;
  return {
    ...pairScores(judged),
    emptyGold: { pairs: empty.length, correct },
    cut,
    undecided,
    ...(bird !== null && { bird }),
  };
}

/** A query without a result gets nothing. */
function birdScores(verdicts: readonly ExecutionVerdict[]): NonNullable<ExecutionScores['bird']> {
  const mean = (valueOf: (verdict: ExecutionVerdict) => number): number =>
    verdicts.reduce((sum, verdict) => sum + valueOf(verdict), 0) / verdicts.length;
  const isTimed = verdicts.some(({ reward }) => reward !== undefined);
  const rVes = { value: mean(({ reward = 0 }) => Math.sqrt(reward)), reproducible: false } as const;
  return { softF1: mean(({ softF1 = 0 }) => softF1), ...(isTimed && { rVes }) };
}

/** The scores on a suite; `rivals` are what other metrics say of the same pairs. */
export function suiteScores(
  judged: Judged<SuiteVerdict>,
  rivals: Readonly<Partial<Record<RivalMetric, readonly Verdict[]>>>,
): SuiteScores {
  const { verdicts, hardness } = judged;
  const count = (isMeant: (verdict: SuiteVerdict) => boolean): number => verdicts.filter(isMeant).length;
  const errors = RIVAL_METRICS.flatMap((metric) => {
    const rival = rivals[metric];
    return rival === undefined ? [] : [[metric, errorRates(rival, verdicts, hardness)] as const];
  });
  return {
    ...pairScores(judged),
    notDistilled: count(({ isDistilled }) => !isDistilled),
    withoutGold: count(({ withoutGold, outcome }) => withoutGold > 0 && outcome !== 'bad-gold'),
    cut: count(({ isCut }) => isCut),
    undecided: count(({ reason }) => reason === UNDECIDED),
    wrong: verdicts.filter(({ outcome }) => outcome === 'wrong').map(({ id }) => id),
    errors: Object.fromEntries(errors),
  };
}

/** The scores of the names that queries use. */
export function columnsScores(judged: Judged<SchemaUseVerdict>): ColumnsScores {
  const { columns, tables } = summarizeSchemaUse(judged.verdicts);
  return { ...pairScores(judged), columns, tables };
}

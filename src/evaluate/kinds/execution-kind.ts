import { countNoun, formatCount } from '../../counts.js';
import { sha256Of } from '../../run/sha256.js';
import { VES_ROUNDS } from '../../sql/execution/bird-scores.js';
import { hashDatabases } from '../execution/database-hashes.js';
import { ExecutionMatch, type ExecutionVerdict } from '../execution/execution-match.js';
import type { EvaluationPair } from '../metric.js';
import { type Judged, pairMetricKind, type PairScores, pairScores } from '../metric-kind.js';
import { ratio } from '../report/score-lines.js';

/** Also of gold without rows, where an empty result is correct. */
export interface ExecutionScores extends PairScores {
  /** Pairs whose gold has no rows, and how many of them are correct: there, any empty result is. */
  readonly emptyGold: { readonly pairs: number; readonly correct: number };
  /** Pairs of which not all ways to plug values were tried. */
  readonly cut: number;
  /** Wrong ones of which it could not be told in time whether the results are equal. */
  readonly undecided: number;
  /** Further figures of BIRD's evaluator besides the accuracy, in mode `bird`. */
  readonly bird?: {
    /** Mean over all pairs, from 0 to 1. */
    readonly softF1: number;
    /** Where queries were timed: the mean of the rewards' roots, up to 1.118. No two runs give the same. */
    readonly rVes?: { readonly value: number; readonly reproducible: false };
  };
}

/** The databases that results were computed on. */
export interface DatabaseHashes {
  /** Of all: of the lines `id sha256` in order. */
  readonly sha256: string;
  readonly byId: Readonly<Record<string, string>>;
}

function executionScores(judged: Judged<ExecutionVerdict>): ExecutionScores {
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

async function hashesOf(sources: Parameters<typeof hashDatabases>[0]): Promise<DatabaseHashes> {
  const byId = await hashDatabases(sources);
  const lines = Object.entries(byId).map(([id, hash]) => `${id} ${hash}\n`);
  return { sha256: sha256Of(lines.join('')), byId };
}

/** Execution accuracy on the databases of the gold. */
export const EXECUTION = pairMetricKind({
  heading: 'execution accuracy',
  checksGold: true,
  open: ({ runner, rules, rVes, timeoutMs, pairs, databaseFile }) => {
    const databaseOf = ({ database }: Pick<EvaluationPair, 'database'>) => ({ file: databaseFile(database.id) });
    const metric = new ExecutionMatch({
      runner,
      databaseOf,
      ...rules,
      ...(rVes && { rounds: VES_ROUNDS }),
    });
    return {
      metric,
      mode: metric.mode,
      inputs: async () => ({
        databases: await hashesOf(pairs.map((pair) => [pair.database.id, databaseOf(pair)])),
        timeoutSeconds: timeoutMs / 1000,
      }),
      scores: executionScores,
    };
  },
  lines: ({ emptyGold, cut, undecided, pairs, bird }) => {
    const empty = `${countNoun(emptyGold.pairs, 'empty gold result')}, ${countNoun(emptyGold.correct, 'correct prediction')} there`;
    const all = formatCount(pairs);
    return [
      ...(emptyGold.pairs === 0 ? [] : [`  ${empty}`]),
      ...(bird === undefined ? [] : [`  Soft F1 ${ratio(bird.softF1)}`]),
      ...(bird?.rVes === undefined ? [] : [`  R-VES ${ratio(bird.rVes.value)}, by timing: no two runs give the same`]),
      ...(cut === 0 ? [] : [`  not all ways to plug values tried: ${formatCount(cut)} of ${all}`]),
      ...(undecided === 0
        ? []
        : [`  undecided: ${formatCount(undecided)} of ${all}; could not be compared in time, counted as wrong`]),
    ];
  },
  details: ({ databases }) => [`  databases ${databases.sha256}`],
});

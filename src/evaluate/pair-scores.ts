import { type ByHardness, type Hardness, HARDNESS_LEVELS } from './exact/hardness.js';
import type { Judged } from './judged.js';
import type { Verdict } from './metric.js';
import type { LevelScores, PairScores } from './metric-kind.js';
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

/** The scores that every metric over pairs has. */
export function pairScores(judged: Judged<Verdict>): PairScores {
  const { pairs, verdicts, rng } = judged;
  return {
    ...summarizeOutcomes(verdicts),
    interval: accuracyInterval(pairs, verdicts, rng),
    hardness: byHardness(judged),
    wrong: verdicts.filter(({ outcome }) => outcome === 'wrong').map(({ id }) => id),
    interactions: summarizeInteractions(pairs, verdicts),
  };
}

import { type ByHardness, type Hardness, ofLevels } from './exact/hardness.js';
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
  return { ...ofLevels(of), ...(hardness.includes(null) && { unknown: of(null) }) };
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

import { createRng, shuffled } from '../../seeded-rng.js';
import type { ComposedExample } from '../../formats/artifacts/compositions.js';

/** How many compositions are kept: at most `budget`, by `shares` of hardness where they are given. */
interface CompositionBudget {
  readonly budget: number | null;
  /** Parts of each level, of any sum ("easy": 2.4, …); null = as they come. */
  readonly shares: Readonly<Record<string, number>> | null;
  readonly seed: number;
}

/** How many of each level make the largest set that has the shares, within the budget. */
function quotas(
  counts: ReadonlyMap<string, number>,
  shares: Readonly<Record<string, number>>,
  budget: number | null,
): ReadonlyMap<string, number> {
  const wanted = Object.entries(shares).filter(([, share]) => share > 0);
  const sum = wanted.reduce((total, [, share]) => total + share, 0);
  const most = Math.min(...wanted.map(([level, share]) => ((counts.get(level) ?? 0) * sum) / share));
  const size = Math.min(budget ?? Infinity, most);
  return new Map(wanted.map(([level, share]) => [level, Math.floor((size * share) / sum + 1e-9)]));
}

/** The compositions that a budget keeps, drawn by the seed, in their order. */
export function sampleByHardness(
  examples: readonly ComposedExample[],
  { budget, shares, seed }: CompositionBudget,
): readonly ComposedExample[] {
  const drawn = shuffled(examples, createRng(seed, 'compositions'));
  const kept = new Set<ComposedExample>();
  if (shares === null) {
    for (const example of drawn.slice(0, budget ?? drawn.length)) kept.add(example);
  } else {
    const levelOf = ({ hardness }: ComposedExample): string => hardness ?? 'unknown';
    const counts = new Map<string, number>();
    for (const example of examples) counts.set(levelOf(example), (counts.get(levelOf(example)) ?? 0) + 1);
    const left = new Map(quotas(counts, shares, budget));
    for (const example of drawn) {
      const open = left.get(levelOf(example)) ?? 0;
      if (open <= 0) continue;
      left.set(levelOf(example), open - 1);
      kept.add(example);
    }
  }
  return examples.filter((example) => kept.has(example));
}

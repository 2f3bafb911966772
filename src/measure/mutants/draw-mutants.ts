import { countedRelation } from '../../variants/relations/counted-relation.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import { groupBy } from '../../run/group-by.js';
import type { MutantSubject, SeedGroup } from './subject-store.js';

/** The mutants of an example to ask about under a kind of change, one of its levels, and a seed. */
export interface MutantDraw {
  readonly group: SeedGroup;
  /** As it is counted: all that are composed together. */
  readonly relation: string;
  /** Null of a kind without levels. */
  readonly level: string | null;
  readonly seed: number;
  /** All such mutants of the example as the seed draws them, at least one: the first is asked, a search goes on. */
  readonly order: readonly [MutantSubject, ...MutantSubject[]];
}

/** Checks whether an answer to a mutant can be right: it has a gold query, or there is no answer to its question. */
const isScored = ({ query, expectation }: MutantSubject): boolean => query !== null || expectation === 'unanswerable';

function drawsOf(group: SeedGroup, seeds: readonly number[]): readonly MutantDraw[] {
  const scored = group.mutants.filter(isScored);
  const kinds = groupBy(scored, (mutant) => JSON.stringify([countedRelation(mutant), mutant.level ?? null]));
  return [...kinds].flatMap(([kind, mutants]) => {
    const [relation, level] = JSON.parse(kind) as [string, string | null];
    return seeds.map((seed): MutantDraw => {
      const order = shuffled(mutants, createRng(seed, `${group.seed.id}:mutant ${kind}`));
      return { group, relation, level, seed, order: order as [MutantSubject, ...MutantSubject[]] };
    });
  });
}

/** Per example, kind of change and level, the mutants that each seed draws; the draw of a seed depends on no other. */
export function drawMutants(groups: readonly SeedGroup[], seeds: readonly number[]): readonly MutantDraw[] {
  return groups.flatMap((group) => drawsOf(group, seeds));
}

/** The mutants that are asked before any search, each once, in the order of the examples. */
export function firstMutants(draws: readonly MutantDraw[]): readonly MutantDraw[] {
  return [...new Map(draws.map((draw) => [draw.order[0].id, draw])).values()];
}

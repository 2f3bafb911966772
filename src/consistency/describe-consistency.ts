import type { ChosenVictim } from '../victims/create-victim.js';
import { groupBy } from '../run/group-by.js';
import type { ConsistencyInputs } from './consistency-inputs.js';
import { countedRelation } from '../metamorphic/counted-relation.js';

/** What is about to be asked, in lines for people. */
export function describeConsistency(
  { groups }: Pick<ConsistencyInputs, 'groups'>,
  { description }: Pick<ChosenVictim, 'description'>,
): readonly string[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const byRelation = [...groupBy(mutants, countedRelation)].map(([relation, own]) => `${relation} ${own.length}`);
  return [
    `victim: ${description}`,
    `${groups.length + mutants.length} questions: ${groups.length} seeds, ${mutants.length} mutants (${byRelation.join(', ')})`,
  ];
}

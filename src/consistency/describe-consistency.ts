import { countNoun } from '../report/figures.js';
import type { ChosenVictim } from '../victims/create-victim.js';
import { describeExecutions } from '../victims/executions/execution-figures.js';
import { describeRecompositions, recomposedQuestions } from '../victims/recomposition/load-recompositions.js';
import { groupBy } from '../run/group-by.js';
import type { ConsistencyInputs } from './consistency-inputs.js';
import { countedRelation } from '../metamorphic/counted-relation.js';

/** Describes the questions about to be asked, in lines for people. */
export function describeConsistency(
  { groups, compositions }: Pick<ConsistencyInputs, 'groups' | 'compositions'>,
  chosen: Pick<ChosenVictim, 'description' | 'executions'>,
): readonly string[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const byRelation = [...groupBy(mutants, countedRelation)].map(([relation, own]) => `${relation} ${own.length}`);
  const seeds = `${countNoun(groups.length + mutants.length, 'question')}: ${countNoun(groups.length, 'seed')}, ${countNoun(mutants.length, 'mutant')} (${byRelation.join(', ')})`;
  return [
    `victim: ${chosen.description}`,
    ...(groups.length === 0 ? [] : [seeds]),
    ...(compositions === null ? [] : [describeRecompositions(compositions)]),
    ...describeExecutions(
      chosen,
      groups.length + mutants.length + recomposedQuestions(compositions?.cases ?? []).length,
    ),
  ];
}

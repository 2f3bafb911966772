import { countNoun, formatCount } from '../../counts.js';
import { renderSeconds } from '../../report/figures.js';
import type { AttackOptions } from './attack-options.js';
import { describeRecompositions } from '../compositions/load-recompositions.js';
import { type AttackPlan, drawnSeeds, plannedQuestions } from './attack-plan.js';
import { describeExecutions } from '../../victims/executions/execution-figures.js';
import { type ChosenVictim, warningOf } from '../../victims/create-victim.js';

/** How long asking takes; null where that can't be told. */
function estimateTime(
  questions: number,
  { victim, perSecond }: Pick<ChosenVictim, 'victim' | 'perSecond'>,
): string | null {
  if (perSecond !== null) return `about ${renderSeconds(questions / perSecond)}`;
  if (victim === null) return null;
  const { concurrency } = victim;
  return `about ${renderSeconds(questions / concurrency)} if an answer takes a second, ${concurrency} side by side`;
}

/** Describes the questions an attack is about to ask, in lines for people. */
export function describeAttack(
  plan: AttackPlan,
  { candidates, seeds: given, strategy, budget }: Pick<AttackOptions, 'candidates' | 'seeds' | 'strategy' | 'budget'>,
  chosen: Pick<ChosenVictim, 'victim' | 'description' | 'executions' | 'perSecond' | 'warning'>,
): readonly string[] {
  const seeds = drawnSeeds({ candidates, seeds: given });
  const { compositions } = plan.inputs;
  const questions = [...plannedQuestions(plan)];
  const distinct = questions.filter(({ id, repeats }) => id === repeats).length;
  const leftOut = plan.leftOut.reduce((sum, { examples }) => sum + examples, 0);
  const searches = plan.examples * 2 * seeds.length;
  const most = plan.examples + searches * budget;
  const asked = strategy === 'random' ? distinct : most;
  const composed = compositions?.cases.length ?? 0;
  const reach = strategy === 'random' ? 1 : budget;
  const mutants = new Set(plan.mutants.flatMap(({ order }) => order.slice(0, reach).map(({ id }) => id))).size;
  const kinds = new Set(plan.mutants.map(({ relation }) => relation)).size;
  const all = asked + composed + mutants;
  const time = estimateTime(all, chosen);
  const drawn = `, RPL and ADD with ${countNoun(seeds.length, 'seed')}: ${countNoun(questions.length, 'question')}, ${formatCount(distinct)} of them distinct`;
  return [
    `victim: ${chosen.description}`,
    `${countNoun(plan.examples, 'example')}${leftOut === 0 ? '' : ` (${leftOut} left out)`}${candidates === null ? '' : drawn}`,
    ...(compositions === null ? [] : [describeRecompositions(compositions)]),
    ...(plan.inputs.mutants === null
      ? []
      : [
          `${reach > 1 ? 'at most ' : ''}${countNoun(mutants, 'mutant')} of ${countNoun(kinds, 'kind')}, drawn with ${countNoun(given.length, 'seed')}`,
        ]),
    ...(strategy === 'random' || candidates === null
      ? []
      : [`${strategy}: ${countNoun(searches, 'search', 'searches')}, at most ${countNoun(most, 'question')}`]),
    ...describeExecutions(chosen, all),
    ...(time === null ? [] : [`asking them takes ${time}`]),
    ...warningOf(chosen).map((warning) => `warning: ${warning}`),
  ];
}

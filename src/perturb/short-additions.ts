import type { RecipeName } from '../recipes/recipe-names.js';
import type { Settings } from '../recipes/settings.js';
import { countNoun } from '../report/figures.js';
import type { Coverage } from './report/candidates-report.js';

/** The settings that give a run more additions. */
function waysToMore(recipe: RecipeName, { attributes }: Pick<Settings, 'attributes'>): readonly string[] {
  if (recipe === 'llm') return ['--recipe cta+llm'];
  if (recipe !== 'cta' && recipe !== 'cta+llm') return ['--recipe cta'];
  return [
    ...(attributes.filler ? [] : ['--set attributes.filler=true']),
    ...(recipe === 'cta' ? ['--recipe cta+llm'] : []),
  ];
}

/** A note on columns with fewer ADD candidates than people chose for each; none where all have as many. */
export function describeShortAdditions(
  { targetColumns, withThreeAdd, withAdd }: Pick<Coverage, 'targetColumns' | 'withThreeAdd' | 'withAdd'>,
  { recipe, settings }: { readonly recipe: RecipeName; readonly settings: Pick<Settings, 'attributes'> },
): readonly string[] {
  const short = targetColumns - withThreeAdd.columns;
  if (short === 0) return [];
  const none = targetColumns - withAdd.columns;
  const columns = `${short} of ${countNoun(targetColumns, 'column')} have fewer than the three ADD candidates that people chose at least`;
  const ways = waysToMore(recipe, settings);
  return [`${columns}, ${none} of them none${ways.length === 0 ? '' : `; for more: ${ways.join(', or ')}`}`];
}

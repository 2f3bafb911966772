import { ReplacementPlanner } from '../dictionary/replacement-plan.js';
import type { SynonymDictionary } from '../dictionary/synonym-dictionary.js';
import type { StageResources } from './stage-resources.js';

/** A planner of word replacements over one dictionary; words and forms are WordNet's. */
export async function createPlanner(
  resources: StageResources,
  dictionary: SynonymDictionary,
): Promise<ReplacementPlanner> {
  const nounKinds = await resources.nounKinds();
  return new ReplacementPlanner({
    dictionary,
    lexicon: await resources.wordnet(),
    inflector: await resources.inflector(),
    isKind: (noun, kind) => nounKinds.is(noun, kind),
  });
}

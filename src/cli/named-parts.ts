import { listGoldRules } from '../compositional/align/split-with-gold.js';
import { listSplitRules } from '../compositional/split/split-question.js';
import { ModelFileError } from '../errors.js';
import { DICTIONARIES, RETRIEVERS, SOURCES, TPE_PREDICTORS } from '../registry.js';
import { SCREEN_RULE_IDS } from '../recipes/rules-in-force.js';
import { RECIPES } from '../recipes/recipes.js';
import { parseSettings } from '../recipes/settings.js';
import { StageResources } from '../recipes/stage-resources.js';

function flatSettings(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parseSettings({})).flatMap(([group, values]) =>
      Object.entries(values).map(([name, value]): [string, unknown] => [`${group}.${name}`, value]),
    ),
  );
}

/** Returns the values in force for `nli.rplMin` and `nli.addMax` if they are null. */
function thresholdsInForce(): Record<string, unknown> {
  try {
    return { ...new StageResources(parseSettings({}), RECIPES.cta).thresholds() };
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    return { unknown: error.message };
  }
}

/** Everything that can be named on the command line, from the registry. */
export function namedParts() {
  return {
    recipes: Object.fromEntries(Object.values(RECIPES).map(({ id, cites }) => [id, cites])),
    retrievers: Object.keys(RETRIEVERS),
    dictionaries: Object.keys(DICTIONARIES),
    'primary-entity predictors': Object.keys(TPE_PREDICTORS),
    'candidate sources': Object.keys(SOURCES),
    'naturalness rules': SCREEN_RULE_IDS,
    'split rules': { ...listSplitRules(), ...listGoldRules() },
    settings: flatSettings(),
    'thresholds by default': thresholdsInForce(),
  };
}

import { ModelFileError } from '../errors.js';
import { DICTIONARIES, RETRIEVERS, SOURCES, TPE_PREDICTORS } from '../registry.js';
import { SCREEN_RULE_IDS } from '../recipes/rules-in-force.js';
import { RECIPES } from '../recipes/recipes.js';
import { parseSettings } from '../recipes/settings.js';
import { StageResources } from '../recipes/stage-resources.js';
import type { RawOptions } from './options.js';

function flatSettings(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parseSettings({})).flatMap(([group, values]) =>
      Object.entries(values).map(([name, value]): [string, unknown] => [`${group}.${name}`, value]),
    ),
  );
}

/** What stands behind `nli.rplMin` and `nli.addMax` where they are null. */
function thresholdsInForce(): Record<string, unknown> {
  try {
    return { ...new StageResources(parseSettings({}), RECIPES.cta).thresholds() };
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    return { unknown: error.message };
  }
}

/** `perturbql list`: everything that can be named on the command line, from the registry. */
export async function run(raw: RawOptions): Promise<void> {
  const lists = {
    recipes: Object.fromEntries(Object.values(RECIPES).map(({ id, cites }) => [id, cites])),
    retrievers: Object.keys(RETRIEVERS),
    dictionaries: Object.keys(DICTIONARIES),
    'primary-entity predictors': Object.keys(TPE_PREDICTORS),
    'candidate sources': Object.keys(SOURCES),
    'naturalness rules': SCREEN_RULE_IDS,
    settings: flatSettings(),
    'thresholds by default': thresholdsInForce(),
  };
  if (raw['json'] === true) {
    console.log(JSON.stringify(lists, null, 2));
    return;
  }
  for (const [title, entries] of Object.entries(lists)) {
    console.log(`${title}:`);
    const lines = Array.isArray(entries)
      ? entries
      : Object.entries(entries).map(
          ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        );
    for (const line of lines) console.log(`  ${line}`);
  }
}

import { ConfigError } from '../errors.js';
import { LEXICAL_RULES } from '../naturalness/lexical-screen.js';
import { NATURALNESS_RULE_IDS } from '../naturalness/rules.js';
import { nearestWord } from './nearest-word.js';
import type { Recipe } from './recipes.js';
import type { Settings } from './settings.js';

/** Ids of all naturalness rules, each a flag `naturalness.<id>`. */
export const SCREEN_RULE_IDS: readonly string[] = [
  ...NATURALNESS_RULE_IDS,
  ...LEXICAL_RULES,
  'wordy',
  'reads-odd',
  'unassociated',
];

/** A name that a table already has can't be given again, whatever the recipe. */
export const INDISPENSABLE = 'existing-name';

/** In force in every recipe unless turned off: the published ones had no columns of opaque names or of other scripts. */
const OF_ALL_RECIPES = ['another-script', 'opaque-column', 'unread'];

/**
 * Which rules are in force: the recipe's default, changed by flags.
 * @throws ConfigError when a flag names no rule.
 */
export function rulesInForce(settings: Settings, recipe: Recipe): (rule: string) => boolean {
  const byDefault = recipe.naturalness;
  const unknown = Object.keys(settings.naturalness).find((rule) => !SCREEN_RULE_IDS.includes(rule));
  if (unknown !== undefined) {
    const near = nearestWord(unknown, SCREEN_RULE_IDS);
    const suggestion = near === null ? '' : `Did you mean "${near}"? `;
    throw new ConfigError(`there is no naturalness rule "${unknown}"`, {
      fix: `${suggestion}Known: ${SCREEN_RULE_IDS.join(', ')}.`,
    });
  }
  if (settings.naturalness[INDISPENSABLE] === false) {
    throw new ConfigError(`naturalness.${INDISPENSABLE} can't be turned off`, {
      fix: 'Leave it on: a table can have no two columns of one name.',
    });
  }
  const isAllowed = (rule: string): boolean => rule === 'filler' && settings.attributes.filler;
  return (rule) =>
    rule === INDISPENSABLE ||
    (!isAllowed(rule) && (settings.naturalness[rule] ?? (OF_ALL_RECIPES.includes(rule) || byDefault)));
}

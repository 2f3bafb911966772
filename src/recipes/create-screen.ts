import { LexicalMatcher } from '../dictionary/lexical-matcher.js';
import { SchemaThesaurus } from '../dictionary/schema-thesaurus.js';
import { ConfigError } from '../errors.js';
import type { CandidateScreen } from '../naturalness/candidate-screen.js';
import { englishWords } from '../naturalness/english-words.js';
import { LEXICAL_RULES, LexicalScreen } from '../naturalness/lexical-screen.js';
import { RuleScreen } from '../naturalness/rule-screen.js';
import { createNaturalnessRules, NATURALNESS_RULE_IDS } from '../naturalness/rules.js';
import { DICTIONARIES } from '../registry.js';
import { VectorFile } from '../reranker/vector-file.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { createPlanner } from './create-planner.js';
import { nearestWord } from './nearest-word.js';
import type { StageResources } from './stage-resources.js';

/** Ids of all naturalness rules, each a flag `naturalness.<id>`. */
export const SCREEN_RULE_IDS: readonly string[] = [...NATURALNESS_RULE_IDS, ...LEXICAL_RULES, 'unassociated'];

/** A name that a table already has can't be given again, whatever the recipe. */
const INDISPENSABLE = 'existing-name';

/**
 * Which rules are in force: the recipe's default, changed by flags.
 * @throws ConfigError when a flag names no rule.
 */
export function rulesInForce({ settings, recipe }: StageResources): (rule: string) => boolean {
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
  return (rule) => rule === INDISPENSABLE || (settings.naturalness[rule] ?? byDefault);
}

/** The screen of naturalness rules in force. */
export async function createScreen(resources: StageResources): Promise<CandidateScreen> {
  const on = rulesInForce(resources);
  // Word frequencies are the embedded vectors': Numberbatch's order says nothing of them.
  const vectors = await VectorFile.open(embeddedVectorsPath());
  const context = englishWords({
    wordnet: await resources.wordnet(),
    inflector: await resources.inflector(),
    thesaurus: new SchemaThesaurus(),
    frequencyRank: (word) => vectors.frequencyRank(word),
  });
  const rules = new RuleScreen(
    createNaturalnessRules(context, NATURALNESS_RULE_IDS.filter(on)),
    vectors.header.sha256.slice(0, 16),
  );
  const lexical = new Set(LEXICAL_RULES.filter(on));
  if (lexical.size === 0) return rules;
  const dictionary = await DICTIONARIES.wordnet(resources);
  return new LexicalScreen(rules, new LexicalMatcher(await createPlanner(resources, dictionary)), lexical);
}

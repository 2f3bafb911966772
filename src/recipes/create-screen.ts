import { LexicalMatcher } from '../dictionary/lexical-matcher.js';
import type { ReplacementPlanner } from '../dictionary/replacement-plan.js';
import type { CandidateScreen } from '../naturalness/candidate-screen.js';
import { LEXICAL_RULES, LexicalScreen } from '../naturalness/lexical-screen.js';
import { RuleScreen } from '../naturalness/rule-screen.js';
import { createNaturalnessRules, NATURALNESS_RULE_IDS } from '../naturalness/rules.js';
import { openEnglishWords } from './open-english-words.js';
import { rulesInForce } from './rules-in-force.js';
import type { StageResources } from './stage-resources.js';

/** The screen of naturalness rules in force; rules that ask a dictionary ask the planner's. */
export async function createScreen(
  resources: StageResources,
  planner: () => Promise<ReplacementPlanner>,
): Promise<CandidateScreen> {
  const on = rulesInForce(resources.settings, resources.recipe);
  const vectors = await resources.embeddedVectors();
  const context = await openEnglishWords(resources);
  const rules = new RuleScreen(
    createNaturalnessRules(context, NATURALNESS_RULE_IDS.filter(on)),
    vectors.header.sha256.slice(0, 16),
  );
  const lexical = new Set(LEXICAL_RULES.filter(on));
  if (lexical.size === 0) return rules;
  return new LexicalScreen(rules, new LexicalMatcher(await planner()), lexical);
}

import { LexicalMatcher } from './dictionary/lexical-matcher.js';
import type { ReplacementPlanner } from './dictionary/replacement-plan.js';
import { type CandidateScreen, RuleScreen } from './naturalness/naturalness-rule.js';
import { LEXICAL_RULES, LexicalScreen } from './naturalness/lexical-screen.js';
import { createNaturalnessRules, NATURALNESS_RULE_IDS } from './naturalness/rules.js';
import type { StageResources } from './recipes/stage-resources.js';
import { BucketJudge } from './nli/bucket-judge.js';
import { COMPARED_COLUMNS } from './nli/compared-columns.js';
import type { CtaStages } from './pipeline.js';
import { createAcceptability, plannerOf, SOURCES, TPE_PREDICTORS } from './registry.js';
import { sha256Of } from './run/sha256.js';
import { ABBREVIATIONS } from './schema/abbreviations.js';
import type { CandidateSource, CandidateSourceKind } from './stage.js';
import { ADDITION_RULE } from './naturalness/addition-rule.js';

/** The screen of naturalness rules in force; rules that ask a dictionary ask the planner's. */
async function createScreen(
  resources: StageResources,
  planner: () => Promise<ReplacementPlanner>,
): Promise<CandidateScreen> {
  const on = resources.rules();
  const vectors = await resources.embeddedVectors();
  const context = await resources.englishWords();
  const rules = new RuleScreen(
    createNaturalnessRules(context, NATURALNESS_RULE_IDS.filter(on)),
    vectors.header.sha256.slice(0, 16),
  );
  const lexical = new Set(LEXICAL_RULES.filter(on));
  if (lexical.size === 0) return rules;
  return new LexicalScreen(rules, new LexicalMatcher(await planner()), lexical);
}

type SourceKind = keyof typeof SOURCES;

/**
 * The stages of a recipe, built from shared resources. Loads index, vectors and dictionary; models start at first use.
 */
export async function createStages(resources: StageResources): Promise<CtaStages> {
  const { recipe, settings } = resources;
  const kinds = [...new Set([...recipe.rpl.sources, ...recipe.add.sources])].filter(
    (kind): kind is SourceKind => kind in SOURCES,
  );
  const sources: Partial<Record<CandidateSourceKind, CandidateSource>> = {};
  for (const kind of kinds) sources[kind] = await SOURCES[kind](resources);
  const thresholds = resources.thresholds();
  return {
    recipe,
    sources,
    tpe: await TPE_PREDICTORS[settings.tpe.id](resources),
    screen: await createScreen(resources, () => plannerOf(resources, 'wordnet')),
    keepsUnassociated: !resources.asksAssociation,
    acceptability: resources.asksAcceptability ? await createAcceptability(resources) : null,
    judge: new BucketJudge(resources.scorer(), thresholds, { fullScores: settings.nli.fullScores }),
    recordsJudgments: settings.nli.id === 'llm',
    keepsWordy: !resources.rules()('wordy'),
    nearMargin: settings.nli.nearMargin,
    similarity: await resources.similarity(),
  };
}

/** Returns everything besides inputs and seed that determines the outcome, for run manifests: one entry per part. */
export function fingerprintStages(stages: CtaStages, judgeFingerprint: string): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(stages.sources).map(([kind, source]) => [kind, source.fingerprint])),
    tpe: stages.tpe.fingerprint,
    screen: stages.screen.fingerprint,
    ...(stages.acceptability === null ? {} : { acceptability: stages.acceptability.fingerprint }),
    additions: stages.keepsUnassociated ? 'all' : ADDITION_RULE,
    nli: judgeFingerprint,
    compared: COMPARED_COLUMNS,
    // Read by judge, dictionary and rules alike.
    abbreviations: sha256Of(JSON.stringify(ABBREVIATIONS)).slice(0, 12),
  };
}

import { join } from 'node:path';
import { LexicalMatcher } from '../../src/dictionary/lexical-matcher.js';
import { type CandidateScreen, RuleScreen } from '../../src/naturalness/naturalness-rule.js';
import { LEXICAL_RULES, LexicalScreen } from '../../src/naturalness/lexical-screen.js';
import { createNaturalnessRules, NATURALNESS_RULE_IDS } from '../../src/naturalness/rules.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { plannerOf } from '../../src/registry.js';
import type { FigureTable } from '../bench-figures.js';
import { loadReadNames, type ReadName } from './read-names.js';

/** Names that are wrong on purpose say nothing of a rule. */
const BAD = /^bad-/;
/** A name that most of its readers took. */
const TAKEN = 0.5;

/** Each rule alone, as a screen. */
async function openRules(): Promise<ReadonlyMap<string, CandidateScreen>> {
  const resources = new StageResources(parseSettings({}), RECIPES.cta);
  const context = await resources.englishWords();
  const matcher = new LexicalMatcher(await plannerOf(resources, 'wordnet'));
  const none = new RuleScreen([], '');
  return new Map<string, CandidateScreen>([
    ...NATURALNESS_RULE_IDS.map((id) => [id, new RuleScreen(createNaturalnessRules(context, [id]), '')] as const),
    ...LEXICAL_RULES.map((id) => [id, new LexicalScreen(none, matcher, new Set([id]))] as const),
  ]);
}

async function stoppedBy(screen: CandidateScreen, names: readonly ReadName[]): Promise<readonly ReadName[]> {
  const results = await Promise.all(
    names.map(({ name, source, target }) => screen.check({ name, source, origin: null, similarity: null }, target)),
  );
  return names.filter(({ bucket }, i) => results[i]?.[bucket === 'RPL' ? 'rpl' : 'add'] !== null);
}

function shareOfYes({ verdicts }: ReadName): number {
  return verdicts.filter(([verdict]) => verdict === 'y').length / verdicts.length;
}

function shares(names: readonly ReadName[]): FigureTable['rows'][string] {
  const of = (bucket: 'RPL' | 'ADD'): { names: number; yes: number | null } => {
    const own = names.filter((one) => one.bucket === bucket);
    const taken = own.filter((one) => shareOfYes(one) > TAKEN).length;
    return { names: own.length, yes: own.length === 0 ? null : (100 * taken) / own.length };
  };
  const [rpl, add] = [of('RPL'), of('ADD')];
  return { rplNames: rpl.names, rplYes: rpl.yes, addNames: add.names, addYes: add.yes };
}

/** What each naturalness rule stops of the names that readers of training/readings read, and what they took of these. */
export async function ruleShares(root: string): Promise<FigureTable> {
  const all = loadReadNames(root, join(root, '../shared/data/spider/tables.json'));
  const names = all.filter(({ pool }) => !BAD.test(pool));
  const rows: Record<string, FigureTable['rows'][string]> = {};
  const left = new Set(names);
  for (const [id, screen] of await openRules()) {
    const stopped = await stoppedBy(screen, names);
    for (const one of stopped) left.delete(one);
    rows[id] = { rule: `\`${id}\``, ...shares(stopped) };
  }
  rows['none'] = { rule: 'stopped by none', ...shares([...left]) };
  return {
    id: 'rules',
    title: 'Naturalness rules against readers',
    about: `Names of training/readings that each rule stops, asked alone, and the share of these that readers took (a name in its table, read blind; ${names.length} names, those that are wrong on purpose left out).`,
    columns: {
      rule: { head: 'rule' },
      rplNames: { head: 'RPL stopped' },
      rplYes: { head: 'taken, %', decimals: 1 },
      addNames: { head: 'ADD stopped' },
      addYes: { head: 'taken, %', decimals: 1 },
    },
    rows,
  };
}

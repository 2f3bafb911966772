import { z } from 'zod';
import { endpointSettings } from '../chat/endpoint-options.js';
import type { ProposerChoice } from '../llm/create-proposer.js';
import { NAMES_PER_CALL } from '../llm/names-per-call.js';
import type { RecipeName } from '../recipes/recipe-names.js';
import type { Settings } from '../recipes/settings.js';
import { refuseUseless } from '../options/given-options.js';
import { choice, flag, inGroup, text } from '../options/option-field.js';
import { ASKING_FLAGS, askingOptions, parsePrices } from './asking-options.js';
import type { CACHE_OPTION } from './shared-options.js';

const ANY = 'recipe, tpe.id or nli.id llm';

/** Which language model proposes names, judges them or says what the rows of a table are, and what it is told. */
export const LLM_OPTIONS = {
  ...askingOptions(ANY),
  ...inGroup('Advanced', {
    llmPrompt: text(
      'file',
      'recipe llm: a text with {columns} and, but for whole tables, {column}, {table}, {database}; --- parts system and user',
    ).exactOptional(),
    namesPerCall: choice(
      NAMES_PER_CALL,
      'what',
      'recipe llm: ask for the names of one column, or of all columns of a table, which takes fewer calls and shorter prompts',
    ).default('column'),
    entityPrompt: text(
      'file',
      'tpe.id llm: a text with {columns}, {table}, {database} that asks what a row is',
    ).exactOptional(),
  }),
  ...inGroup('Endpoint', {
    sendValues: flag('recipe or tpe.id llm: show the model sample values; without it no cell leaves the machine'),
  }),
  ...inGroup('Advanced', {
    replay: text('file', 'recipe llm: recorded proposals in place of an endpoint').exactOptional(),
    replayJudgments: text('file', 'nli.id llm: recorded judgments in place of an endpoint').exactOptional(),
  }),
};

type LlmOptions = z.infer<z.ZodObject<typeof LLM_OPTIONS & typeof CACHE_OPTION>> & { readonly recipe: RecipeName };

/** Of recipes that ask for names. */
const NAMES_FLAGS = ['llmPrompt', 'namesPerCall'];

/** The subjects that a run asks a language model about. */
interface Asks {
  readonly names: boolean;
  readonly entities: boolean;
  readonly judgments: boolean;
}

/** Refuses flags of what is not asked about. @throws ConfigError naming the first */
function refuseUnasked(
  { names, entities, judgments }: Asks,
  { recipe, tpe, nli }: { readonly recipe: RecipeName } & Pick<Settings, 'tpe' | 'nli'>,
  flags: ReadonlySet<string>,
): void {
  const toNames = '--recipe llm or cta+llm';
  if (!names) refuseUseless([...NAMES_FLAGS, 'replay'], flags, `recipe ${recipe}`, toNames);
  if (!entities) refuseUseless(['entityPrompt'], flags, `tpe.id ${tpe.id}`, '--set tpe.id=llm');
  if (!judgments) refuseUseless(['replayJudgments'], flags, `nli.id ${nli.id}`, '--set nli.id=llm');
  if (names || entities) return;
  refuseUseless(['sendValues'], flags, `recipe ${recipe}`, `${toNames}, or --set tpe.id=llm`);
  if (!judgments)
    refuseUseless(ASKING_FLAGS, flags, `recipe ${recipe}`, `${toNames}, or --set tpe.id=llm or nli.id=llm`);
}

/** Returns the part of it that needs an endpoint, for people. */
function endpointUser({ names, entities }: Asks, recipe: RecipeName): string {
  if (names) return `recipe ${recipe} (without --replay)`;
  return entities ? 'tpe.id llm' : 'nli.id llm (without --replay-judgments)';
}

/**
 * The language model that the options choose, null where neither recipe nor settings ask one; `flags`: those given on
 * the command line.
 * @throws ConfigError when an option is missing, wrong or of no use
 */
export function proposerOf(
  options: LlmOptions,
  { tpe, nli }: Pick<Settings, 'tpe' | 'nli'>,
  flags: ReadonlySet<string>,
): ProposerChoice | null {
  const { recipe, llmPrompt = null, namesPerCall, entityPrompt = null, sendValues, prices } = options;
  const names = recipe.split('+').includes('llm');
  const asks: Asks = { names, entities: tpe.id === 'llm', judgments: nli.id === 'llm' };
  refuseUnasked(asks, { recipe, tpe, nli }, flags);
  if (!asks.names && !asks.entities && !asks.judgments) return null;
  const file = asks.names ? (options.replay ?? null) : null;
  const judgments = asks.judgments ? (options.replayJudgments ?? null) : null;
  if (file !== null || judgments !== null) {
    refuseUseless([...ASKING_FLAGS, 'sendValues', ...NAMES_FLAGS], flags, 'recorded answers', 'no --replay');
    return { kind: 'recorded', file, judgments };
  }
  const endpoint = endpointSettings(options, endpointUser(asks, recipe));
  const told = { prompt: llmPrompt, namesPerCall, entityPrompt, sendValues };
  return { kind: 'endpoint', endpoint, ...told, prices: parsePrices(prices) };
}

import { z } from 'zod';
import { ENDPOINT_FLAGS, endpointOptions, endpointSettings } from '../chat/endpoint-options.js';
import { ConfigError } from '../errors.js';
import type { ProposerChoice } from '../llm/create-proposer.js';
import { NAMES_PER_CALL } from '../llm/names-per-call.js';
import type { RecipeName } from '../recipes/recipe-names.js';
import type { Settings } from '../recipes/settings.js';
import { refuseUseless } from '../options/given-options.js';
import { choice, flag, positive, seconds, text } from '../options/option-field.js';
import type { CACHE_OPTION } from './shared-options.js';

const PRICES = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/;

/** Which language model proposes names or says what the rows of a table are, and what it is told. */
export const LLM_OPTIONS = {
  ...endpointOptions('recipe or tpe.id llm'),
  concurrency: positive('n', 'recipe or tpe.id llm: calls side by side (default: 4)').exactOptional(),
  answerTimeout: seconds('recipe or tpe.id llm: longest time of one call').default(120),
  llmPrompt: text(
    'file',
    'recipe llm: a text with {columns} and, but for whole tables, {column}, {table}, {database}; --- parts system and user',
  ).exactOptional(),
  namesPerCall: choice(
    NAMES_PER_CALL,
    'what',
    'recipe llm: ask for the names of one column, or of all columns of a table, at a fraction of the cost',
  ).default('column'),
  entityPrompt: text(
    'file',
    'tpe.id llm: a text with {columns}, {table}, {database} that asks what a row is',
  ).exactOptional(),
  sendValues: flag('recipe or tpe.id llm: show the model sample values; without it no cell leaves the machine'),
  prices: text(
    'prompt,answer',
    'recipe or tpe.id llm: prices of a million tokens for --dry-run, such as 0.15,0.6',
  ).exactOptional(),
  replay: text('file', 'recipe llm: recorded proposals in place of an endpoint').exactOptional(),
};

type LlmOptions = z.infer<z.ZodObject<typeof LLM_OPTIONS & typeof CACHE_OPTION>> & { readonly recipe: RecipeName };

const LLM_FLAGS = [...ENDPOINT_FLAGS, 'concurrency', 'answerTimeout', 'temperature', 'sendValues', 'prices'];
/** Of recipes that ask for names. */
const NAMES_FLAGS = ['llmPrompt', 'namesPerCall'];

export function parsePrices(given: string | undefined): { readonly prompt: number; readonly answer: number } | null {
  if (given === undefined) return null;
  const [, prompt, answer] = PRICES.exec(given) ?? [];
  if (prompt !== undefined && answer !== undefined) return { prompt: Number(prompt), answer: Number(answer) };
  throw new ConfigError('--prices are no two numbers', { fix: 'Write those of prompts and of answers: 0.15,0.6.' });
}

/**
 * The language model that the options choose, null where neither recipe nor settings ask one; `flags`: those given on the
 * command line.
 * @throws ConfigError when an option is missing, wrong or of no use
 */
export function proposerOf(
  options: LlmOptions,
  { tpe }: Pick<Settings, 'tpe'>,
  flags: ReadonlySet<string>,
): ProposerChoice | null {
  const { recipe, replay, llmPrompt = null, namesPerCall, entityPrompt = null, sendValues, prices } = options;
  const [asksNames, asksEntities] = [recipe.split('+').includes('llm'), tpe.id === 'llm'];
  if (!asksNames) refuseUseless([...NAMES_FLAGS, 'replay'], flags, `recipe ${recipe}`, '--recipe llm or cta+llm');
  if (!asksEntities) refuseUseless(['entityPrompt'], flags, `tpe.id ${tpe.id}`, '--set tpe.id=llm');
  if (!asksNames && !asksEntities) {
    refuseUseless(LLM_FLAGS, flags, `recipe ${recipe}`, '--recipe llm or cta+llm, or --set tpe.id=llm');
    return null;
  }
  if (asksNames && replay !== undefined) {
    refuseUseless([...LLM_FLAGS, ...NAMES_FLAGS], flags, 'recorded proposals', 'no --replay');
    return { kind: 'recorded', file: replay };
  }
  const endpoint = endpointSettings(options, asksNames ? `recipe ${recipe} (without --replay)` : 'tpe.id llm');
  const told = { prompt: llmPrompt, namesPerCall, entityPrompt, sendValues };
  return { kind: 'endpoint', endpoint, ...told, prices: parsePrices(prices) };
}

import type { z } from 'zod';
import { ENDPOINT_FLAGS, endpointOptions, endpointSettings } from '../chat/endpoint-options.js';
import { ConfigError } from '../errors.js';
import { flag, inGroup, positive, seconds, text } from '../options/option-field.js';
import type { FluencyChoice } from '../llm/fluency-judge.js';
import { refuseUseless } from '../options/given-options.js';

const PRICES = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/;

/** Which language model a command asks, how, and at what price; `of` says in help what asks it. */
export const askingOptions = (of: string) => ({
  ...endpointOptions(of),
  ...inGroup('Endpoint', {
    concurrency: positive('n', `${of}: calls side by side (default: 4)`).exactOptional(),
    answerTimeout: seconds(`${of}: longest time of one call`).default(120),
    prices: text('prompt,answer', `${of}: prices of a million tokens for --dry-run, such as 0.15,0.6`).exactOptional(),
  }),
});

/** Those that must be of use where they are given as flags. */
export const ASKING_FLAGS: readonly string[] = [
  ...ENDPOINT_FLAGS,
  'concurrency',
  'answerTimeout',
  'temperature',
  'prices',
];

/** The prices of `--prices`, null where there are none. @throws ConfigError where they are no two numbers */
export function parsePrices(given: string | undefined): { readonly prompt: number; readonly answer: number } | null {
  if (given === undefined) return null;
  const [, prompt, answer] = PRICES.exec(given) ?? [];
  if (prompt !== undefined && answer !== undefined) return { prompt: Number(prompt), answer: Number(answer) };
  throw new ConfigError('--prices are no two numbers', { fix: 'Write those of prompts and of answers: 0.15,0.6.' });
}

const OF = '--ask-fluency';

/** Which language model is asked whether new questions read as people ask. */
export const FLUENCY_OPTIONS = {
  ...inGroup('Model', {
    askFluency: flag('ask a language model whether a person would ask each new question so, and drop the others'),
  }),
  ...askingOptions(OF),
  ...inGroup('Advanced', {
    fluencyPrompt: text('file', `${OF}: a text with {question}; --- parts system and user`).exactOptional(),
  }),
};

const FLAGS = [...ASKING_FLAGS, 'fluencyPrompt'];

type FluencyOptions = z.infer<z.ZodObject<typeof FLUENCY_OPTIONS>> & { readonly cache?: string };

/**
 * The language model that the options choose, null where none is asked; `flags`: those given on the command line.
 * @throws ConfigError when an option is missing, wrong or of no use
 */
export function fluencyOf(options: FluencyOptions, flags: ReadonlySet<string>): FluencyChoice | null {
  if (!options.askFluency) {
    refuseUseless(FLAGS, flags, 'a run that asks no language model', OF);
    return null;
  }
  const { fluencyPrompt = null, prices } = options;
  return { endpoint: endpointSettings(options, OF), prompt: fluencyPrompt, prices: parsePrices(prices) };
}

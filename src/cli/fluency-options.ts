import type { z } from 'zod';
import { ENDPOINT_FLAGS, endpointOptions, endpointSettings } from '../chat/endpoint-options.js';
import type { FluencyChoice } from '../llm/fluency-judge.js';
import { refuseUseless } from '../options/given-options.js';
import { flag, positive, seconds, text } from '../options/option-field.js';
import { parsePrices } from './llm-options.js';

const OF = '--ask-fluency';

/** Which language model is asked whether new questions read as people ask. */
export const FLUENCY_OPTIONS = {
  askFluency: flag('ask a language model whether a person would ask each new question so, and drop the others'),
  ...endpointOptions(OF),
  concurrency: positive('n', `${OF}: calls side by side (default: 4)`).exactOptional(),
  answerTimeout: seconds(`${OF}: longest time of one call`).default(120),
  fluencyPrompt: text('file', `${OF}: a text with {question}; --- parts system and user`).exactOptional(),
  prices: text('prompt,answer', `${OF}: prices of a million tokens for estimates, such as 0.15,0.6`).exactOptional(),
};

const FLAGS = [...ENDPOINT_FLAGS, 'concurrency', 'answerTimeout', 'temperature', 'fluencyPrompt', 'prices'];

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

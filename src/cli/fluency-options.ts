import type { z } from 'zod';
import { endpointSettings } from '../chat/endpoint-options.js';
import type { FluencyChoice } from '../llm/fluency-judge.js';
import { refuseUseless } from '../options/given-options.js';
import { flag, inGroup, text } from '../options/option-field.js';
import { ASKING_FLAGS, askingOptions, parsePrices } from './asking-options.js';

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

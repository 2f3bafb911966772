import type { z } from 'zod';
import { endpointSettings } from '../chat/endpoint-options.js';
import type { ReadingsChoice } from '../llm/model-readings.js';
import { refuseUseless } from '../options/given-options.js';
import { flag, inGroup } from '../options/option-field.js';
import type { Settings } from '../recipes/settings.js';
import { ASKING_FLAGS, askingOptions, parsePrices } from './asking-options.js';
import { CACHE_OPTION, DRY_RUN_OPTION } from './shared-options.js';

const OF = 'identifiers.id llm';

/** Which language model is asked what identifiers say, and what it is told. */
export const READINGS_OPTIONS = {
  ...askingOptions(OF),
  ...inGroup('Endpoint', {
    sendValues: flag(`${OF}: show the model sample values; without it no cell leaves the machine`),
  }),
  ...CACHE_OPTION,
  ...DRY_RUN_OPTION,
};

const FLAGS = [...ASKING_FLAGS, 'sendValues', 'cache', 'dryRun'];

/**
 * The language model that the options choose, null where none is asked; `flags`: those given on the command line.
 * @throws ConfigError when an option is missing, wrong or of no use
 */
export function readingsOf(
  options: z.infer<z.ZodObject<typeof READINGS_OPTIONS>>,
  { identifiers }: Pick<Settings, 'identifiers'>,
  flags: ReadonlySet<string>,
): ReadingsChoice | null {
  if (identifiers.id === null) {
    refuseUseless(FLAGS, flags, 'a reading that asks no language model', '--set identifiers.id=llm');
    return null;
  }
  const { sendValues, prices } = options;
  return { endpoint: endpointSettings(options, OF), sendValues, prices: parsePrices(prices) };
}

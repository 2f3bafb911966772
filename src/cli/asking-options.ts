import { ENDPOINT_FLAGS, endpointOptions } from '../chat/endpoint-options.js';
import { ConfigError } from '../errors.js';
import { inGroup, positive, seconds, text } from '../options/option-field.js';

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

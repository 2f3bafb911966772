import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { needed } from '../options/given-options.js';
import { described, inGroup, positive, repeated, text } from '../options/option-field.js';
import { defaultCacheFolder } from '../run/cache-folder.js';
import type { EndpointSettings } from './chat-endpoint.js';

/** Where an OpenAI-compatible endpoint is and what it may cost; `of` says in help what asks it. */
export const endpointOptions = (of: string) => ({
  ...inGroup('Endpoint', {
    baseUrl: text('url', `${of}: root of an OpenAI-compatible service, https://host/v1`).exactOptional(),
    model: text('name', `${of}: its model`).exactOptional(),
  }),
  ...inGroup('Advanced', {
    header: repeated('name: value', `${of}: a further header`),
  }),
  ...inGroup('Endpoint', {
    apiKeyEnv: text('name', `${of}: environment variable with the key (default: no key)`).exactOptional(),
  }),
  ...inGroup('Advanced', {
    keyHeader: text(
      'name',
      `${of}: header that the key goes into (default: Authorization, as a bearer)`,
    ).exactOptional(),
  }),
  ...inGroup('Endpoint', {
    temperature: described(
      z.union([z.literal('none'), z.number().nonnegative()], { error: 'a number, or none, is expected' }),
      { value: 'n', description: `${of}: temperature, or none for models that refuse it` },
    ).default(0),
  }),
  ...inGroup('Advanced', {
    parameters: text('json', `${of}: further fields of the request, such as {"max_tokens": 500}`).exactOptional(),
  }),
  ...inGroup('Endpoint', {
    maxCalls: positive('n', `${of}: most calls of this process (default: no limit)`).exactOptional(),
    maxTokens: positive(
      'n',
      `${of}: most tokens of this process, prompts and answers (default: no limit)`,
    ).exactOptional(),
  }),
});

type EndpointOptions = z.infer<z.ZodObject<ReturnType<typeof endpointOptions>>>;

/** Options of an endpoint that have no default: given as flags, they must be of use. */
export const ENDPOINT_FLAGS: readonly string[] = [
  'baseUrl',
  'model',
  'header',
  'apiKeyEnv',
  'keyHeader',
  'parameters',
  'maxCalls',
  'maxTokens',
];

function parseHeaders(headers: readonly string[]): Record<string, string> {
  const pairs = headers.map((header) => {
    const at = header.indexOf(':');
    // The value may be a secret: it is not shown.
    if (at <= 0) throw new ConfigError('a --header is not of the form name: value', { fix: 'Write "X-Name: value".' });
    return [header.slice(0, at).trim(), header.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

/** Fields of the request that are not the user's further ones, and what to do instead. */
const FIXED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['model', 'Leave it out: --model names the model.'],
  ['messages', 'Leave it out: --prompt-template says what the model is told.'],
  ['stream', 'Leave it out: answers are read whole.'],
]);

function parseParameters(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  const fix = 'Write an object of JSON: {"max_tokens": 500}.';
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch (cause) {
    throw new ConfigError('--parameters is no JSON', { fix, cause });
  }
  throw new ConfigError('--parameters is no object', { fix });
}

/** @throws ConfigError where a field is one that the request has anyway: it would be passed over */
function refuseFixedFields(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fixed = [...FIXED_FIELDS].find(([field]) => field in parameters);
  if (fixed === undefined) return parameters;
  const [name, fix] = fixed;
  throw new ConfigError(`--parameters can't set "${name}"`, { fix });
}

/**
 * The endpoint that options choose. Answers are kept in the cache's folder.
 * @throws ConfigError when one is missing or wrong
 */
export function endpointSettings(
  options: EndpointOptions & {
    readonly concurrency?: number;
    readonly answerTimeout: number;
    readonly cache?: string;
  },
  of: string,
): EndpointSettings {
  const { maxCalls, maxTokens, concurrency, cache } = options;
  return {
    baseUrl: needed(options.baseUrl, 'baseUrl', of, 'http://localhost:8000/v1'),
    model: needed(options.model, 'model', of, 'my-model'),
    headers: parseHeaders(options.header),
    keyVariable: options.apiKeyEnv ?? null,
    keyHeader: options.keyHeader ?? null,
    temperature: options.temperature === 'none' ? null : options.temperature,
    parameters: refuseFixedFields(parseParameters(options.parameters)),
    timeoutMs: options.answerTimeout * 1000,
    budget: {
      ...(maxCalls === undefined ? {} : { calls: maxCalls }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    },
    cacheFile: join(cache ?? defaultCacheFolder(), 'answers.sqlite'),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

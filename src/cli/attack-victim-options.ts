import { join } from 'node:path';
import { z } from 'zod';
import { type VictimKind, VICTIM_KINDS } from '../attack/attack-choices.js';
import type { VictimChoice } from '../victims/victim-choice.js';
import type { EndpointSettings } from '../victims/endpoint-settings.js';
import { ConfigError } from '../errors.js';
import { loadPromptTemplate, type PromptTemplate } from '../formats/exports/prompt-template.js';
import { defaultCacheFolder } from '../run/score-cache.js';
import { positiveOption, secondsOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const temperature = z.union([
  z.literal('none').transform(() => null),
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/, 'a number, or none, is expected')
    .transform(Number),
]);

const schema = z.object({
  victim: z.enum(VICTIM_KINDS),
  train: z.string().nullable().default(null),
  command: z.string().optional(),
  predictions: z.string().optional(),
  baseUrl: z.string().optional(),
  model: z.string().optional(),
  header: z.array(z.string()).default([]),
  apiKeyEnv: z.string().nullable().default(null),
  keyHeader: z.string().nullable().default(null),
  temperature,
  parameters: z.string().optional(),
  promptTemplate: z.string().optional(),
  concurrency: positiveOption.optional(),
  answerTimeout: secondsOption,
  maxCalls: positiveOption.optional(),
  maxTokens: positiveOption.optional(),
  cache: z.string().optional(),
});
type VictimOptions = z.infer<typeof schema>;

/** Which victims an option is for; those with a default are not asked. */
const FOR: ReadonlyMap<string, readonly VictimKind[]> = new Map([
  ['train', ['baseline']],
  ['command', ['command']],
  ['predictions', ['file']],
  ['baseUrl', ['endpoint']],
  ['model', ['endpoint']],
  ['header', ['endpoint']],
  ['apiKeyEnv', ['endpoint']],
  ['keyHeader', ['endpoint']],
  ['parameters', ['endpoint']],
  ['promptTemplate', ['command', 'endpoint']],
  ['concurrency', ['command', 'endpoint']],
  ['maxCalls', ['endpoint']],
  ['maxTokens', ['endpoint']],
]);

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function requireUse(raw: RawOptions, victim: VictimKind): void {
  for (const [name, kinds] of FOR) {
    if (raw[name] === undefined || kinds.includes(victim)) continue;
    throw new ConfigError(`option ${flagOf(name)} is of no use to victim ${victim}`, {
      fix: `Leave it out, or give --victim ${kinds.join(' or ')}.`,
    });
  }
}

function needed<T>(value: T | undefined, name: string, victim: VictimKind): T {
  if (value !== undefined) return value;
  throw new ConfigError(`victim ${victim} needs ${flagOf(name)}`, { fix: 'See the command’s --help.' });
}

/** Words of a command line: quotes of either kind group, nothing else is special. */
function splitCommand(line: string): readonly string[] {
  if (!/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line)) {
    throw new ConfigError('a quote in --command is not closed', { fix: 'Close it, or put it into the other kind.' });
  }
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)];
  return words.map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  );
}

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
  const [name] = [...FIXED_FIELDS.keys()].filter((field) => field in parameters);
  if (name === undefined) return parameters;
  throw new ConfigError(`--parameters can't set "${name}"`, { fix: FIXED_FIELDS.get(name)! });
}

/** The prompt in a file, as an option of settings. */
export function givenTemplate(file: string | undefined): { readonly template?: PromptTemplate } {
  return file === undefined ? {} : { template: loadPromptTemplate(file) };
}

function endpointSettings(options: VictimOptions): EndpointSettings {
  const { maxCalls, maxTokens, concurrency, cache } = options;
  return {
    baseUrl: needed(options.baseUrl, 'baseUrl', 'endpoint'),
    model: needed(options.model, 'model', 'endpoint'),
    headers: parseHeaders(options.header),
    keyVariable: options.apiKeyEnv,
    keyHeader: options.keyHeader,
    temperature: options.temperature,
    parameters: refuseFixedFields(parseParameters(options.parameters)),
    timeoutMs: options.answerTimeout * 1000,
    budget: {
      ...(maxCalls === undefined ? {} : { calls: maxCalls }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    },
    cacheFile: join(cache ?? defaultCacheFolder(), 'answers.sqlite'),
    ...givenTemplate(options.promptTemplate),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/** The victim that the options choose. @throws ConfigError when one is missing, wrong, or for another victim */
export function parseVictim(raw: RawOptions): VictimChoice {
  const options = parseOptions(schema, raw);
  const { victim, train, predictions, concurrency, answerTimeout } = options;
  requireUse(raw, victim);
  switch (victim) {
    case 'baseline':
      return { kind: victim, train };
    case 'command': {
      const command = splitCommand(needed(options.command, 'command', victim));
      const width = concurrency === undefined ? {} : { concurrency };
      const prompt = givenTemplate(options.promptTemplate);
      return { kind: victim, settings: { command, timeoutMs: answerTimeout * 1000, ...width, ...prompt } };
    }
    case 'endpoint':
      return { kind: victim, settings: endpointSettings(options) };
    case 'file':
      return { kind: victim, predictions: needed(predictions, 'predictions', victim) };
  }
}

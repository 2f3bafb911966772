import { join } from 'node:path';
import { z } from 'zod';
import { type VictimChoice, type VictimKind, VICTIM_KINDS } from '../victims/victim-choice.js';
import type { EndpointSettings } from '../victims/endpoint-settings.js';
import { ConfigError } from '../errors.js';
import { loadPromptTemplate, type PromptTemplate, SEGMENTS_TEMPLATE } from '../formats/exports/prompt-template.js';
import { defaultCacheFolder } from '../run/cache-folder.js';
import { choice, described, flag, kebabCase, positive, repeated, seconds, text } from './option-field.js';
import type { CACHE_OPTION } from './shared-options.js';

/** Which model is asked, and how. */
export const VICTIM_OPTIONS = {
  victim: choice(VICTIM_KINDS, 'kind', 'the model under attack').default('baseline'),
  train: text(
    'file',
    'victim baseline: examples to answer after (default: those attacked, each left out for its own question)',
  ).exactOptional(),
  command: text(
    'line',
    'victim command: program and arguments; it reads and writes JSON lines; no shell looks at it',
  ).exactOptional(),
  baseUrl: text('url', 'victim endpoint: root of an OpenAI-compatible service, https://host/v1').exactOptional(),
  model: text('name', 'victim endpoint: its model').exactOptional(),
  header: repeated('name: value', 'victim endpoint: a further header'),
  apiKeyEnv: text('name', 'victim endpoint: environment variable with the key (default: no key)').exactOptional(),
  keyHeader: text(
    'name',
    'victim endpoint: header that the key goes into (default: Authorization, as a bearer)',
  ).exactOptional(),
  temperature: described(
    z.union([z.literal('none'), z.number().nonnegative()], { error: 'a number, or none, is expected' }),
    { value: 'n', description: 'victim endpoint: temperature, or none for models that refuse it' },
  ).default(0),
  parameters: text(
    'json',
    'victim endpoint: further fields of the request, such as {"max_tokens": 500}',
  ).exactOptional(),
  promptTemplate: text(
    'file',
    'prompt: a text with {question}, {schema}, {dialect}, {segments}; --- parts system and user',
  ).exactOptional(),
  segments: flag('victims command and endpoint: questions come with their sub-sentences, {text, start, end} each'),
  concurrency: positive('n', 'questions side by side (default: 4 for endpoint, 1 for command)').exactOptional(),
  answerTimeout: seconds('longest time of one answer of a command or call of an endpoint').default(120),
  maxCalls: positive('n', 'victim endpoint: most calls of this process (default: no limit)').exactOptional(),
  maxTokens: positive(
    'n',
    'victim endpoint: most tokens of this process, prompts and answers (default: no limit)',
  ).exactOptional(),
  predictions: text('file', 'victim file: JSON lines of {id, sql}').exactOptional(),
};

/** The options of a victim, and where answers are kept. */
type VictimOptions = z.infer<z.ZodObject<typeof VICTIM_OPTIONS & typeof CACHE_OPTION>>;

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
  ['segments', ['command', 'endpoint']],
  ['concurrency', ['command', 'endpoint']],
  ['maxCalls', ['endpoint']],
  ['maxTokens', ['endpoint']],
]);

const flagOf = (name: string): string => `--${kebabCase(name)}`;

/** Only of flags: the configuration file may say what several victims need. */
function requireUse(flags: ReadonlySet<string>, victim: VictimKind): void {
  for (const [name, kinds] of FOR) {
    if (!flags.has(name) || kinds.includes(victim)) continue;
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

/** The prompt in a file, or one with the sub-sentences where these are wanted, as an option of settings. */
export function givenTemplate(file: string | undefined, segments: boolean): { readonly template?: PromptTemplate } {
  if (file !== undefined) return { template: loadPromptTemplate(file, ['segments']) };
  return segments ? { template: SEGMENTS_TEMPLATE } : {};
}

/** An endpoint sees the prompt alone. @throws ConfigError where that lacks the sub-sentences */
function requireSegments({ template }: Pick<EndpointSettings, 'template'>, segments: boolean): void {
  if (!segments || template === undefined || `${template.system ?? ''}${template.user}`.includes('{segments}')) return;
  throw new ConfigError('the prompt template lacks {segments}', {
    fix: 'Put {segments} where the model is to read the sub-sentences, or leave out --segments.',
  });
}

function endpointSettings(options: VictimOptions): EndpointSettings {
  const { maxCalls, maxTokens, concurrency, cache } = options;
  return {
    baseUrl: needed(options.baseUrl, 'baseUrl', 'endpoint'),
    model: needed(options.model, 'model', 'endpoint'),
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
    ...givenTemplate(options.promptTemplate, options.segments),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/**
 * The victim that the options choose; `flags`: those given on the command line.
 * @throws ConfigError when one is missing, wrong, or for another victim
 */
export function victimOf(options: VictimOptions, flags: ReadonlySet<string>): VictimChoice {
  const { victim, train, predictions, concurrency, answerTimeout, segments } = options;
  requireUse(flags, victim);
  switch (victim) {
    case 'baseline':
      return { kind: victim, train: train ?? null };
    case 'command': {
      const command = splitCommand(needed(options.command, 'command', victim));
      const width = concurrency === undefined ? {} : { concurrency };
      const prompt = givenTemplate(options.promptTemplate, segments);
      const settings = { command, timeoutMs: answerTimeout * 1000, ...width, ...prompt };
      return { kind: victim, settings, ...(segments && { segments }) };
    }
    case 'endpoint': {
      const settings = endpointSettings(options);
      requireSegments(settings, segments);
      return { kind: victim, settings, ...(segments && { segments }) };
    }
    case 'file':
      return { kind: victim, predictions: needed(predictions, 'predictions', victim) };
  }
}

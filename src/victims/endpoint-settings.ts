import { ConfigError } from '../errors.js';
import { DEFAULT_TEMPLATE, type PromptTemplate } from '../formats/exports/prompt-template.js';
import { sha256Of } from '../run/sha256.js';
import { isTimeLimit, MOST_SECONDS } from '../run/time-limit.js';
import type { CallBudgetLimits } from './call-budget.js';
import { templateSha256 } from './victim-input.js';

export interface EndpointSettings {
  /** Root of an OpenAI-compatible service, "https://host/v1"; `/chat/completions` is added where it does not end so. */
  readonly baseUrl: string;
  readonly model: string;
  /** Further headers; their values are never shown or stored. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the environment variable that holds the key; null = the service asks for none. */
  readonly keyVariable?: string | null;
  /** Header that the key goes into, "api-key"; null = `Authorization: Bearer …`. */
  readonly keyHeader?: string | null;
  readonly template?: PromptTemplate;
  /** Null = not sent, for models that refuse it. */
  readonly temperature?: number | null;
  /** Further fields of the request: `{ max_tokens: 500 }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Questions asked side by side. */
  readonly concurrency?: number;
  /** Milliseconds for one call; Node's own limit of 300 s for the first byte stays. */
  readonly timeoutMs?: number;
  /** Calls for one question, at least 1; 1 = no retry. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second call, doubled for each further one. */
  readonly backoffMs?: number;
  /** Longest wait between two calls; a service that asks for more gets no further call for this question. */
  readonly maxWaitMs?: number;
  /** Questions that may fail in a row before the run ends. */
  readonly maxFailuresInARow?: number;
  readonly budget?: CallBudgetLimits;
  /** SQLite file of answers; null = none. */
  readonly cacheFile?: string | null;
}

const ENDPOINT_DEFAULTS = {
  headers: {},
  keyVariable: null,
  keyHeader: null,
  template: DEFAULT_TEMPLATE,
  temperature: 0,
  parameters: {},
  concurrency: 4,
  timeoutMs: 120_000,
  maxAttempts: 6,
  backoffMs: 1_000,
  maxWaitMs: 60_000,
  maxFailuresInARow: 10,
  budget: {},
  cacheFile: null,
} as const satisfies Partial<EndpointSettings>;

type CompleteEndpointSettings = Required<EndpointSettings>;

const CHAT_PATH = '/chat/completions';

function parseBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError('the base URL is no http(s) URL', { fix: 'Give one like "https://host/v1".' });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('the base URL holds a user name or password', {
      fix: 'Leave it out; name an environment variable for the key, or give an Authorization header.',
    });
  }
  return url;
}

function chatUrl(baseUrl: string): URL {
  const url = parseBaseUrl(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(CHAT_PATH) ? path : `${path}${CHAT_PATH}`;
  url.hash = '';
  return url;
}

function readKey(variable: string, environment: NodeJS.ProcessEnv): string {
  const key = (environment[variable] ?? '').trim();
  if (key === '') {
    throw new ConfigError(`the environment variable ${variable} is not set`, { fix: `Set ${variable} to your key.` });
  }
  return key;
}

function headersOf(
  { headers, keyHeader }: CompleteEndpointSettings,
  key: string | null,
): Readonly<Record<string, string>> {
  try {
    const all = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    if (key !== null) all.set(keyHeader ?? 'authorization', keyHeader === null ? `Bearer ${key}` : key);
    return Object.fromEntries(all);
  } catch {
    // Its message would show the value.
    throw new ConfigError('a header or the key holds what no header can', { fix: 'Look for line ends and the like.' });
  }
}

/** Shorter header values are no secrets, and would be found in any text. */
const MIN_SECRET_LENGTH = 6;

function checkNumbers({ concurrency, timeoutMs, maxAttempts, backoffMs }: CompleteEndpointSettings): void {
  if (concurrency >= 1 && maxAttempts >= 1 && isTimeLimit(timeoutMs) && backoffMs >= 0) return;
  throw new ConfigError(
    `concurrency and attempts must be at least 1, the time limit above 0 and at most ${MOST_SECONDS} seconds`,
    { fix: 'Give other numbers.' },
  );
}

/** Where and how to call, with the secrets that no text may show. */
export interface Endpoint {
  readonly settings: CompleteEndpointSettings;
  readonly url: string;
  /** The URL without what may be secret; for messages, keys and fingerprints. */
  readonly shownUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly fingerprint: string;
}

/**
 * Checks settings and reads the key.
 * @throws ConfigError when the URL, a header or a number is wrong, or the key's variable is not set
 */
export function resolveEndpoint(given: EndpointSettings, environment: NodeJS.ProcessEnv): Endpoint {
  const settings: CompleteEndpointSettings = { ...ENDPOINT_DEFAULTS, ...given };
  checkNumbers(settings);
  const { model, temperature, parameters, template, keyVariable } = settings;
  const url = chatUrl(settings.baseUrl);
  const shownUrl = `${url.origin}${url.pathname}`;
  const key = keyVariable === null ? null : readKey(keyVariable, environment);
  const secrets = [key ?? '', ...Object.values(settings.headers), ...url.searchParams.values()];
  const asked = sha256Of(JSON.stringify([temperature, parameters])).slice(0, 16);
  return {
    settings,
    url: url.href,
    shownUrl,
    headers: headersOf(settings, key),
    secrets: secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH),
    fingerprint: `endpoint-1:${shownUrl},model=${model},prompt=${templateSha256(template)},settings=${asked}`,
  };
}

/** A text without secrets that a service may repeat in it. */
export function withoutSecrets(text: string, { secrets }: Pick<Endpoint, 'secrets'>): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}

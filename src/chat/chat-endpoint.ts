import { ConfigError } from '../errors.js';
import { HttpClient } from '../http/http-client.js';
import { isLoopback, readHttpUrl, shownUrl } from '../http/http-url.js';
import { sha256Of } from '../run/sha256.js';
import { isTimeLimit, MOST_SECONDS } from '../options/option-field.js';

/** The limits on a run's spending; absent = no limit. */
interface CallBudgetLimits {
  readonly calls?: number;
  /** Prompt and completion together, as the service counts them. */
  readonly tokens?: number;
}

/** The total spent. */
export interface Spending {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * Counts calls and tokens against limits. Calls never exceed theirs; tokens are known only afterwards, so calls that
 * are in flight when they are used up are still paid for.
 */
export class CallBudget {
  readonly #limits: CallBudgetLimits;
  #calls = 0;
  #tokens = 0;

  constructor(limits: CallBudgetLimits) {
    this.#limits = limits;
  }

  get spent(): Spending {
    return { calls: this.#calls, tokens: this.#tokens };
  }

  /** Takes one call; false when calls or tokens are used up. */
  takeCall(): boolean {
    const { calls = Infinity, tokens = Infinity } = this.#limits;
    if (this.#calls >= calls || this.#tokens >= tokens) return false;
    this.#calls++;
    return true;
  }

  spendTokens(tokens: number): void {
    this.#tokens += tokens;
  }
}

/** An OpenAI-compatible chat service, and how it is asked. */
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
  /** Null = not sent, for models that refuse it. */
  readonly temperature?: number | null;
  /** Further fields of the request: `{ max_tokens: 500 }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Prompts sent side by side. */
  readonly concurrency?: number;
  /** Milliseconds for one call. */
  readonly timeoutMs?: number;
  /** Calls for one prompt, at least 1; 1 = no retry. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second call, doubled for each further one. */
  readonly backoffMs?: number;
  /** Longest wait between two calls; a service that asks for more gets no further call for this prompt. */
  readonly maxWaitMs?: number;
  readonly budget?: CallBudgetLimits;
  /** SQLite file of answers; null = none. */
  readonly cacheFile?: string | null;
}

const ENDPOINT_DEFAULTS = {
  headers: {},
  keyVariable: null,
  keyHeader: null,
  temperature: 0,
  parameters: {},
  concurrency: 4,
  timeoutMs: 120_000,
  maxAttempts: 6,
  backoffMs: 1_000,
  maxWaitMs: 60_000,
  budget: {},
  cacheFile: null,
} as const satisfies Partial<EndpointSettings>;

type CompleteEndpointSettings = Required<EndpointSettings>;

const CHAT_PATH = '/chat/completions';

function parseBaseUrl(baseUrl: string): URL {
  const url = readHttpUrl(baseUrl);
  if (url === null) {
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

/** Headers with their names in lower case. */
function headersOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(given));
  } catch {
    // Its message would show the value.
    throw new ConfigError('a header or the key holds what no header can', { fix: 'Look for line ends and the like.' });
  }
}

function keyHeaders(
  { keyVariable, keyHeader }: CompleteEndpointSettings,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  if (keyVariable === null) return {};
  const key = readKey(keyVariable, environment);
  return keyHeader === null ? { authorization: `Bearer ${key}` } : { [keyHeader]: key };
}

function checkNumbers({ concurrency, timeoutMs, maxAttempts, backoffMs }: CompleteEndpointSettings): void {
  if (concurrency >= 1 && maxAttempts >= 1 && isTimeLimit(timeoutMs) && backoffMs >= 0) return;
  throw new ConfigError(
    `concurrency and attempts must be at least 1, the time limit above 0 and at most ${MOST_SECONDS} seconds`,
    { fix: 'Give other numbers.' },
  );
}

/** Where and how to call. */
export interface Endpoint {
  readonly settings: CompleteEndpointSettings;
  readonly url: string;
  /** The URL without what may be secret; for messages, keys and fingerprints. */
  readonly shownUrl: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the key, and hides it and all that may be secret in answers. */
  readonly client: HttpClient;
}

/**
 * Checks settings and reads the key.
 * @throws ConfigError when the URL, a header or a number is wrong, or the key's variable is not set
 */
export function resolveEndpoint(given: EndpointSettings, environment: NodeJS.ProcessEnv): Endpoint {
  const settings: CompleteEndpointSettings = { ...ENDPOINT_DEFAULTS, ...given };
  checkNumbers(settings);
  const { timeoutMs } = settings;
  const url = chatUrl(settings.baseUrl);
  const shown = shownUrl(url.href);
  const client = new HttpClient({
    credentials: { origin: url.origin, headers: headersOf(keyHeaders(settings, environment)) },
    secrets: [...Object.values(settings.headers), ...url.searchParams.values()],
    environment: isLoopback(url.hostname) ? {} : environment,
    timeoutMs,
  });
  return {
    settings,
    url: url.href,
    shownUrl: shown,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headersOf(settings.headers) },
    client,
  };
}

/** Returns everything answers depend on besides prompts, without secrets; `prompt` is the sha256 of their source. */
export function fingerprintEndpoint({ settings, shownUrl: shown }: Endpoint, prompt: string): string {
  const { model, temperature, parameters } = settings;
  const asked = sha256Of(JSON.stringify([temperature, parameters])).slice(0, 16);
  return `${shown},model=${model},prompt=${prompt},settings=${asked}`;
}

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import type { HttpClientOptions } from '../../http/http-client.js';
import { parseUrl } from '../../http/http-url.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { homeFolder } from '../../run/cache-folder.js';

/** The environment's settings of the hub, by the names that its own clients read. */
export interface HubEnvironment {
  /** The hub's address without a slash at its end; null where none is named. */
  readonly endpoint: string | null;
  /** The access token, for the hub alone. */
  readonly credentials: NonNullable<HttpClientOptions['credentials']> | null;
  readonly offline: boolean;
  /** Cache of the hub's own clients, whose snapshots are read when offline. */
  readonly hubCache: string;
}

const HOME_FIX = 'Set HOME, or set HF_HOME to a folder for models and the hub’s own cache.';
const TRUE = /^(?:1|true|yes|on)$/i;

function readToken(environment: NodeJS.ProcessEnv, home: string): string | null {
  const { HF_TOKEN: token = '', HF_TOKEN_PATH: path = '' } = environment;
  if (token !== '') return token.trim();
  const file = path === '' ? join(home, 'token') : path;
  if (!existsSync(file)) return null;
  if (statSync(file).isDirectory()) {
    throw new ConfigError('there is a folder where the access token’s file is looked for', {
      where: { file },
      fix: 'Set HF_TOKEN_PATH to the file, or HF_TOKEN to the token.',
    });
  }
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? null : text;
}

/** @throws ConfigError when the endpoint is no http address, the token no file, or no home folder is known. */
export function readHubEnvironment(environment: NodeJS.ProcessEnv, endpoint?: string): HubEnvironment {
  const { HF_HOME: home = '', HF_HUB_CACHE: cache = '', XDG_CACHE_HOME: xdg = '' } = environment;
  const userCache = (): string => (xdg === '' ? join(homeFolder(HOME_FIX), '.cache') : xdg);
  const base = home === '' ? join(userCache(), 'huggingface') : home;
  const named = endpoint ?? environment['HF_ENDPOINT'] ?? '';
  const described = `the hub's address "${withoutKeys(named)}"`;
  const url = named === '' ? null : parseUrl(named, described, 'Write HF_ENDPOINT or --endpoint as https://host.');
  const token = readToken(environment, base);
  return {
    endpoint: named === '' ? null : named.replace(/\/+$/, ''),
    credentials:
      url === null || token === null ? null : { origin: url.origin, headers: { authorization: `Bearer ${token}` } },
    offline: TRUE.test(environment['HF_HUB_OFFLINE'] ?? ''),
    hubCache: cache === '' ? join(base, 'hub') : cache,
  };
}

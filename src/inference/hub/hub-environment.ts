import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../errors.js';

/** What the environment says of the hub, by the names that its own clients read. */
export interface HubEnvironment {
  /** The hub's address without a slash at its end; null where none is named. */
  readonly endpoint: string | null;
  readonly token: string | null;
  readonly offline: boolean;
  /** Cache of the hub's own clients, whose snapshots are read when offline. */
  readonly hubCache: string;
}

const TRUE = /^(?:1|true|yes|on)$/i;

function readToken(environment: NodeJS.ProcessEnv, home: string): string | null {
  const { HF_TOKEN: token = '', HF_TOKEN_PATH: path = '' } = environment;
  if (token !== '') return token.trim();
  const file = path === '' ? join(home, 'token') : path;
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? null : text;
}

/** @throws ConfigError when the endpoint is no http address. */
export function readHubEnvironment(environment: NodeJS.ProcessEnv, endpoint?: string): HubEnvironment {
  const { HF_HOME: home = '', HF_HUB_CACHE: cache = '', XDG_CACHE_HOME: xdg = '' } = environment;
  const base = home === '' ? join(xdg === '' ? join(homedir(), '.cache') : xdg, 'huggingface') : home;
  const named = endpoint ?? environment['HF_ENDPOINT'] ?? '';
  if (named !== '' && !/^https?:\/\//i.test(named)) {
    throw new ConfigError(`the hub's address "${named}" is no http address`, {
      fix: 'Begin HF_ENDPOINT or --endpoint with https://.',
    });
  }
  return {
    endpoint: named === '' ? null : named.replace(/\/+$/, ''),
    token: readToken(environment, base),
    offline: TRUE.test(environment['HF_HUB_OFFLINE'] ?? ''),
    hubCache: cache === '' ? join(base, 'hub') : cache,
  };
}

import { ConfigError } from '../errors.js';
import { parseUrl } from './http-url.js';

const FIX =
  'Write HTTPS_PROXY, HTTP_PROXY or ALL_PROXY as http://host:port or http://user:password@host:port, in user and password %25 for %, %2F for /, %3F for ?, %23 for #.';

/** Checks whether user and password can be taken out of an address as they were meant. */
function isReadable({ username, password, pathname, search, hash }: URL): boolean {
  // A password with a slash ends the host before the @: its beginning would be taken for a port, and shown.
  if (`${pathname}${search}${hash}`.includes('@')) return false;
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

/** Checks whether `NO_PROXY` leaves a host out: names with their subdomains, optional ports, `*` for all. */
function isExcluded({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [onlyPort] = /(?<=:)\d+$/.exec(entry) ?? [];
      if (onlyPort !== undefined && onlyPort !== ownPort) return false;
      const bare = entry.toLowerCase().replace(/^\*?\.|:\d+$/g, '');
      return hostname === bare || hostname.endsWith(`.${bare}`);
    });
}

/** Returns the parts of a proxy's address that must not be shown. */
export function proxySecrets(proxy: string): readonly string[] {
  const { username, password } = new URL(proxy);
  return [password, decodeURIComponent(password), decodeURIComponent(`${username}:${password}`)];
}

/**
 * The proxy that the environment wants for a URL, null for none; lower-case names go before upper-case ones, as in
 * curl.
 * @throws ConfigError when its address is none, or its user and password can't be read; neither is repeated.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | null {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  if (isExcluded(url, read('NO_PROXY'))) return null;
  const named = url.protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY');
  const proxy = named === '' ? read('ALL_PROXY') : named;
  if (proxy === '') return null;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (isReadable(parseUrl(address, 'the proxy’s address', FIX))) return address;
  throw new ConfigError('user and password in the proxy’s address can’t be read', { fix: FIX });
}

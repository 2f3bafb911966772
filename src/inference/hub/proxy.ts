import { parseUrl } from './http-url.js';

/** Whether `NO_PROXY` leaves a host out: names with their subdomains, optional ports, `*` for all. */
function isExcluded({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase())!;
      if (onlyPort !== undefined && onlyPort !== ownPort) return false;
      const bare = name.replace(/^\*?\./, '');
      return hostname === bare || hostname.endsWith(`.${bare}`);
    });
}

/**
 * The proxy that the environment wants for a URL, null for none; lower-case names go before upper-case ones, as in curl.
 * @throws ConfigError when its address is none.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | null {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  if (isExcluded(url, read('NO_PROXY'))) return null;
  const named = url.protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY');
  const proxy = named === '' ? read('ALL_PROXY') : named;
  if (proxy === '') return null;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  const fix = 'Write HTTPS_PROXY, HTTP_PROXY or ALL_PROXY as http://host:port or http://user:password@host:port.';
  parseUrl(address, 'the proxy’s address', fix);
  return address;
}

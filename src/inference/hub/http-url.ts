import { ConfigError, DownloadError } from '../../errors.js';
import { shownUrl } from './http-refusal.js';

function readHttpUrl(text: string, base?: URL): URL | null {
  if (!URL.canParse(text, base?.href)) return null;
  const url = new URL(text, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/**
 * An http address that the user gave; `described` is how an error names it: without its text, where that may hold a
 * password.
 * @throws ConfigError when it is none.
 */
export function parseUrl(text: string, described: string, fix: string): URL {
  const url = readHttpUrl(text);
  if (url === null) throw new ConfigError(`${described} is no http address`, { fix });
  return url;
}

/**
 * The address that a service sends its reader on to.
 * @throws DownloadError when it is none, or leaves encryption behind.
 */
export function followUrl(from: URL, location: string): URL {
  const to = readHttpUrl(location, from);
  if (to === null) {
    throw new DownloadError(`the service sends on to "${location}", which is no http address`, {
      where: { id: shownUrl(from.href) },
      fix: 'Check the address, and the proxy if there is one.',
    });
  }
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new DownloadError('the service redirects to an address without encryption', {
      where: { id: shownUrl(to.href) },
      fix: 'Check the address: a service that leaves encryption behind is not followed.',
    });
  }
  return to;
}

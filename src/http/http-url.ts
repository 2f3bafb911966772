import { ConfigError } from '../errors.js';

/** The address that a text means, possibly seen from another; null where it is no http address. */
export function readHttpUrl(text: string, base?: URL): URL | null {
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

/** A URL that can be shown: a signed address holds a key in its query. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/**
 * Checks whether only this machine can reach what is bound to a host, named as in an address or without its brackets.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}

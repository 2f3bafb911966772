import { ConfigError } from '../../errors.js';

/** A connection string that was looked through; only `place` may be shown. */
export interface ConnectionUrl {
  /** As given, with the password. */
  readonly text: string;
  readonly url: URL;
  /** Scheme, user, host, port and database: "postgres://ann@db.example:5432/shop". */
  readonly place: string;
  readonly user: string;
  /** Empty where the string has none. */
  readonly password: string;
  readonly database: string;
}

const FIX = 'Write --connection as scheme://user:password@host:port/database, percent-encoding @ : / ? # in its parts.';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ConfigError('--connection holds a % that is no percent-encoding', { fix: FIX });
  }
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    // Not as a cause: the error holds the whole string, with the password.
    throw new ConfigError('--connection is not a URL', { fix: FIX });
  }
}

/** A slash in a password that is not encoded ends the host's part early: the rest must not be taken for a name. */
function checkParts({ pathname, search, hash }: URL): void {
  if (!`${pathname}${search}${hash}`.includes('@')) return;
  throw new ConfigError('--connection holds an @ after the host and port', { fix: FIX });
}

/**
 * Looks through a connection string.
 * @throws ConfigError when it is no URL of one of the schemes (given with their colons); never with the password
 */
export function parseConnectionUrl(text: string, format: string, schemes: readonly string[]): ConnectionUrl {
  const url = parse(text.trim());
  const forms = schemes.map((scheme) => `${scheme}//`).join(' or ');
  if (!schemes.includes(url.protocol)) {
    // Of another form, what is before the colon may be anything.
    throw new ConfigError(`data set format ${format} needs a --connection that begins with ${forms}`, { fix: FIX });
  }
  checkParts(url);
  const [user, database] = [decoded(url.username), decoded(url.pathname.replace(/^\//, ''))];
  const place = `${url.protocol}//${user === '' ? '' : `${user}@`}${url.host}/${database}`;
  return { text: text.trim(), url, place, user, password: decoded(url.password), database };
}

import { ConfigError, InputFormatError } from '../../errors.js';

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

interface DriverError {
  readonly message: string;
  readonly code: string;
}

/** Returns the error that a driver threw: one with a code, or several if a host name has several addresses. */
function asDriverError(thrown: unknown): DriverError {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown;
  if (!(error instanceof Error)) return { message: String(error), code: '' };
  const { code } = error as { readonly code?: unknown };
  return { message: error.message, code: typeof code === 'string' ? code : codeOf(error.message) };
}

/** The code that fits an error that pg's client itself makes, without one. */
function codeOf(message: string): string {
  if (/timeout|timed out/i.test(message)) return 'ETIMEDOUT';
  if (/terminated|closed|not queryable/i.test(message)) return 'ECONNRESET';
  return /^SASL/.test(message) ? '28P01' : '';
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html, MySQL's error names, and Node's codes of sockets.
const KINDS: readonly (readonly [codes: RegExp, message: string, fix: string])[] = [
  [
    /^(?:28000|28P01|ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR|AUTH_SWITCH_PLUGIN_ERROR)$/,
    'the server refused the user or the password',
    'Check user and password in --connection; percent-encode @ : / ? # in them.',
  ],
  [
    /^(?:3D000|ER_BAD_DB_ERROR)$/,
    'the server has no such database',
    'Name an existing database at the end of --connection.',
  ],
  [
    /^(?:42501|ER_DBACCESS_DENIED_ERROR)$/,
    'the user may not use the database',
    'Grant the user CONNECT and USAGE (PostgreSQL) or SELECT (MySQL) on it, or connect as another user.',
  ],
  [
    /^(?:E[A-Z]+|EAI_[A-Z]+|PROTOCOL_CONNECTION_LOST|57P0[123]|53300|ER_CON_COUNT_ERROR)$/,
    'the server can’t be reached',
    'Check host and port in --connection, that the server runs, and that it takes connections from here.',
  ],
];

const OTHER = ['the server can’t be read', 'Check --connection, and that the user may read the database.'] as const;

/**
 * Turns a driver's thrown value into an error for the user, with the driver's message as its cause. The driver's own
 * error is not kept, and its message only if the password is not in it.
 */
export function connectionFault(thrown: unknown, { place, password }: ConnectionUrl): InputFormatError {
  const { message, code } = asDriverError(thrown);
  const found = KINDS.find(([codes]) => codes.test(code));
  const [text, fix] = found === undefined ? OTHER : [found[1], found[2]];
  const told = message !== '' && (password === '' || !message.includes(password));
  return new InputFormatError(text, { where: { id: place }, fix, ...(told ? { cause: new Error(message) } : {}) });
}

/** What a query gives. @throws InputFormatError as `connectionFault` where the query fails */
export async function orConnectionFault<T>(query: Promise<T>, url: ConnectionUrl): Promise<T> {
  try {
    return await query;
  } catch (thrown) {
    throw connectionFault(thrown, url);
  }
}

/** The server's reason for refusing one statement, in one line. */
export function reasonOf(thrown: unknown): string {
  return asDriverError(thrown).message.replace(/\s+/g, ' ').trim();
}

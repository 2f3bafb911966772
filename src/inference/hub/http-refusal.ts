import { DownloadError, type ErrorDetails } from '../../errors.js';

/** A URL that can be shown: a signed address holds a key in its query. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** An answer that another try will not change. */
export class RefusalError extends DownloadError {
  readonly status: number;

  constructor(status: number, message: string, details: ErrorDetails) {
    super(message, details);
    this.status = status;
  }
}

interface Refusal {
  readonly message: string;
  readonly fix: string;
}

function refusalOfAccess(status: number, code: string, hasToken: boolean): Refusal {
  const gated = code === 'GatedRepo';
  if (status === 401 && !hasToken) {
    const message = gated
      ? 'the model is gated: the service wants to know who asks'
      : 'the service wants to know who asks';
    const terms = gated
      ? 'Accept the terms on the model’s page, then set'
      : 'Check the name; for a private or gated model set';
    return { message: `${message} (401)`, fix: `${terms} HF_TOKEN to an access token.` };
  }
  if (status === 401) {
    return {
      message: 'the token is not accepted, or there is no such model (401)',
      fix: 'Check the name, and HF_TOKEN: it may have expired.',
    };
  }
  const fix = hasToken
    ? 'Accept the terms on the model’s page with the account of HF_TOKEN, and let the token read gated models.'
    : 'Accept the terms on the model’s page, then set HF_TOKEN to an access token of that account.';
  return { message: `${gated ? 'the model is gated' : 'access is refused'} (403)`, fix };
}

function refusalOf404(code: string): Refusal {
  if (code === 'RevisionNotFound') {
    return { message: 'the model has no such revision (404)', fix: 'Name a branch, tag or commit of it after the @.' };
  }
  if (code === 'EntryNotFound') {
    return { message: 'the model has no such file (404)', fix: 'Pull again: its files may have changed meanwhile.' };
  }
  return {
    message: 'there is nothing at this address (404)',
    fix: 'Check the name (owner/name), the revision and the hub’s address (HF_ENDPOINT).',
  };
}

/**
 * The error of a proxy that wants to know who asks. `proxy` is its address, of which only the host is shown: it may hold
 * a password; null for a proxy that no variable names.
 */
export function refusalOfProxy(url: string, proxy: string | null): RefusalError {
  const where = { id: shownUrl(url) };
  const { host, username, password } = proxy === null ? { host: '', username: '', password: '' } : new URL(proxy);
  const named = host === '' ? 'a proxy' : `the proxy ${host}`;
  const variables = 'the variable that names the proxy (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY)';
  if (username === '' || password === '') {
    const fix = `Give them in ${variables}: http://user:password@host:port.`;
    return new RefusalError(407, `${named} wants a user and password (407)`, { where, fix });
  }
  const fix = `Check them in ${variables}; they are sent by Basic authentication alone.`;
  return new RefusalError(407, `${named} does not accept the user and password (407)`, { where, fix });
}

/** The error of an answer, with its cause and remedy. */
export function refusalOf(status: number, url: string, errorCode: string, hasToken: boolean): RefusalError {
  const where = { id: shownUrl(url) };
  if (status === 401 || status === 403) {
    const { message, fix } = refusalOfAccess(status, errorCode, hasToken);
    return new RefusalError(status, message, { where, fix });
  }
  if (status === 404 || status === 410) {
    const { message, fix } = refusalOf404(errorCode);
    return new RefusalError(status, message, { where, fix });
  }
  if (status === 407) return refusalOfProxy(url, null);
  const fix = 'Check the address, and the proxy if there is one.';
  return new RefusalError(status, `the service answers ${status}`, { where, fix });
}

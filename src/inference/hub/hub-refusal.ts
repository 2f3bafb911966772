import type { Refusal } from '../../http/http-error.js';

function refusalOfAccess(status: number, isGated: boolean, hasToken: boolean): Refusal {
  if (status === 401 && !hasToken) {
    const message = isGated
      ? 'the model is gated: the service wants to know who asks'
      : 'the service wants to know who asks';
    const terms = isGated
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
  return { message: `${isGated ? 'the model is gated' : 'access is refused'} (403)`, fix };
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

/** What a hub means by a status that refuses; null where it means nothing of its own. */
export function refusalOfHub(status: number, headers: Headers, hasToken: boolean): Refusal | null {
  const code = headers.get('x-error-code') ?? '';
  if (status === 401 || status === 403) return refusalOfAccess(status, code === 'GatedRepo', hasToken);
  return status === 404 || status === 410 ? refusalOf404(code) : null;
}

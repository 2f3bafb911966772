const KEPT_AS = 'perturbql.token';

/**
 * The token of the link that opened the page: taken from the fragment, kept for this tab, and removed from the address,
 * so that it is in no history, screenshot or copied link. Null where there is none.
 */
export function takeToken(): string | null {
  const given = tokenInAddress();
  if (given === null) return sessionStorage.getItem(KEPT_AS);
  sessionStorage.setItem(KEPT_AS, given);
  history.replaceState(null, '', `${location.pathname}#/`);
  return given;
}

/** Checks whether the address holds a token that has not been taken. */
export function hasToken(): boolean {
  return tokenInAddress() !== null;
}

function tokenInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

/**
 * Milliseconds that a `Retry-After` header asks to wait, in seconds or as an HTTP date (RFC 9110 §10.2.3); null without
 * a readable one. A date is counted from the answer's own `Date`, as clocks differ, else from `now` (epoch milliseconds).
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (value === '') return null;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

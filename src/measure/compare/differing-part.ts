/** A SHA-256 in hexadecimal digits, and the digits of it that are shown. */
const HASH = /[0-9a-f]{64}/g;
const SHOWN_DIGITS = 12;

/**
 * The part of a long setting that another value of it has not: of a fingerprint the fields that differ, hashes cut
 * short; of a path the folders that differ. An ellipsis stands for what both have.
 */
export function differingPart(text: string, other: string): string {
  const [own, others] = [text, other].map((value) => value.split(/(?<=[,/])|(?=\+)/)) as [string[], string[]];
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && own[start] === others[start]) start++;
  let after = 0;
  while (after < most - start && own.at(-1 - after) === others.at(-1 - after)) after++;
  const part = own.slice(start, own.length - after).join('');
  if (part === '') return '…';
  const shown = part.replace(HASH, (hash) => hash.slice(0, SHOWN_DIGITS));
  return `${start > 0 ? '…' : ''}${shown}${after > 0 ? '…' : ''}`;
}

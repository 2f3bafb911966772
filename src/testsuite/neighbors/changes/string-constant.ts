import { renderString } from '../../../sql/dialect.js';
import { pick } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';
import type { Gold, QueryChange } from '../change.js';
import { constantSites, otherConstants, type ConstantSite } from '../constant-sites.js';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const MAX_RANDOM = 8;

function randomWord(rng: Rng, most = MAX_RANDOM): string {
  return Array.from({ length: 1 + rng.int(most) }, () => pick(LETTERS, rng)).join('');
}

/** Parts of a string: without its first character, without its last, and a random one. */
function substrings(characters: readonly string[], rng: Rng): string[] {
  const start = rng.int(characters.length);
  const end = start + 1 + rng.int(characters.length - start);
  const parts = [characters.slice(1), characters.slice(0, -1), characters.slice(start, end)];
  return parts.map((part) => part.join(''));
}

function superstrings(value: string, rng: Rng): string[] {
  return [randomWord(rng) + value, value + randomWord(rng), randomWord(rng, 2) + value + randomWord(rng, 2)];
}

/** A pattern keeps the wildcards at its ends when its content becomes another. */
function randomLike(value: string, rng: Rng): string {
  const [, start = '', end = ''] = /^([%_]*)[^]*?([%_]*)$/.exec(value) ?? [];
  return start + randomWord(rng) + end;
}

/** A pattern without the wildcards at its ends. */
function withoutWildcards(value: string): string {
  return value.replace(/^%+|%+$/g, '');
}

/** A pattern whose content lacks its first or its last letter, between the same wildcards. */
function shortened(value: string): string[] {
  const [, start = '', content = '', end = ''] = /^([%_]*)([^]*?)([%_]*)$/.exec(value) ?? [];
  const letters = [...content];
  if (letters.length < 2 || start + end === '') return [];
  return [letters.slice(1), letters.slice(0, -1)].map((part) => start + part.join('') + end);
}

/** The string in small letters, in capitals, and with a capital first: LIKE takes those of ASCII for equal. */
function otherCases({ site }: ConstantSite, value: string): string[] {
  if (site.parent?.node.kind === 'like') return [];
  const lower = value.toLowerCase();
  return [lower, value.toUpperCase(), lower.slice(0, 1).toUpperCase() + lower.slice(1)];
}

function othersOf(constant: ConstantSite, rng: Rng): string[] {
  const { value } = constant;
  const characters = [...value];
  const parts = characters.length === 0 ? [] : [...substrings(characters, rng), withoutWildcards(value)];
  const random = [randomWord(rng), randomLike(value, rng)];
  const patterns = constant.site.parent?.node.kind === 'like' ? shortened(value) : [];
  return [...random, ...patterns, ...parts, ...superstrings(value, rng), ...otherCases(constant, value)];
}

/** A string becomes a random one, a part of itself, or itself with letters around it, in another case, or another of the query. */
export function* stringConstant(gold: Gold, rng: Rng): Iterable<QueryChange> {
  const constants = constantSites(gold);
  for (const constant of constants) {
    const { site, type, value } = constant;
    if (type !== 'string') continue;
    for (const other of [...othersOf(constant, rng), ...otherConstants(constants, constant)]) {
      // The string itself, which may be its own random part, is in other quotes no other query.
      if (other === value) continue;
      const edit = gold.text.replace(site.node.span, renderString(other));
      yield { edit, detail: `${renderString(value)} → ${renderString(other)}`, equivalent: null };
    }
  }
}

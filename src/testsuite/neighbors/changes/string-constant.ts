import { renderString } from '../../../sql/dialect.js';
import { pick } from '../../../run/seeded-rng.js';
import type { Rng } from '../../../stage.js';
import type { Gold, NeighborRule, QueryChange } from '../change.js';
import { constantSites } from '../constant-sites.js';

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

function othersOf(value: string, rng: Rng): string[] {
  const characters = [...value];
  const parts = characters.length === 0 ? [] : substrings(characters, rng);
  return [randomWord(rng), randomLike(value, rng), ...parts, ...superstrings(value, rng)];
}

/** A string becomes a random one, a part of itself, or itself with letters around it. */
export const stringConstant: NeighborRule = {
  kind: 'string-constant',
  *changes(gold: Gold, rng: Rng): Iterable<QueryChange> {
    for (const { site, type, value } of constantSites(gold)) {
      if (type !== 'string') continue;
      for (const other of othersOf(value, rng)) {
        // The string itself, which may be its own random part, is in other quotes no other query.
        if (other === value) continue;
        const edit = gold.text.replace(site.node.span, renderString(other));
        yield { edit, detail: `${renderString(value)} → ${renderString(other)}`, equivalent: null };
      }
    }
  },
};

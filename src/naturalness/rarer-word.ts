import type { NaturalnessContext, NaturalnessRule } from './naturalness-rule.js';
import { wordsOf } from '../schema/name-identity.js';

/** Words up to this place in the order of frequency are common enough whatever they stand for. */
const COMMON_RANK = 3_000;

/**
 * "Commonwealth" for "country", "scope" for "range": a replacement of one word by a rarer one that is not usual in
 * schemas reads odd where the plain word was at hand (ADVETA §2.2). Words of the table's name are its own. Of phrases it
 * says nothing: they are rarer than each of their words.
 */
export function rarerWord(context: NaturalnessContext): Omit<NaturalnessRule, 'id'> {
  const baseOf = (word: string): string => context.nounForm(word)?.base ?? word;
  const rankOf = (word: string): number => context.frequencyRank(word) ?? Infinity;
  return {
    appliesTo: 'RPL',
    check(name, { target: { table }, column }) {
      const own = wordsOf(table.columns[column]?.name ?? '');
      if (own.length > 1) return null;
      const ownRank = Math.max(COMMON_RANK, ...own.map((word) => context.frequencyRank(word) ?? 0));
      const known = new Set([...own, ...wordsOf(table.name)].map(baseOf));
      const isOdd = (word: string): boolean =>
        !known.has(baseOf(word)) && !(context.isFamiliar?.(word) ?? false) && rankOf(word) > ownRank;
      const odd = wordsOf(name).find(isOdd);
      return odd === undefined ? null : `"${odd}" is rarer than what it replaces`;
    },
  };
}

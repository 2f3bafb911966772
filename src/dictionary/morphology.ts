import { singularOf } from '../schema/noun-number.js';
import { IRREGULAR_VERBS } from './irregular-verbs.js';

export type PartOfSpeech = 'noun' | 'verb' | 'adjective' | 'adverb';

/** The facts about English words that inflection needs. {@link WordNet} is one. */
export interface Lexicon {
  /** Checks whether the lemma has a sense in the part of speech, or in any. */
  has(lemma: string, pos?: PartOfSpeech): boolean;
  /** How frequent the lemma is as this part of speech; a count that is compared, not a probability. */
  tagTotal(lemma: string, pos: PartOfSpeech): number;
}

/** Suffix and what stands for it in the base form, in the order of WordNet's morphy(7). */
const DETACHMENTS: Record<PartOfSpeech, readonly (readonly [string, string])[]> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adjective: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adverb: [],
};

const IRREGULAR_BASES = new Map(
  IRREGULAR_VERBS.flatMap(([base, past, participle]) => [past, participle].map((form) => [form, base] as const)),
);

/** "stopped" → "stop": the consonant that a suffix doubled. */
function undoubled(stem: string): string | null {
  return /([bdgklmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : null;
}

function detached(word: string, pos: PartOfSpeech): string[] {
  return DETACHMENTS[pos].flatMap(([suffix, replacement]) => {
    if (!word.endsWith(suffix) || word.length <= suffix.length + 1) return [];
    const stem = word.slice(0, -suffix.length);
    const single = replacement === '' && suffix !== 's' ? undoubled(stem) : null;
    return single === null ? [stem + replacement] : [stem + replacement, single];
  });
}

/**
 * Words that `word` may be an inflected form of, likeliest first: irregular forms, the word itself, then suffix rules.
 * Unchecked: the caller keeps those that its word list knows.
 */
export function possibleBaseForms(word: string, pos: PartOfSpeech): readonly string[] {
  const irregular = pos === 'verb' ? IRREGULAR_BASES.get(word) : undefined;
  const singular = pos === 'noun' ? [singularOf(word)] : [];
  return [...(irregular === undefined ? [] : [irregular]), word, ...singular, ...detached(word, pos)];
}

import type { WordNet } from '../dictionary/wordnet-reader.js';
import { FUNCTION_WORDS } from './function-words.js';
import { relatedWords } from './wordnet-graph.js';

const MULTI_WORD = /^[a-z]+(?: [a-z]+){1,2}$/;

/** Kinds of thing that columns hold: amounts, names and codes, money, places. Their terms stay even without a synonym. */
const COLUMN_KINDS = new Set(['attribute', 'measure', 'communication', 'possession', 'location']);

/** Kinds of thing that tables list but columns are seldom named after ("blue whale"); persons are none of them. */
const OTHER_KINDS = new Set(['organism', 'biological group', 'plant part', 'body part', 'food', 'pathological state']);

/** Words of the synset and of all that it is a kind of. */
function kindsOf(wordnet: WordNet, synset: string, kinds = new Set<string>()): Set<string> {
  for (const word of wordnet.words(synset)) kinds.add(word);
  for (const parent of wordnet.related(synset, 'hypernym')) kindsOf(wordnet, parent, kinds);
  return kinds;
}

function hasAny(kinds: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((kind) => kinds.has(kind));
}

/** Whether a spelling is a common noun's: no capitalized word; acronyms as in "ZIP code" pass. */
function isCommon(spelling: string): boolean {
  return spelling.split(' ').every((word) => /^(?:[a-z]+|[A-Z]{2,})$/.test(word));
}

/** Whether the most frequent sense of a noun is a kind of thing, not one named thing, that a column could be named after. */
function isColumnTerm(wordnet: WordNet, lemma: string): boolean {
  const synset = wordnet.senses(lemma, 'noun')[0]?.synset;
  if (synset === undefined || wordnet.isInstance(synset)) return false;
  if (!wordnet.spellings(synset).some((spelling) => spelling.toLowerCase() === lemma && isCommon(spelling)))
    return false;
  const kinds = kindsOf(wordnet, synset);
  if (hasAny(kinds, OTHER_KINDS) && !kinds.has('person')) return false;
  return hasAny(kinds, COLUMN_KINDS) || relatedWords(wordnet, lemma, 'synonyms').size > 0;
}

/**
 * WordNet's nouns of two and three words that could name a column, by the rank of their rarest word, words joined by `_`.
 * Terms that have neither a synonym nor a kind that columns hold are left out: a look-up makes their mean by itself.
 *
 * @param ranks Frequency rank of each known word; terms with an unknown word are left out.
 */
export function multiWordColumnTerms(wordnet: WordNet, ranks: ReadonlyMap<string, number>, limit: number): string[] {
  const ranked: { readonly term: string; readonly rank: number }[] = [];
  for (const lemma of wordnet.lemmas()) {
    if (!MULTI_WORD.test(lemma)) continue;
    const words = lemma.split(' ');
    const rank = Math.max(...words.map((word) => ranks.get(word) ?? Number.POSITIVE_INFINITY));
    const framed = FUNCTION_WORDS.has(words[0] as string) || FUNCTION_WORDS.has(words.at(-1) as string);
    if (Number.isFinite(rank) && !framed && isColumnTerm(wordnet, lemma)) ranked.push({ term: words.join('_'), rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.term < b.term ? -1 : 1));
  return ranked.slice(0, limit).map(({ term }) => term);
}

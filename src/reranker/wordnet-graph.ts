import type { WordNet, WordNetRelation } from '../dictionary/wordnet-reader.js';

/**
 * Which WordNet relations join words: `synonyms` is Faruqui et al. 2015's WN_syn (lemmas of one synset), `all` their WN_all
 * (and lemmas of hypernyms and hyponyms).
 */
export type WordNetLexicon = 'synonyms' | 'all';

const RELATIONS: Record<WordNetLexicon, readonly WordNetRelation[]> = {
  synonyms: [],
  all: ['hypernym', 'hyponym'],
};

/** Words that WordNet relates to a word over all its senses, without the word itself; words joined by `_`. */
export function relatedWords(wordnet: WordNet, word: string, lexicon: WordNetLexicon): Set<string> {
  const related = new Set<string>();
  for (const { synset } of wordnet.senses(word.replaceAll('_', ' '))) {
    const synsets = [synset, ...RELATIONS[lexicon].flatMap((relation) => wordnet.related(synset, relation))];
    for (const lemma of synsets.flatMap((id) => wordnet.words(id))) related.add(lemma.replaceAll(' ', '_'));
  }
  related.delete(word.replaceAll(' ', '_'));
  return related;
}

/** For each of `words`, the positions in `positions` of the words that WordNet relates to it. */
export function relatedPositions(
  wordnet: WordNet,
  words: readonly string[],
  positions: ReadonlyMap<string, number>,
  lexicon: WordNetLexicon,
): Set<number>[] {
  return words.map((word) => {
    const related = new Set<number>();
    for (const other of relatedWords(wordnet, word, lexicon)) {
      const position = positions.get(other);
      if (position !== undefined) related.add(position);
    }
    return related;
  });
}

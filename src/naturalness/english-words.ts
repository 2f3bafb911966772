import type { Inflector } from '../dictionary/inflection.js';
import type { SchemaThesaurus } from '../dictionary/schema-thesaurus.js';
import type { WordNet } from '../dictionary/wordnet-reader.js';
import type { NaturalnessContext } from './naturalness-rule.js';

export interface EnglishWordsParts {
  readonly wordnet: WordNet;
  readonly inflector: Inflector;
  readonly thesaurus: SchemaThesaurus;
  /** Place of a word in the order of frequency, 0 = most frequent; null when unknown. */
  readonly frequencyRank: (word: string) => number | null;
}

const POS = ['noun', 'verb', 'adjective', 'adverb'] as const;

/** The lookups behind the rules: WordNet's words and forms, the vectors' frequencies, the thesaurus's vocabulary. */
export function englishWords(parts: EnglishWordsParts): NaturalnessContext {
  const { wordnet, inflector, thesaurus, frequencyRank } = parts;
  return {
    frequencyRank,
    isWord: (word) => wordnet.has(word) || POS.some((pos) => wordnet.baseForm(word, pos) !== null),
    nounForm: (phrase) => inflector.nounForm(phrase),
    isFamiliar: (word) => thesaurus.hasWord(word) || familiarPlural(word, inflector, thesaurus),
  };
}

function familiarPlural(word: string, inflector: Inflector, thesaurus: SchemaThesaurus): boolean {
  const form = inflector.nounForm(word);
  return form?.number === 'plural' && thesaurus.hasWord(form.base);
}

import { englishWords } from '../naturalness/english-words.js';
import type { NaturalnessContext } from '../naturalness/naturalness-rule.js';
import type { StageResources } from './stage-resources.js';

/** The word lists that ship with the package: WordNet, the thesaurus, and the frequencies of the embedded vectors. */
export async function openEnglishWords(resources: StageResources): Promise<NaturalnessContext> {
  // Not those of the ranker's vectors: Numberbatch's order says nothing of frequency.
  const vectors = await resources.embeddedVectors();
  return englishWords({
    wordnet: await resources.wordnet(),
    inflector: await resources.inflector(),
    thesaurus: await resources.thesaurus(),
    frequencyRank: (word) => vectors.frequencyRank(word),
  });
}

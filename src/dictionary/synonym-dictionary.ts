import type { PartOfSpeech } from './morphology.js';

/** Where a word is in a column name: alone, as the head of its noun phrase, or before the head. */
export type WordPosition = 'whole' | 'head' | 'modifier';

/** Known facts about a word's use; a dictionary may ignore any of them. */
export interface SynonymHint {
  readonly pos?: PartOfSpeech;
  readonly position?: WordPosition;
  /** The word as it is in the name, where it differs from the base form that is looked up: "founded". */
  readonly surface?: string;
  /** Words of the same column name and table, to choose a sense by and to tell the domain. */
  readonly context?: readonly string[];
  /** True if a term may be of any domain, whatever its context. */
  readonly ofAnyDomain?: boolean;
}

/** A word or phrase that can stand for another. */
export interface Synonym {
  /** Lower case, words separated by one space. */
  readonly text: string;
  readonly pos: PartOfSpeech;
  /** True if `text` already has the form of the hint's `surface`, and must not be inflected again. */
  readonly inflected: boolean;
  /** True if the project's own thesaurus lists it, where a person put it next to the word. */
  readonly isListed?: boolean;
}

/** A source of synonyms for words and multi-word terms. */
export interface SynonymDictionary {
  readonly id: string;
  /** Version, settings and file hashes. */
  readonly fingerprint: string;
  /**
   * Synonyms of a base form ("city", "zip code"), in the dictionary's own order; empty when it knows the term but no
   * synonym that fits, null when it does not know the term.
   */
  synonyms(word: string, hint?: SynonymHint): Promise<readonly Synonym[] | null>;
}

/** Asks several dictionaries in order; the first that knows the term answers. */
export class CompositeDictionary implements SynonymDictionary {
  readonly id: string;
  readonly fingerprint: string;
  readonly #parts: readonly SynonymDictionary[];

  constructor(parts: readonly SynonymDictionary[]) {
    this.#parts = parts;
    this.id = parts.map((part) => part.id).join('+');
    this.fingerprint = parts.map((part) => part.fingerprint).join('+');
  }

  async synonyms(word: string, hint?: SynonymHint): Promise<readonly Synonym[] | null> {
    for (const part of this.#parts) {
      const found = await part.synonyms(word, hint);
      if (found !== null) return found;
    }
    return null;
  }
}

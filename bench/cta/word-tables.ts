import pluralize from 'pluralize';

/** What the Python version is told of English: by word, for the words of its names only. */
export interface WordTables {
  readonly singular: Readonly<Record<string, string>>;
  /** Base forms as a noun, likeliest first. */
  readonly nounForms: Readonly<Record<string, readonly string[]>>;
  /** Base forms as any part of speech, likeliest first. */
  readonly baseForms: Readonly<Record<string, readonly string[]>>;
  /** Abbreviations with one usual reading. */
  readonly spelledOut: Readonly<Record<string, string>>;
}

/** The product's morphology. */
export interface Morphology {
  possibleBaseForms(word: string, pos: 'noun' | 'verb' | 'adjective'): readonly string[];
  expandAbbreviations(name: string): string;
}

/** Every word of the names in any way that they are split, in lower case. */
function wordsOf(names: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const name of names) {
    const parted = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
    for (const word of parted.split(/[\s_]+/u)) words.add(word);
    for (const word of parted.split(/[^\p{L}\p{N}\p{M}'’-]+/u)) words.add(word.replace(/^['’]+|['’]+$/gu, ''));
    for (const word of parted.replace(/['’]/gu, '').split(/[^\p{L}\p{N}]+/u)) words.add(word);
  }
  words.delete('');
  return words;
}

function tableOf<T>(words: ReadonlySet<string>, lookUp: (word: string) => T | null): Record<string, T> {
  return Object.fromEntries(
    [...words].flatMap((word) => {
      const value = lookUp(word);
      return value === null ? [] : [[word, value] as const];
    }),
  );
}

/** Singulars, base forms and abbreviations of all words of some names. */
export function createWordTables(names: Iterable<string>, morphology: Morphology): WordTables {
  const words = wordsOf(names);
  const nounForms = (word: string): readonly string[] => morphology.possibleBaseForms(word, 'noun');
  const changed = (word: string, other: string): string | null => (other === word ? null : other);
  return {
    singular: tableOf(words, (word) => changed(word, pluralize.singular(word))),
    nounForms: tableOf(words, nounForms),
    baseForms: tableOf(words, (word) => [
      ...nounForms(word),
      ...morphology.possibleBaseForms(word, 'verb'),
      ...morphology.possibleBaseForms(word, 'adjective'),
    ]),
    spelledOut: tableOf(words, (word) => changed(word, morphology.expandAbbreviations(word))),
  };
}

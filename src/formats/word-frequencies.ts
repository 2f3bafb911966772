import { readFileSync } from 'node:fs';
import type { LanguageWords } from '../schema/identifiers/column-words.js';
import { packagePath } from '../package-path.js';

const FILE = 'data/word-frequencies/words.txt';

let embedded: LanguageWords | null = null;

/** The words that ship with the package, most frequent first (data/word-frequencies); read at the first call, 0.8 MB. */
export function wordFrequencies(): LanguageWords {
  return (embedded ??= parseWordFrequencies(readFileSync(packagePath(FILE), 'utf8')));
}

/**
 * Word lists, a word a line, parted by empty lines: a dictionary's by frequency, its rare ones, and words that are in no
 * dictionary (names, mostly), which are not split, but no part of another name either.
 */
function parseWordFrequencies(text: string): LanguageWords {
  const [frequent = [], rare = [], foreign = []] = text.split('\n\n').map((list) => list.trim().split('\n'));
  const ranks = new Map(frequent.map((word, rank) => [word, rank]));
  const [rareWords, names] = [new Set(rare), new Set(foreign)];
  return {
    rank: (word) => ranks.get(word) ?? (rareWords.has(word) ? frequent.length : null),
    isWord: (word) => ranks.has(word) || rareWords.has(word) || names.has(word),
  };
}

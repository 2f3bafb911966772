import { itemAt } from '../present.js';
import { z } from 'zod';
import { PackagedPart, partManifest } from '../inference/packaged-part.js';
import { packagePath } from '../package-path.js';

/** Reads whole numbers of seven bits a byte, the lowest first. */
class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next number. @throws RangeError at the end of the bytes */
  next(): number {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the n-grams end too early');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

/** Discounts of counts 1, 2, and 3 and more. */
type Discounts = readonly [number, number, number];

/** N-grams of one length by context: the words that follow it, with their counts. */
class Level {
  readonly #discounts: Discounts;
  readonly #words: number[] = [];
  readonly #counts: number[] = [];
  /** Where the words of each context start; one more at the end. */
  readonly #starts: number[] = [0];
  readonly #totals: number[] = [];
  /** The share of probability that each context leaves to the shorter one. */
  readonly #left: number[] = [];

  constructor(discounts: Discounts) {
    this.#discounts = discounts;
  }

  /** Reads the next context; `below` is told each of its words in turn. */
  read(reader: VarintReader, below: () => void): void {
    const size = reader.next();
    const total = size === 0 ? 0 : reader.next();
    let taken = 0;
    let word = 0;
    for (let i = 0; i < size; i++) {
      word += reader.next();
      const count = reader.next();
      this.#words.push(word);
      this.#counts.push(count);
      taken += count - this.#discountOf(count);
      below();
    }
    this.#starts.push(this.#words.length);
    this.#totals.push(total);
    this.#left.push(size === 0 ? 1 : 1 - taken / total);
  }

  /** Position of a word after a context, -1 where it was not seen there. */
  find(context: number, word: number): number {
    let [low, high] = [itemAt(this.#starts, context), itemAt(this.#starts, context + 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (itemAt(this.#words, middle) < word) low = middle + 1;
      else high = middle;
    }
    return low < itemAt(this.#starts, context + 1) && this.#words[low] === word ? low : -1;
  }

  /** P(word | context), given what the shorter context says. */
  probability(context: number, word: number, shorter: number): number {
    const found = this.find(context, word);
    const count = found === -1 ? 0 : itemAt(this.#counts, found);
    const own = count === 0 ? 0 : (count - this.#discountOf(count)) / itemAt(this.#totals, context);
    return own + itemAt(this.#left, context) * shorter;
  }

  #discountOf(count: number): number {
    return itemAt(this.#discounts, Math.min(count, 3) - 1);
  }
}

/**
 * Trigrams with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998), as training/fluency_model.py wrote
 * them.
 */
class NGramTree {
  readonly #size: number;
  readonly #unigrams: Level;
  readonly #bigrams: Level;
  readonly #trigrams: Level;

  /** @throws RangeError where the n-grams end too early */
  constructor(reader: VarintReader, size: number, discounts: readonly [Discounts, Discounts, Discounts]) {
    this.#size = size;
    const [unigrams, bigrams, trigrams] = discounts.map((own) => new Level(own)) as [Level, Level, Level];
    unigrams.read(reader, () => undefined);
    for (let word = 0; word < size; word++) {
      bigrams.read(reader, () => trigrams.read(reader, () => undefined));
    }
    [this.#unigrams, this.#bigrams, this.#trigrams] = [unigrams, bigrams, trigrams];
  }

  /** P(word | before, last), above 0; over all words but a sentence's start it sums to 1. */
  probability(before: number, last: number, word: number): number {
    // Every word but a sentence's start can come.
    const one = this.#unigrams.probability(0, word, 1 / (this.#size - 1));
    const two = this.#bigrams.probability(last, word, one);
    const context = this.#bigrams.find(before, last);
    return context === -1 ? two : this.#trigrams.probability(context, word, two);
  }
}

/** Tokens that stand for any quoted value and any number: what is asked for does not count, how it is asked does. */
const VALUE = '<value>';
const NUMBER = '<number>';
const TOKEN = /(?<quoted>"[^"]*")|(?<number>\d+(?:[.,]\d+)*)|\p{L}+(?:['’]\p{L}+)?|\S/gu;

/** Words in small letters and single signs, as training/fluency_model.py takes texts apart. */
export function fluencyTokens(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(TOKEN)].map(({ 0: token, groups }) => {
    if (groups?.['quoted'] !== undefined) return VALUE;
    return groups?.['number'] !== undefined ? NUMBER : token.replace('’', "'");
  });
}

const FILE = 'fluency.bin';
const MAGIC = 'PQLM';
const VERSION = 1;
/** Bytes before the header: magic, version, lengths of header and vocabulary. */
const PREAMBLE = 16;
/** The first words of the vocabulary; the third, a sentence's end, is predicted but not scored. */
const [UNKNOWN, START] = [0, 1];
/** Symbols of the letter model besides a to z. */
const [OTHER_LETTER, WORD_END] = [26, 27];
/** Surprises that are kept, at some 40 bytes each. */
const MOST_KNOWN = 100_000;

const manifestSchema = partManifest('fluency', [FILE]);
const discountsSchema = z.tuple([z.number(), z.number(), z.number()]);
const levelsSchema = z.tuple([discountsSchema, discountsSchema, discountsSchema]);
const headerSchema = z.object({
  /** Weight of the first model of two. */
  weight: z.number().min(0).max(1),
  discounts: z.tuple([levelsSchema, levelsSchema]),
  letters: z.array(z.array(z.number().positive()).length(WORD_END + 1)).length(WORD_END + 1),
});
type Header = z.infer<typeof headerSchema>;

/** Folder of the model that ships with the package. */
export function embeddedFluencyFolder(): string {
  return packagePath('models/fluency');
}

const partOf = (folder: string): PackagedPart => new PackagedPart('the fluency model', folder);

/** Reads a fluency model's manifest. @throws ModelFileError when the folder has no manifest, or another model's */
export function readFluencyManifest(folder = embeddedFluencyFolder()): z.infer<typeof manifestSchema> {
  return partOf(folder).manifest(manifestSchema);
}

/** Logarithms of the probability of a symbol after another. */
function letterTable(counts: Header['letters']): number[][] {
  return counts.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => Math.log(count / total));
  });
}

function symbolOf(letter: string): number {
  return letter >= 'a' && letter <= 'z' ? letter.charCodeAt(0) - 97 : OTHER_LETTER;
}

/**
 * Says how fluent a question is: f = 1/(1+H), H the mean surprise of its tokens (MT-TEQL preprint §4.1, equations 1 and
 * 2).
 */
export class FluencyModel {
  /** "perturbql-fluency v1". */
  readonly name: string;
  /** sha256 of the model's file. */
  readonly fingerprint: string;
  readonly #ids: ReadonlyMap<string, number>;
  readonly #models: readonly [NGramTree, NGramTree];
  readonly #weight: number;
  readonly #letters: readonly (readonly number[])[];
  /** Surprises by the numbers of three words as one number, below 2^53 for any vocabulary of 200,000 words. */
  readonly #known = new Map<number, number>();

  private constructor(bytes: Buffer, name: string, fingerprint: string) {
    const [version, headerLength, vocabularyLength] = [4, 8, 12].map((at) => bytes.readUInt32LE(at)) as [
      number,
      number,
      number,
    ];
    if (bytes.toString('latin1', 0, 4) !== MAGIC || version !== VERSION) throw new RangeError('not a fluency model');
    const vocabularyAt = PREAMBLE + headerLength;
    const header = headerSchema.parse(JSON.parse(bytes.toString('utf8', PREAMBLE, vocabularyAt)));
    const words = bytes.toString('utf8', vocabularyAt, vocabularyAt + vocabularyLength).split('\n');
    const reader = new VarintReader(bytes.subarray(vocabularyAt + vocabularyLength));
    const [first, second] = header.discounts;
    this.name = name;
    this.fingerprint = fingerprint;
    this.#models = [new NGramTree(reader, words.length, first), new NGramTree(reader, words.length, second)];
    if (!reader.isAtEnd) throw new RangeError('there is something behind the n-grams');
    this.#ids = new Map(words.map((word, id) => [word, id]));
    this.#weight = header.weight;
    this.#letters = letterTable(header.letters);
  }

  /** @throws ModelFileError when the folder holds no fluency model, or not the one its manifest describes */
  static open(folder = embeddedFluencyFolder()): FluencyModel {
    const { name, revision, files } = readFluencyManifest(folder);
    const { sha256 } = files[FILE];
    return partOf(folder).file(FILE, { sha256 }, (bytes) => new FluencyModel(bytes, `${name} ${revision}`, sha256));
  }

  /** Fluency of a text, above 0 and below 1, the higher the more fluent; 0 for an empty one. */
  score(text: string): number {
    const surprises = this.surprises(text);
    const sum = surprises.reduce((total, surprise) => total + surprise, 0);
    return surprises.length === 0 ? 0 : 1 / (1 + sum / surprises.length);
  }

  /** −log P of each token after those before it, in nats. */
  surprises(text: string): readonly number[] {
    const tokens = fluencyTokens(text);
    let [before, last] = [START, START];
    return tokens.map((token) => {
      const word = this.#ids.get(token) ?? UNKNOWN;
      const spelled = word === UNKNOWN ? this.#logSpelling(token) : 0;
      const surprise = this.#surpriseOf(before, last, word) - spelled;
      [before, last] = [last, word];
      return surprise;
    });
  }

  /** −log P(word | the two before it): texts made of one another's parts ask for the same again and again. */
  #surpriseOf(before: number, last: number, word: number): number {
    const key = (before * this.size + last) * this.size + word;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const surprise = -Math.log(this.probability(before, last, word));
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, surprise);
    return surprise;
  }

  /** Number of words of the vocabulary; word 1 is a sentence's start, which is never predicted. */
  get size(): number {
    return this.#ids.size;
  }

  /** P(word | the two before it) by their numbers in the vocabulary; word 0 is any unknown one. */
  probability(before: number, last: number, word: number): number {
    const [first, second] = this.#models.map((model) => model.probability(before, last, word)) as [number, number];
    return this.#weight * first + (1 - this.#weight) * second;
  }

  #logSpelling(word: string): number {
    const symbols = [...Array.from(word, symbolOf), WORD_END];
    return symbols.reduce(
      (sum, symbol, i) => sum + itemAt(itemAt(this.#letters, symbols[i - 1] ?? WORD_END), symbol),
      0,
    );
  }
}

import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { elementAt } from '../present.js';
import type { EntailmentPair, EntailmentScore } from '../stage.js';
import { writeDurably } from './durable-file.js';
import { KEY_BYTES, keyOf, scoresOf } from './score-key.js';

/** Entailment, neutral, contradiction and the logit as doubles. */
const VALUES = 4;
const RECORD_BYTES = KEY_BYTES + VALUES * Float64Array.BYTES_PER_ELEMENT;
/** Bytes of a key that are in memory: as many as a double holds exactly. */
const PREFIX_BYTES = 6;
const CHECK_BYTES = 32;
/** Scores in a file: a few seconds of work, as the cache of a shard writes them. */
const PUBLISH_EVERY = 512;
/** Milliseconds between two looks into the folder at least, and how many times as long as a look takes. */
const LOOK_EVERY = { least: 1000, times: 20 } as const;
const ENDING = '.bin';

function encode(key: Buffer, score: EntailmentScore): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  key.copy(record);
  const values = [score.entailment, score.neutral, score.contradiction, score.entailmentLogit];
  values.forEach((value, i) => record.writeDoubleLE(value, KEY_BYTES + i * Float64Array.BYTES_PER_ELEMENT));
  return record;
}

function decode(record: Buffer): EntailmentScore {
  const at = (i: number): number => record.readDoubleLE(KEY_BYTES + i * Float64Array.BYTES_PER_ELEMENT);
  return { entailment: at(0), neutral: at(1), contradiction: at(2), entailmentLogit: at(3) };
}

const checkOf = (records: Uint8Array): Buffer => createHash('sha256').update(records).digest();
const prefixOf = (key: Buffer, offset = 0): number => key.readUIntBE(offset, PREFIX_BYTES);

/** A file of scores, ordered by key. In memory are the beginnings of its keys alone. */
class PublishedScores {
  readonly #file: string;
  readonly #prefixes: Float64Array;

  /** @throws RangeError when the file is cut or damaged */
  constructor(file: string) {
    const bytes = readFileSync(file);
    const records = bytes.subarray(0, Math.max(0, bytes.length - CHECK_BYTES));
    if (records.length % RECORD_BYTES !== 0 || !checkOf(records).equals(bytes.subarray(records.length))) {
      throw new RangeError(`${file} is damaged`);
    }
    this.#file = file;
    this.#prefixes = Float64Array.from({ length: records.length / RECORD_BYTES }, (_, i) =>
      prefixOf(records, i * RECORD_BYTES),
    );
  }

  get(key: Buffer): EntailmentScore | null {
    const prefix = prefixOf(key);
    for (let i = this.#firstFrom(prefix); this.#prefixes[i] === prefix; i++) {
      const record = this.#read(i);
      if (record.subarray(0, KEY_BYTES).equals(key)) return decode(record);
    }
    return null;
  }

  /** Place of the first prefix that is not lower. */
  #firstFrom(prefix: number): number {
    let [low, high] = [0, this.#prefixes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (elementAt(this.#prefixes, middle) < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #read(index: number): Buffer {
    const record = Buffer.alloc(RECORD_BYTES);
    const handle = openSync(this.#file, 'r');
    try {
      readSync(handle, record, 0, RECORD_BYTES, index * RECORD_BYTES);
    } finally {
      closeSync(handle);
    }
    return record;
  }
}

/**
 * Scores that the shards of a run give one another while they work, in a folder that all of them see. Each writes files
 * of its own, whole or not at all, which nobody changes after: no locks are needed, so a network file system will do. What
 * can't be read is as if it were not there. At an error of the folder, the exchange is given up with one warning: a
 * score that is lacking is only made again.
 */
export class ScoreExchange {
  readonly #folder: string;
  readonly #model: string;
  readonly #own: string;
  readonly #warn: (message: string) => void;
  /** By file; null = it can't be used. */
  readonly #published = new Map<string, PublishedScores | null>();
  #pending: Buffer[] = [];
  #next: number;
  #lookAgain = 0;
  #givenUp = false;

  /** `shard` names what this process writes. */
  constructor(folder: string, modelFingerprint: string, shard: string, warn: (message: string) => void) {
    this.#folder = folder;
    this.#model = `${scoresOf(modelFingerprint)}.`;
    this.#own = `${this.#model}${shard}.`;
    this.#warn = warn;
    this.#next = this.#attempt(() => this.#numberBehindOwn()) ?? 0;
  }

  /** A score that another shard has published. */
  get(pair: EntailmentPair): EntailmentScore | null {
    return this.#attempt(() => this.#find(keyOf(pair))) ?? null;
  }

  put(pair: EntailmentPair, score: EntailmentScore): void {
    if (this.#givenUp) return;
    this.#pending.push(encode(keyOf(pair), score));
    if (this.#pending.length >= PUBLISH_EVERY) this.#publish();
  }

  close(): void {
    if (this.#pending.length > 0) this.#publish();
  }

  #names(): readonly string[] {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    return names.filter((name) => name.startsWith(this.#model) && name.endsWith(ENDING));
  }

  /** A shard that goes on does not write over what it has published. */
  #numberBehindOwn(): number {
    const own = this.#names().filter((name) => name.startsWith(this.#own));
    return Math.max(-1, ...own.map((name) => Number(name.slice(this.#own.length, -ENDING.length)))) + 1;
  }

  #find(key: Buffer): EntailmentScore | null {
    this.#look();
    for (const scores of this.#published.values()) {
      const score = scores?.get(key) ?? null;
      if (score !== null) return score;
    }
    return null;
  }

  /** Takes in what others have published since, now and then. */
  #look(): void {
    const begun = performance.now();
    if (begun < this.#lookAgain) return;
    for (const name of this.#names()) {
      if (name.startsWith(this.#own) || this.#published.has(name)) continue;
      this.#published.set(name, openPublished(join(this.#folder, name)));
    }
    const end = performance.now();
    this.#lookAgain = end + Math.max(LOOK_EVERY.least, LOOK_EVERY.times * (end - begun));
  }

  #publish(): void {
    this.#attempt(() => {
      const records = Buffer.concat(this.#pending.sort(Buffer.compare));
      writeDurably(join(this.#folder, `${this.#own}${this.#next}${ENDING}`), [records, checkOf(records)]);
      this.#next++;
    });
    this.#pending = [];
  }

  #attempt<T>(use: () => T): T | undefined {
    if (this.#givenUp) return undefined;
    try {
      return use();
    } catch (error) {
      this.#givenUp = true;
      this.#published.clear();
      this.#warn(`scores are not shared between shards, ${this.#folder} can't be used: ${String(error)}`);
      return undefined;
    }
  }
}

function openPublished(file: string): PublishedScores | null {
  try {
    return new PublishedScores(file);
  } catch {
    return null;
  }
}

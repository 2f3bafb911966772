import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { elementAt } from '../present.js';
import { writeDurably } from './durable-file.js';
import { type Shard, shardName } from './shard.js';

/** In the folder of a run: what its shards exchange. */
const EXCHANGE = '.exchange';

/** Bytes of a key. */
export const KEY_BYTES = 16;
/** Bytes of a key that are in memory: as many as a double holds exactly. */
const PREFIX_BYTES = 6;
const CHECK_BYTES = 32;
/** Milliseconds between two looks into the folder at least, and how many times as long as a look takes. */
const LOOK_EVERY = { least: 1000, times: 20 } as const;
const ENDING = '.bin';

/** What is exchanged. */
export interface ExchangedValues<V> {
  /** How their files' names begin: what they are, and what they depend on besides their keys. */
  readonly name: string;
  /** Of one value. */
  readonly bytes: number;
  /** Values in a file: a few seconds of work. */
  readonly publishEvery: number;
  readonly encode: (value: V) => Uint8Array;
  /** Of `bytes` bytes. */
  readonly decode: (bytes: Buffer) => V;
}

const checkOf = (records: Uint8Array): Buffer => createHash('sha256').update(records).digest();
const prefixOf = (key: Buffer, offset = 0): number => key.readUIntBE(offset, PREFIX_BYTES);

/** A file of keys with their values, ordered by key. In memory are the beginnings of its keys alone. */
class PublishedFile {
  readonly #file: string;
  readonly #recordBytes: number;
  readonly #prefixes: Float64Array;

  /** @throws RangeError when the file is cut or damaged */
  constructor(file: string, valueBytes: number) {
    this.#recordBytes = KEY_BYTES + valueBytes;
    const bytes = readFileSync(file);
    const records = bytes.subarray(0, Math.max(0, bytes.length - CHECK_BYTES));
    if (records.length % this.#recordBytes !== 0 || !checkOf(records).equals(bytes.subarray(records.length))) {
      throw new RangeError(`${file} is damaged`);
    }
    this.#file = file;
    this.#prefixes = Float64Array.from({ length: records.length / this.#recordBytes }, (_, i) =>
      prefixOf(records, i * this.#recordBytes),
    );
  }

  /** The bytes of a key's value; null where it is not there. */
  get(key: Buffer): Buffer | null {
    const prefix = prefixOf(key);
    for (let i = this.#firstFrom(prefix); this.#prefixes[i] === prefix; i++) {
      const record = this.#read(i);
      if (record.subarray(0, KEY_BYTES).equals(key)) return record.subarray(KEY_BYTES);
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
    const record = Buffer.alloc(this.#recordBytes);
    const handle = openSync(this.#file, 'r');
    try {
      readSync(handle, record, 0, record.length, index * record.length);
    } finally {
      closeSync(handle);
    }
    return record;
  }
}

/**
 * What the shards of a run compute and give one another while they work, in a folder that all of them see. Each writes
 * files of its own, whole or not at all, which nobody changes after: no locks are needed, so a network file system will
 * do. What can't be read is as if it were not there. At an error of the folder, the exchange is given up with one
 * warning: what is lacking is only computed again.
 */
export class ShardExchange<V> {
  readonly #folder: string;
  readonly #values: ExchangedValues<V>;
  readonly #own: string;
  readonly #warn: (message: string) => void;
  /** By file; null = it can't be used. */
  readonly #published = new Map<string, PublishedFile | null>();
  #pending: Buffer[] = [];
  #next: number;
  #lookAgain = 0;
  #givenUp = false;

  /** `shard` names what this process writes. */
  constructor(folder: string, values: ExchangedValues<V>, shard: string, warn: (message: string) => void) {
    this.#folder = folder;
    this.#values = values;
    this.#own = `${values.name}.${shard}.`;
    this.#warn = warn;
    this.#next = this.#attempt(() => this.#numberBehindOwn()) ?? 0;
  }

  /** A value that another shard has published. */
  get(key: Buffer): V | null {
    return this.#attempt(() => this.#find(key)) ?? null;
  }

  put(key: Buffer, value: V): void {
    if (this.#givenUp) return;
    this.#pending.push(Buffer.concat([key, this.#values.encode(value)]));
    if (this.#pending.length >= this.#values.publishEvery) this.#publish();
  }

  close(): void {
    if (this.#pending.length > 0) this.#publish();
  }

  #names(): readonly string[] {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    return names.filter((name) => name.startsWith(`${this.#values.name}.`) && name.endsWith(ENDING));
  }

  /** A shard that goes on does not write over what it has published. */
  #numberBehindOwn(): number {
    const own = this.#names().filter((name) => name.startsWith(this.#own));
    return Math.max(-1, ...own.map((name) => Number(name.slice(this.#own.length, -ENDING.length)))) + 1;
  }

  #find(key: Buffer): V | null {
    this.#look();
    for (const file of this.#published.values()) {
      const bytes = file?.get(key) ?? null;
      if (bytes !== null) return this.#values.decode(bytes);
    }
    return null;
  }

  /** Takes in what others have published since, now and then. */
  #look(): void {
    const begun = performance.now();
    if (begun < this.#lookAgain) return;
    for (const name of this.#names()) {
      if (name.startsWith(this.#own) || this.#published.has(name)) continue;
      this.#published.set(name, openPublished(join(this.#folder, name), this.#values.bytes));
    }
    const end = performance.now();
    this.#lookAgain = end + Math.max(LOOK_EVERY.least, LOOK_EVERY.times * (end - begun));
  }

  #publish(): void {
    this.#attempt(() => {
      const records = Buffer.concat(this.#pending.sort((a, b) => Buffer.compare(a, b)));
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
      this.#warn(`shards exchange no ${this.#values.name}, ${this.#folder} can't be used: ${String(error)}`);
      return undefined;
    }
  }
}

function openPublished(file: string, valueBytes: number): PublishedFile | null {
  try {
    return new PublishedFile(file, valueBytes);
  } catch {
    return null;
  }
}

/**
 * The exchange of a shard whose folder is in that of its run, named as shards are; null for another, or where there
 * are no others to exchange with.
 */
export function openShardExchange<V>(
  { out, shard }: { readonly out: string; readonly shard: Shard },
  values: ExchangedValues<V>,
  warn: (message: string) => void,
): ShardExchange<V> | null {
  const name = shardName(shard);
  if (shard.count === 1 || basename(out) !== name) return null;
  return new ShardExchange(join(dirname(out), EXCHANGE), values, name, warn);
}

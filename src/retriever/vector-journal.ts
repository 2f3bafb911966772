import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const KEY_BYTES = 16;
const CHECK_BYTES = 4;
const VECTOR_AT = KEY_BYTES + CHECK_BYTES;
const RECORDS_PER_READ = 2048;

/**
 * Vectors that a build has already computed, in a file that is only appended to, so that a build killed at any moment
 * goes on where it was. A record is found by what its vector depends on (encoder and text), not by its place, so
 * a changed corpus or another encoder can not pick up a wrong vector. Torn or damaged records are ignored.
 */
export class VectorJournal {
  readonly #file: FileHandle;
  readonly #dimension: number;
  readonly #encoder: string;
  readonly #offsets: Map<string, number>;
  #length: number;

  private constructor(
    file: FileHandle,
    dimension: number,
    encoder: string,
    offsets: Map<string, number>,
    length: number,
  ) {
    this.#file = file;
    this.#dimension = dimension;
    this.#encoder = encoder;
    this.#offsets = offsets;
    this.#length = length;
  }

  /** Opens or creates a journal; `encoder` is the fingerprint of what computes the vectors. */
  static async open(path: string, dimension: number, encoder: string): Promise<VectorJournal> {
    const file = await open(path, 'a+');
    const size = VECTOR_AT + dimension;
    const { size: bytes } = await file.stat();
    const count = Math.floor(bytes / size);
    // A torn last record must go before the next one is appended, or all that follow would be out of step.
    if (bytes !== count * size) await file.truncate(count * size);
    const offsets = await readOffsets(file, size);
    return new VectorJournal(file, dimension, encoder, offsets, count * size);
  }

  /** Number of vectors that can be found. */
  get size(): number {
    return this.#offsets.size;
  }

  /** The stored int8 vector of a text, or null. */
  async find(text: string): Promise<Int8Array | null> {
    const offset = this.#offsets.get(this.#key(text).toString('latin1'));
    if (offset === undefined) return null;
    const vector = new Int8Array(this.#dimension);
    await this.#file.read(vector, 0, this.#dimension, offset);
    return vector;
  }

  /** Appends vectors and waits until they are on the disk. */
  async append(records: readonly { readonly text: string; readonly vector: Int8Array }[]): Promise<void> {
    const parts: Buffer[] = [];
    for (const { text, vector } of records) {
      const key = this.#key(text);
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.length);
      this.#offsets.set(key.toString('latin1'), this.#length + VECTOR_AT);
      this.#length += VECTOR_AT + bytes.length;
      parts.push(key, checkOf(key, bytes), bytes);
    }
    await this.#file.appendFile(Buffer.concat(parts));
    await this.#file.datasync();
  }

  /** Takes over the sound records of another journal, such as a shard's. */
  async absorb(path: string): Promise<void> {
    const file = await open(path, 'r');
    try {
      let parts: Buffer[] = [];
      for await (const { key, record } of soundRecords(file, VECTOR_AT + this.#dimension)) {
        if (this.#offsets.has(key)) continue;
        this.#offsets.set(key, this.#length + VECTOR_AT);
        this.#length += record.length;
        if (parts.push(Buffer.from(record)) < RECORDS_PER_READ) continue;
        await this.#file.appendFile(Buffer.concat(parts));
        parts = [];
      }
      await this.#file.appendFile(Buffer.concat(parts));
      await this.#file.datasync();
    } finally {
      await file.close();
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #key(text: string): Buffer {
    return createHash('sha256').update(`${this.#encoder}\0${text}`).digest().subarray(0, KEY_BYTES);
  }
}

interface SoundRecord {
  readonly key: string;
  readonly offset: number;
  readonly record: Buffer;
}

/** The whole records of a journal whose checksums hold. */
async function* soundRecords(file: FileHandle, size: number): AsyncGenerator<SoundRecord> {
  const count = Math.floor((await file.stat()).size / size);
  const block = Buffer.alloc(size * RECORDS_PER_READ);
  for (let first = 0; first < count; first += RECORDS_PER_READ) {
    const records = Math.min(RECORDS_PER_READ, count - first);
    await file.read(block, 0, records * size, first * size);
    for (let position = 0; position < records; position++) {
      const record = block.subarray(position * size, (position + 1) * size);
      const key = record.subarray(0, KEY_BYTES);
      const check = record.subarray(KEY_BYTES, VECTOR_AT);
      if (!checkOf(key, record.subarray(VECTOR_AT)).equals(check)) continue;
      yield { key: key.toString('latin1'), offset: (first + position) * size, record };
    }
  }
}

/** Offsets of the sound records' vectors by key. */
async function readOffsets(file: FileHandle, size: number): Promise<Map<string, number>> {
  const offsets = new Map<string, number>();
  for await (const { key, offset } of soundRecords(file, size)) offsets.set(key, offset + VECTOR_AT);
  return offsets;
}

function checkOf(key: Uint8Array, vector: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(vector).digest().subarray(0, CHECK_BYTES);
}

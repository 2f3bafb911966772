import { open } from 'node:fs/promises';
import { z } from 'zod';
import { formatCount } from '../counts.js';
import { ModelFileError } from '../errors.js';
import { sha256Of } from '../run/sha256.js';

/** First bytes of a compact vector file (`.pqv`). */
export const VECTOR_FILE_MAGIC = 'PQVEC\r\n\x1a';

/** Raised whenever the layout changes; an older or newer file is refused. */
export const VECTOR_FILE_VERSION = 1;

/** Magic (8 bytes), version (u32), length of the JSON header (u32); all integers little-endian. */
export const PREAMBLE_BYTES = 16;

/** The JSON header is padded with spaces so that the payload's 32-bit sections are aligned. */
export const HEADER_ALIGNMENT = 16;

/** A JSON header longer than this is taken for damage. */
const MAX_HEADER_BYTES = 65_536;

const wholeNumber = z.number().int().nonnegative();

/** The header of a compact vector file. */
const vectorFileHeaderSchema = z.strictObject({
  /** Name of the vectors, such as `retrofitted-glove`. */
  name: z.string().min(1),
  revision: z.string(),
  license: z.string(),
  dimension: wholeNumber.min(1).max(4096),
  count: wholeNumber.min(1),
  /**
   * The first so many terms are single words in order of frequency, most frequent first; 0 when the order means
   * nothing.
   */
  rankedCount: wholeNumber,
  /** Words of the longest term, 1 or more: bounds the n-gram search. */
  longestTerm: wholeNumber.min(1),
  /** Length of all terms in UTF-8. */
  termBytes: wholeNumber.min(1),
  /** SHA-256 of the payload (everything after the header), in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type VectorFileHeader = z.infer<typeof vectorFileHeaderSchema>;

/** Byte offsets of the payload's sections, from the payload's start. */
interface PayloadLayout {
  /** float32 `[count]`: scale of each term, 1 / norm of its int8 vector, so that scaled vectors have unit length. */
  readonly scales: number;
  /** uint32 `[count + 1]`: where each term starts in the term bytes. */
  readonly termOffsets: number;
  /** int8 `[count, dimension]`. */
  readonly vectors: number;
  /** UTF-8 terms, one after the other. */
  readonly terms: number;
  readonly end: number;
}

/** Where the sections of a payload of this size lie. */
function payloadLayout(size: Pick<VectorFileHeader, 'count' | 'dimension' | 'termBytes'>): PayloadLayout {
  const termOffsets = size.count * 4;
  const vectors = termOffsets + (size.count + 1) * 4;
  const terms = vectors + size.count * size.dimension;
  return { scales: 0, termOffsets, vectors, terms, end: terms + size.termBytes };
}

const EMPTY = 0;
const MAX_LOAD = 0.6;

function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5; // FNV-1a, 32 bits
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  // FNV's low bits are weak for short keys; the slots use the low bits.
  return (hash ^ (hash >>> 15)) >>> 0;
}

function slotsFor(count: number): number {
  let slots = 16;
  while (slots * MAX_LOAD < count) slots *= 2;
  return slots;
}

/**
 * Finds terms by their UTF-8 bytes with open addressing, making no string or object per term:
 * 60k terms are ready in milliseconds, 520k in well under a second.
 */
class TermTable {
  readonly #bytes: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #slots: Uint32Array;
  readonly #decoder = new TextDecoder();

  /** Takes views, not copies: `offsets` has one entry more than there are terms. */
  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#slots = new Uint32Array(slotsFor(this.count));
    for (let index = 0; index < this.count; index++) this.#insert(index);
  }

  get count(): number {
    return this.#offsets.length - 1;
  }

  /** The term at a position. @throws RangeError when there is none. */
  term(index: number): string {
    const end = this.#offsets[index + 1];
    const start = this.#offsets[index];
    if (start === undefined || end === undefined) throw new RangeError(`no term ${index} among ${this.count}`);
    return this.#decoder.decode(this.#bytes.subarray(start, end));
  }

  /** Position of a term, -1 when it is not there. */
  indexOf(term: string): number {
    const key = Buffer.from(term, 'utf8');
    const mask = this.#slots.length - 1;
    for (let slot = hashBytes(key, 0, key.length) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] as number;
      if (entry === EMPTY) return -1;
      if (this.#matches(entry - 1, key)) return entry - 1;
    }
  }

  #insert(index: number): void {
    const mask = this.#slots.length - 1;
    const hash = hashBytes(this.#bytes, this.#offsets[index] as number, this.#offsets[index + 1] as number);
    let slot = hash & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = index + 1;
  }

  #matches(index: number, key: Uint8Array): boolean {
    const start = this.#offsets[index] as number;
    if ((this.#offsets[index + 1] as number) - start !== key.length) return false;
    for (let at = 0; at < key.length; at++) if (this.#bytes[start + at] !== key[at]) return false;
    return true;
  }
}

const RESTORE_FIX =
  'Restore the file: reinstall perturbql for the embedded vectors, or convert your Numberbatch file again for your own.';

function damaged(path: string, message: string, cause?: unknown): ModelFileError {
  return new ModelFileError(message, { fix: RESTORE_FIX, where: { file: path }, cause });
}

/** Returns the error for a foreign file, told by its first bytes. */
function foreignFile(path: string, start: Buffer): ModelFileError {
  const where = { file: path };
  if (start.toString('latin1').startsWith('version https')) {
    return new ModelFileError('this is a Git LFS pointer, not the vectors', { fix: 'Run git lfs pull.', where });
  }
  if ((start[0] === 0x1f && start[1] === 0x8b) || /^\d+ \d+\s/.test(start.toString('latin1'))) {
    const fix = 'Convert it once into the compact form (convertNumberbatch) and give the converted file.';
    return new ModelFileError('this is a text or .gz vector file, not the compact form', { fix, where });
  }
  return damaged(path, 'not a compact vector file');
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      // An ArrayBuffer of its own: pooled buffers are not aligned for the 32-bit sections.
      const bytes = Buffer.from(new ArrayBuffer((await handle.stat()).size));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw damaged(path, 'the vector file cannot be read', cause);
  }
}

function parseHeader(path: string, text: string): VectorFileHeader {
  try {
    return vectorFileHeaderSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(path, 'the header of the vector file is damaged', cause);
  }
}

function readHeader(path: string, file: Buffer): { header: VectorFileHeader; payloadStart: number } {
  if (file.length < PREAMBLE_BYTES || file.toString('latin1', 0, 8) !== VECTOR_FILE_MAGIC) {
    throw foreignFile(path, file.subarray(0, 64));
  }
  const version = file.readUInt32LE(8);
  if (version !== VECTOR_FILE_VERSION) {
    throw damaged(path, `the vector file has format version ${version}, this release reads ${VECTOR_FILE_VERSION}`);
  }
  const payloadStart = PREAMBLE_BYTES + file.readUInt32LE(12);
  if (payloadStart > Math.min(file.length, MAX_HEADER_BYTES)) throw damaged(path, 'the vector file is truncated');
  return { header: parseHeader(path, file.toString('utf8', PREAMBLE_BYTES, payloadStart)), payloadStart };
}

function checkPayload(path: string, header: VectorFileHeader, payload: Buffer): void {
  const expected = payloadLayout(header).end;
  if (payload.length < expected) {
    throw damaged(
      path,
      `the vector file is truncated: ${formatCount(payload.length)} of ${formatCount(expected)} payload bytes`,
    );
  }
  if (payload.length > expected)
    throw damaged(path, `${payload.length - expected} bytes follow the end of the vectors`);
  const sha256 = sha256Of(payload);
  if (sha256 !== header.sha256) throw damaged(path, 'the vectors do not match the sha256 in their header');
}

/**
 * Word vectors in the compact form: int8 with one float32 scale per term, unit length after scaling.
 * Holds the file's bytes once and no object per term (Numberbatch, 520k × 300: about 180 MB).
 */
export class VectorFile {
  readonly header: VectorFileHeader;
  readonly #terms: TermTable;
  readonly #scales: Float32Array;
  readonly #vectors: Int8Array;

  private constructor(header: VectorFileHeader, payload: Buffer) {
    const { buffer, byteOffset } = payload;
    const layout = payloadLayout(header);
    this.header = header;
    this.#scales = new Float32Array(buffer, byteOffset + layout.scales, header.count);
    this.#vectors = new Int8Array(buffer, byteOffset + layout.vectors, header.count * header.dimension);
    const offsets = new Uint32Array(buffer, byteOffset + layout.termOffsets, header.count + 1);
    this.#terms = new TermTable(payload.subarray(layout.terms), offsets);
  }

  /**
   * Reads a compact file and checks its magic, version, length and sha256.
   * @throws ModelFileError when the file is missing, truncated, damaged or of another format.
   */
  static async open(path: string): Promise<VectorFile> {
    const file = await readWhole(path);
    const { header, payloadStart } = readHeader(path, file);
    const payload = file.subarray(payloadStart);
    checkPayload(path, header, payload);
    return new VectorFile(header, payload);
  }

  get name(): string {
    return this.header.name;
  }

  get dimension(): number {
    return this.header.dimension;
  }

  get count(): number {
    return this.header.count;
  }

  /** Position of a term in the file, -1 when it has no vector. Terms are lower case, words joined by `_`. */
  indexOf(term: string): number {
    return this.#terms.indexOf(term);
  }

  /** The term at a position. @throws RangeError when there is none. */
  term(index: number): string {
    return this.#terms.term(index);
  }

  /**
   * How common a single word is: 0 for the most frequent; null when the word is not among the ranked
   * ones (multi-word terms, unknown words, vectors whose file order means nothing).
   */
  frequencyRank(word: string): number | null {
    const index = this.#terms.indexOf(word.toLowerCase());
    return index >= 0 && index < this.header.rankedCount ? index : null;
  }

  /** Adds the unit vector of a term to `sum`, float `[dimension]`. */
  addTo(sum: Float64Array, index: number): void {
    const { dimension } = this.header;
    const scale = this.#scales[index] as number;
    const start = index * dimension;
    for (let at = 0; at < dimension; at++) {
      sum[at] = (sum[at] as number) + scale * (this.#vectors[start + at] as number);
    }
  }

  /** Cosines of a unit vector `[dimension]` with all terms, `[count]`, in file order; linear in count × dimension. */
  cosines(query: Float32Array): Float32Array {
    const { count, dimension } = this.header;
    const vectors = this.#vectors;
    const result = new Float32Array(count);
    for (let index = 0, start = 0; index < count; index++, start += dimension) {
      let dot = 0;
      for (let at = 0; at < dimension; at++) dot += (query[at] as number) * (vectors[start + at] as number);
      result[index] = dot * (this.#scales[index] as number);
    }
    return result;
  }
}

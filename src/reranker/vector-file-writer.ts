import { createHash } from 'node:crypto';
import { writeDurably } from '../run/durable-file.js';
import {
  HEADER_ALIGNMENT,
  PREAMBLE_BYTES,
  VECTOR_FILE_MAGIC,
  VECTOR_FILE_VERSION,
  type VectorFileHeader,
} from './vector-file.js';

const ROWS_PER_CHUNK = 4096;
const INT8_MAX = 127;

/** Name, revision and license of the vectors, and how many of the first terms are ranked by frequency. */
export type VectorFileInfo = Pick<VectorFileHeader, 'name' | 'revision' | 'license' | 'rankedCount'>;

/** Collects terms and vectors already quantized, so that memory is one byte per number. */
export class VectorFileWriter {
  readonly #dimension: number;
  readonly #chunks: Int8Array[] = [];
  readonly #scales: number[] = [];
  readonly #terms: string[] = [];
  readonly #seen = new Set<string>();

  constructor(dimension: number) {
    this.#dimension = dimension;
  }

  get count(): number {
    return this.#terms.length;
  }

  /**
   * Appends a term, of any length of vector but zero, quantized to int8 by its largest component.
   * @throws RangeError for a repeated or empty term, another dimension, a zero or not finite vector.
   */
  add(term: string, vector: ArrayLike<number>): void {
    if (term === '' || this.#seen.has(term)) throw new RangeError(`term '${term}' is empty or was added before`);
    if (vector.length !== this.#dimension) throw new RangeError(`'${term}' has ${vector.length} components`);
    const row = this.#nextRow();
    this.#scales.push(quantize(vector, row, term));
    this.#seen.add(term);
    this.#terms.push(term);
  }

  /**
   * Writes the file durably: temporary file next to the target, fsync, rename, fsync of the folder. Same content, same
   * bytes.
   */
  async write(path: string, info: VectorFileInfo): Promise<VectorFileHeader> {
    if (this.count === 0) throw new RangeError('a vector file needs at least one term');
    const sections = this.#sections();
    const header = this.#header(info, sections);
    writeDurably(path, [renderHeader(header), ...sections]);
    return header;
  }

  #nextRow(): Int8Array {
    const place = Math.floor(this.count / ROWS_PER_CHUNK);
    const inChunk = this.count % ROWS_PER_CHUNK;
    const chunk = (this.#chunks[place] ??= new Int8Array(ROWS_PER_CHUNK * this.#dimension));
    return chunk.subarray(inChunk * this.#dimension, (inChunk + 1) * this.#dimension);
  }

  #sections(): Uint8Array[] {
    const terms = this.#terms.map((term) => Buffer.from(term, 'utf8'));
    const offsets = new Uint32Array(this.count + 1);
    terms.forEach((term, index) => (offsets[index + 1] = (offsets[index] as number) + term.length));
    const vectors = this.#chunks.map((chunk, index) => {
      const rows = Math.min(ROWS_PER_CHUNK, this.count - index * ROWS_PER_CHUNK);
      return new Uint8Array(chunk.buffer, 0, rows * this.#dimension);
    });
    const scales = new Float32Array(this.#scales);
    return [new Uint8Array(scales.buffer), new Uint8Array(offsets.buffer), ...vectors, Buffer.concat(terms)];
  }

  #header(info: VectorFileInfo, sections: readonly Uint8Array[]): VectorFileHeader {
    const hash = createHash('sha256');
    for (const section of sections) hash.update(section);
    const { name, revision, license, rankedCount } = info;
    return {
      name,
      revision,
      license,
      dimension: this.#dimension,
      count: this.count,
      rankedCount,
      longestTerm: this.#terms.reduce((longest, term) => Math.max(longest, term.split('_').length), 1),
      termBytes: (sections.at(-1) as Uint8Array).length,
      sha256: hash.digest('hex'),
    };
  }
}

/** Fills `row` with int8 values and returns 1 / norm of them. */
function quantize(vector: ArrayLike<number>, row: Int8Array, term: string): number {
  let largest = 0;
  for (let at = 0; at < row.length; at++) largest = Math.max(largest, Math.abs(vector[at] as number));
  if (!(largest > 0 && Number.isFinite(largest))) throw new RangeError(`'${term}' has a zero or not finite vector`);
  let squares = 0;
  for (let at = 0; at < row.length; at++) {
    const value = Math.round(((vector[at] as number) / largest) * INT8_MAX);
    row[at] = value;
    squares += value * value;
  }
  return 1 / Math.sqrt(squares);
}

function renderHeader(header: VectorFileHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const unpadded = PREAMBLE_BYTES + json.length;
  const total = Math.ceil(unpadded / HEADER_ALIGNMENT) * HEADER_ALIGNMENT;
  const bytes = Buffer.alloc(total, ' ');
  bytes.write(VECTOR_FILE_MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(VECTOR_FILE_VERSION, 8);
  bytes.writeUInt32LE(total - PREAMBLE_BYTES, 12);
  json.copy(bytes, PREAMBLE_BYTES);
  return bytes;
}

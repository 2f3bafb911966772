import { formatCount } from '../counts.js';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputFormatError } from '../errors.js';
import type { VectorFileHeader } from './vector-file.js';
import { VectorFileWriter } from './vector-file-writer.js';

/** Longest line read: 300 numbers of 12 characters are under 4 kB; a binary file has no line ends at all. */
const MAX_LINE_CHARACTERS = 1_000_000;
const FORMAT_FIX =
  'Give a Numberbatch text file (plain or .gz): first line `count dimension`, then one `term v1 … vN` per line.';
const TRUNCATED_FIX = 'Download the file again: it is cut off or damaged.';
const ENGLISH_PREFIX = '/c/en/';

/** How many lines of each kind a Numberbatch file had. */
export interface NumberbatchCounts {
  /** Vectors that the first line promises; the file holds as many. */
  readonly total: number;
  readonly kept: number;
  /** Terms of other languages than English. */
  readonly otherLanguages: number;
  /** Vectors of nothing but zeros, which have no direction. */
  readonly zeroVectors: number;
  /** Terms that came a second time; the first is kept. */
  readonly repeated: number;
}

/** An English term with its vector. */
export interface NumberbatchEntry {
  /** Bare and lower case, words joined by `_`: `new_york`. */
  readonly term: string;
  /** Float `[dimension]`, not normalized. */
  readonly vector: Float64Array;
}

export interface ConvertOptions {
  readonly name: string;
  readonly revision: string;
  readonly license: string;
  readonly signal?: AbortSignal;
  /** Called now and then with the vectors read so far and the promised total. */
  readonly onProgress?: (done: number, total: number) => void;
}

type SkipReason = 'otherLanguages' | 'zeroVectors' | 'repeated';

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(2);
    await file.read(start, 0, 2, 0);
    return start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    await file.close();
  }
}

async function openText(path: string): Promise<Readable> {
  const zipped = await isGzip(path);
  const source = createReadStream(path, { highWaterMark: 1 << 18 });
  if (!zipped) return source.setEncoding('utf8');
  const unzipped = createGunzip();
  // The callback is there because pipeline wants one; an error reaches the reader of `unzipped`.
  pipeline(source, unzipped, () => undefined);
  return unzipped.setEncoding('utf8');
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const text = await openText(path);
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = (rest + (chunk as string)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > MAX_LINE_CHARACTERS) {
        throw new InputFormatError('a line has no end', { fix: FORMAT_FIX, where: { file: path } });
      }
    }
  } finally {
    if (!text.closed) {
      text.destroy();
      await once(text, 'close');
    }
  }
  if (rest !== '') yield rest;
}

function readFailure(path: string, line: number, cause: unknown): InputFormatError {
  if (cause instanceof InputFormatError) return cause;
  const ofDisk = cause instanceof Error && 'syscall' in cause;
  return new InputFormatError('the vector file cannot be read', {
    fix: ofDisk ? 'Check the path and its permissions.' : TRUNCATED_FIX,
    where: ofDisk ? { file: path } : { file: path, line },
    cause,
  });
}

/** The English term of a line's first field, null for another language. */
function englishTerm(field: string): string | null {
  if (field.startsWith(ENGLISH_PREFIX)) return (field.slice(ENGLISH_PREFIX.length).split('/')[0] ?? '').toLowerCase();
  return /^\/c\/[a-z-]+\//.test(field) ? null : field.toLowerCase();
}

/** Streams the English vectors of a Numberbatch text file; what it skips is counted in `counts`. */
export class NumberbatchReader {
  readonly #path: string;
  #line = 0;
  #total = 0;
  #dimension = 0;
  #read = 0;
  #kept = 0;
  readonly #seen = new Set<string>();
  readonly #skipped: Record<SkipReason, number> = { otherLanguages: 0, zeroVectors: 0, repeated: 0 };

  constructor(path: string) {
    this.#path = path;
  }

  /** Components of each vector; 0 before the first line is read. */
  get dimension(): number {
    return this.#dimension;
  }

  /** Vectors read so far, kept or not. */
  get read(): number {
    return this.#read;
  }

  get counts(): NumberbatchCounts {
    return { total: this.#total, kept: this.#kept, ...this.#skipped };
  }

  /**
   * Reads from the start; call it once.
   * @throws InputFormatError with file and line when the file cannot be read, the first line is not `count dimension`,
   * a line holds another number of components or a value that is no finite number, or lines are missing or too many.
   */
  async *entries(): AsyncGenerator<NumberbatchEntry> {
    try {
      for await (const line of linesOf(this.#path)) {
        this.#line++;
        const entry = this.#take(line.endsWith('\r') ? line.slice(0, -1) : line);
        if (entry !== null) yield entry;
      }
    } catch (error) {
      throw readFailure(this.#path, this.#line + 1, error);
    }
    if (this.#line === 0) throw this.#fault('the vector file is empty');
    if (this.#read < this.#total) {
      throw this.#fault(
        `the first line promises ${formatCount(this.#total)} vectors, the file ends after ${formatCount(this.#read)}`,
        TRUNCATED_FIX,
      );
    }
  }

  #take(line: string): NumberbatchEntry | null {
    if (this.#line === 1) return this.#takeHeader(line);
    if (line.trim() === '') return null;
    if (++this.#read > this.#total)
      throw this.#fault(`more vectors than the ${formatCount(this.#total)} of the first line`);
    const fields = line.trimEnd().split(' ');
    if (fields.length !== this.#dimension + 1 || fields[0] === '') {
      throw this.#fault(`expected a term and ${this.#dimension} numbers, found ${fields.length - 1} after the term`);
    }
    const term = englishTerm(fields[0] as string);
    if (term === null) return this.#skip('otherLanguages');
    if (term === '') throw this.#fault('the term is empty');
    if (this.#seen.has(term)) return this.#skip('repeated');
    return this.#keep(term, fields);
  }

  #takeHeader(line: string): null {
    const match = /^(\d+) (\d+)\s*$/.exec(line.replace(/^\uFEFF/, ''));
    this.#total = Number(match?.[1] ?? 0);
    this.#dimension = Number(match?.[2] ?? 0);
    if (this.#total < 1 || this.#dimension < 1) throw this.#fault('the first line is not `count dimension`');
    return null;
  }

  #keep(term: string, fields: readonly string[]): NumberbatchEntry | null {
    const vector = new Float64Array(this.#dimension);
    let largest = 0;
    for (let at = 0; at < vector.length; at++) {
      const field = fields[at + 1] as string;
      const value = field === '' ? Number.NaN : Number(field);
      if (!Number.isFinite(value)) throw this.#fault(`component ${at + 1} of '${term}' is not a number: '${field}'`);
      vector[at] = value;
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest === 0) return this.#skip('zeroVectors');
    this.#seen.add(term);
    this.#kept++;
    return { term, vector };
  }

  #skip(reason: SkipReason): null {
    this.#skipped[reason]++;
    return null;
  }

  #fault(message: string, fix = FORMAT_FIX): InputFormatError {
    return new InputFormatError(message, { fix, where: { file: this.#path, line: Math.max(1, this.#line) } });
  }
}

/**
 * Writes the English vectors of a Numberbatch text file in the compact form, once and durably; nothing is left behind when it
 * fails. Numberbatch is in alphabetical order, so that its terms have no frequency rank.
 * @throws InputFormatError as {@link NumberbatchReader.entries}, and when no English term is in the file.
 */
export async function convertNumberbatch(
  sourcePath: string,
  targetPath: string,
  options: ConvertOptions,
): Promise<{ readonly header: VectorFileHeader; readonly counts: NumberbatchCounts }> {
  const reader = new NumberbatchReader(sourcePath);
  let writer: VectorFileWriter | null = null;
  for await (const { term, vector } of reader.entries()) {
    options.signal?.throwIfAborted();
    writer ??= new VectorFileWriter(reader.dimension);
    writer.add(term, vector);
    if (writer.count % 10_000 === 0) options.onProgress?.(reader.read, reader.counts.total);
  }
  if (writer === null) {
    const fix = 'Give the English or the multilingual Numberbatch file.';
    throw new InputFormatError('no English term in the vector file', { fix, where: { file: sourcePath } });
  }
  options.onProgress?.(reader.read, reader.counts.total);
  const { name, revision, license } = options;
  const header = await writer.write(targetPath, { name, revision, license, rankedCount: 0 });
  return { header, counts: reader.counts };
}

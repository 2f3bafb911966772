import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileSha256 } from '../../run/sha256.js';

/** Bytes by whose beginning a hub decides how a file is stored. */
const SAMPLE_BYTES = 512;

/** A file that is to be uploaded. */
export class LocalFile {
  /** In the repository. */
  readonly path: string;
  readonly bytes: number;
  readonly #file: string;
  #sha256: string | null = null;

  constructor(folder: string, path: string) {
    this.path = path;
    this.#file = join(folder, path);
    this.bytes = statSync(this.#file).size;
  }

  /** In hex. */
  get sha256(): string {
    return (this.#sha256 ??= fileSha256(this.#file));
  }

  /** SHA-1 of it as a git blob, in hex. */
  get gitBlob(): string {
    const content = readFileSync(this.#file);
    return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  }

  /** Its beginning, in base64. */
  get sample(): string {
    const handle = openSync(this.#file, 'r');
    try {
      const sample = Buffer.alloc(SAMPLE_BYTES);
      return sample.subarray(0, readSync(handle, sample, 0, SAMPLE_BYTES, 0)).toString('base64');
    } finally {
      closeSync(handle);
    }
  }

  get base64(): string {
    return readFileSync(this.#file, 'base64');
  }

  /** Its bytes from `start` on, `length` at most. */
  open(start = 0, length = this.bytes - start): Readable {
    return createReadStream(this.#file, { start, end: start + length - 1 });
  }
}

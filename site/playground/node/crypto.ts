// node:crypto: SHA-256, the one hash that the stages take.
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

type Content = string | Uint8Array;

const toBytes = (content: Content): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

class Sha256 {
  readonly #hash = sha256.create();

  update(content: Content): this {
    this.#hash.update(toBytes(content));
    return this;
  }

  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

export function createHash(): Sha256 {
  return new Sha256();
}

export function hash(_algorithm: string, content: Content): Buffer {
  return Buffer.from(sha256(toBytes(content)));
}

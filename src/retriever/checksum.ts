import { hash } from 'node:crypto';

/** The first four bytes of a SHA-256 as a number: enough to notice damage in a part of a file, not an attack. */
export function checksumOf(bytes: Uint8Array): number {
  return hash('sha256', bytes, 'buffer').readUInt32LE(0);
}

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { InputFormatError } from '../errors.js';
import { requireRegularFile, unreadableFile } from '../regular-file.js';

/** sha256 of a text (as UTF-8) or of bytes, in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

const CHUNK_BYTES = 1 << 20;

/** @throws InputFormatError for a file that is not there, or a pipe or device: what was read of it would be missing */
function requireWholeFile(file: string): void {
  try {
    requireRegularFile(file);
  } catch (cause) {
    throw cause instanceof InputFormatError ? cause : unreadableFile(file, cause);
  }
}

/**
 * sha256 of a file of any size, in hex; 1 MiB of it is in memory at a time.
 * @throws InputFormatError as `requireWholeFile`
 */
export function fileSha256(file: string): string {
  requireWholeFile(file);
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const handle = openSync(file, 'r');
  try {
    for (let length = 1; length > 0;) {
      length = readSync(handle, chunk, 0, CHUNK_BYTES, null);
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** sha256 of a file of any size, in hex, without blocking. @throws InputFormatError as `fileSha256` */
export async function streamSha256(file: string): Promise<string> {
  requireWholeFile(file);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

import { closeSync, openSync, readSync } from 'node:fs';
import { InputFormatError } from '../errors.js';
import { requireReadableOnce } from '../regular-file.js';

const CHUNK_BYTES = 1 << 20;

function unreadable(file: string, cause: unknown): InputFormatError {
  return new InputFormatError('the file can’t be read', { where: { file }, cause, fix: 'Check the path.' });
}

/** A handle of a file; the caller closes it. @throws InputFormatError when it can't be opened */
export function openForReading(file: string): number {
  try {
    requireReadableOnce(file);
    return openSync(file, 'r');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * The bytes of a file of any size, up to 1 MiB at a time; each piece is the caller's own.
 * @throws InputFormatError when the file can't be read
 */
export function* readChunks(file: string): Generator<Buffer> {
  const handle = openForReading(file);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      let length: number;
      try {
        length = readSync(handle, chunk, 0, CHUNK_BYTES, null);
      } catch (cause) {
        throw unreadable(file, cause);
      }
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(handle);
  }
}

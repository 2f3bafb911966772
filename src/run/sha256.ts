import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** sha256 of a text (as UTF-8) or of bytes, in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** sha256 of a file that fits in memory, in hex. */
export function fileSha256(file: string): string {
  return sha256Of(readFileSync(file));
}

/** sha256 of a file of any size, in hex. */
export async function streamSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

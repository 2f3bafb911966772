import { pipeline, type Readable } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { cutOff, HttpError } from './http-error.js';

/** An answer of more bytes is none. */
const MOST_BYTES = 16 << 20;

/** Some services compress though they are asked not to. How that ends is told to who reads what comes out. */
function unpacked(body: Readable, headers: Headers): Readable {
  const isPacked = /gzip|deflate/i.test(headers.get('content-encoding') ?? '');
  return isPacked ? pipeline(body, createUnzip(), () => undefined) : body;
}

/**
 * The whole text of an answer from an address.
 * @throws HttpError when it is cut off, or longer than 16 MB
 */
export async function readText(body: Readable, headers: Headers, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Left in the middle, a stream may still fail.
    for await (const chunk of unpacked(body, headers).on('error', () => undefined)) {
      chunks.push(chunk as Buffer);
      if ((length += (chunk as Buffer).length) > MOST_BYTES) break;
    }
  } catch (cause) {
    throw cutOff(url, cause);
  }
  if (length <= MOST_BYTES) return Buffer.concat(chunks).toString('utf8');
  const fix = 'Check the address: no answer that is meant for us is that long.';
  throw new HttpError('the answer is longer than 16 MB', { url, kind: 'cut', fix });
}

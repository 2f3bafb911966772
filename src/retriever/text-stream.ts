import { createReadStream } from 'node:fs';
import { Readable, pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

/** Longest record that a corpus reader takes into memory, in bytes. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The bytes of a file, unzipped where its name ends in .gz or .tgz. Errors reach the reader of the stream. */
export function openBytes(path: string): Readable {
  const file = createReadStream(path);
  if (!/\.(?:gz|tgz)$/iu.test(path)) return file;
  const gunzip = createGunzip();
  // The callback only keeps the error from being thrown globally; the pipeline also destroys `gunzip` with it.
  pipeline(file, gunzip, () => undefined);
  return gunzip;
}

/** The whole text of a stream, or null where it is longer than `limit` bytes. */
export async function readBounded(bytes: AsyncIterable<Uint8Array>, limit = MAX_RECORD_BYTES): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length <= limit) parts.push(part);
  }
  return length > limit ? null : Buffer.concat(parts);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The text of bytes in UTF-8, or in UTF-16 where a byte order mark says so. */
export function decodeText(bytes: Buffer): string {
  const isUtf16 = bytes.length > 1 && bytes[0] === 0xff && bytes[1] === 0xfe;
  return withoutMark(bytes.toString(isUtf16 ? 'utf16le' : 'utf8'));
}

/** Lines of a UTF-8 stream without their ends; a line over 64 MB comes as null. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  let isFirst = true;
  for await (const part of bytes) {
    const lines = (rest + decoder.write(part)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield isTooLong ? null : isFirst ? withoutMark(line) : line;
      isTooLong = false;
      isFirst = false;
    }
    isTooLong ||= rest.length > MAX_RECORD_BYTES;
    if (isTooLong) rest = '';
  }
  rest += decoder.end();
  if (isTooLong) yield null;
  else if (rest !== '') yield isFirst ? withoutMark(rest) : rest;
}

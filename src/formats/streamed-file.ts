import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { InputFormatError } from '../errors.js';
import { requireReadableOnce } from '../regular-file.js';

const CHUNK_BYTES = 1 << 20;

function unreadable(file: string, cause: unknown): InputFormatError {
  return new InputFormatError('the file can’t be read', { where: { file }, cause, fix: 'Check the path.' });
}

/** A handle of a file; the caller closes it. @throws InputFormatError when it can't be opened */
function openForReading(file: string): number {
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

/** Longest line taken into memory; a file without line ends is no file of lines. */
const MAX_LINE_BYTES = 256 << 20;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const MARK = Buffer.from('\uFEFF');

/** A line of a text file: its number from 1, its text without the line end, its bytes [start, end) in the file. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The bytes of each line without the `\n`; a last line without one counts, an empty rest does not. */
function* splitLines(file: string): Generator<Buffer> {
  let parts: Buffer[] = [];
  let pending = 0;
  for (const chunk of readChunks(file)) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      yield parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
      [parts, pending, from] = [[], 0, at + 1];
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    pending += chunk.length - from;
    if (pending > MAX_LINE_BYTES) {
      throw new InputFormatError('a line is longer than 256 MB', { where: { file }, fix: 'Name a file of lines.' });
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

function decodeLine(bytes: Buffer, file: string, line: number): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new InputFormatError('the line is not UTF-8 text', { where: { file, line }, fix: 'Save the file as UTF-8.' });
}

/**
 * The lines of a UTF-8 text file one by one, blank ones too, in memory for one line at a time. A byte order mark at the
 * beginning and the carriage return of `\r\n` belong to no line.
 * @throws InputFormatError when the file can't be read, or naming the line that is not UTF-8
 */
export function* readTextLines(file: string): Generator<TextLine> {
  let [line, offset] = [0, 0];
  for (const bytes of splitLines(file)) {
    line++;
    const skipped = line === 1 && bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    const [start, end] = [offset + skipped, offset + length];
    yield { line, text: decodeLine(bytes.subarray(skipped, length), file, line), start, end };
    offset += bytes.length + 1;
  }
}

/** As `readTextLines`, without those that are blank. */
export function* readFilledLines(file: string): Generator<TextLine> {
  for (const line of readTextLines(file)) if (line.text.trim() !== '') yield line;
}

/**
 * Reads one line again, by the place that `readTextLines` told.
 * @throws InputFormatError when the file can't be read
 */
export function readTextLine(file: string, { start, end }: Pick<TextLine, 'start' | 'end'>): string {
  const handle = openForReading(file);
  try {
    const bytes = Buffer.alloc(end - start);
    const length = readSync(handle, bytes, 0, bytes.length, start);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(handle);
  }
}

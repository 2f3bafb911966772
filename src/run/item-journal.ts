import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { sha256Of } from './sha256.js';

interface JournalLine {
  readonly id: string;
  readonly result: unknown;
}

/** How a line begins: the first 16 hex digits of the sha256 of what follows, up to the line's end. */
const CHECKED = /^\{"check":"([0-9a-f]{16})",/;
const CHECK_DIGITS = 16;
const NEWLINE = 0x0a;

const checkOf = (rest: string): string => sha256Of(rest).slice(0, CHECK_DIGITS);

function renderLine(line: JournalLine): string {
  const rest = JSON.stringify(line).slice(1);
  return `{"check":"${checkOf(rest)}",${rest}\n`;
}

function isJournalLine(value: unknown): value is JournalLine {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('result' in value)) return false;
  return typeof value.id === 'string' && Object.keys(value).length === 2;
}

/** Null for a line that is damaged, or was changed after it was written. */
function parseLine(text: string): (JournalLine & { readonly isChecked: boolean }) | null {
  const [start, check] = CHECKED.exec(text) ?? [];
  const rest = text.slice(start?.length ?? 0);
  if (start !== undefined && checkOf(rest) !== check) return null;
  try {
    const line = JSON.parse(start === undefined ? rest : `{${rest}`) as unknown;
    return isJournalLine(line) ? { ...line, isChecked: start !== undefined } : null;
  } catch {
    return null;
  }
}

/** The texts of the whole lines of a file; what follows the last line end is torn, or empty. */
function* wholeLines(bytes: Buffer): Generator<{ readonly text: string; readonly end: number }> {
  for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; start = end + 1, end = bytes.indexOf(NEWLINE, start)) {
    yield { text: bytes.toString('utf8', start, end), end: end + 1 };
  }
}

/**
 * Bytes of the whole lines, and the contents of those that are sound; the items of others are done again. Lines of
 * journals from before lines had checksums count up to the first damaged or checked one: behind it, such a line is one
 * whose checksum was lost.
 */
function readJournal(file: string): { readonly length: number; readonly lines: readonly JournalLine[] } {
  if (!existsSync(file)) return { length: 0, lines: [] };
  const lines: JournalLine[] = [];
  let [length, isOld] = [0, true];
  for (const { text, end } of wholeLines(readFileSync(file))) {
    const line = parseLine(text);
    length = end;
    isOld &&= line?.isChecked === false;
    if (line !== null && (line.isChecked || isOld)) lines.push(line);
  }
  return { length, lines };
}

/** How many items a journal has whose lines are sound. */
export function countSoundItems(file: string): number {
  return new Set(readJournal(file).lines.map(({ id }) => id)).size;
}

/**
 * Finished items of a run, one JSON line each with a checksum, synced to disk before `append` returns: they survive
 * kill -9, and an item whose line was damaged is done again.
 */
export class ItemJournal<T> {
  readonly #file: string;
  readonly #handle: number;
  readonly #results = new Map<string, T>();

  constructor(file: string) {
    this.#file = file;
    const { length, lines } = readJournal(file);
    for (const { id, result } of lines) this.#results.set(id, result as T);
    this.#handle = openSync(file, 'a');
    ftruncateSync(this.#handle, length);
  }

  get(id: string): T | undefined {
    return this.#results.get(id);
  }

  /** Every result, in the order they first came. */
  get results(): readonly T[] {
    return [...this.#results.values()];
  }

  append(id: string, result: T): void {
    this.appendAll([[id, result]]);
  }

  /** Several at once, synced together. */
  appendAll(items: readonly (readonly [id: string, result: T])[]): void {
    writeWhole(this.#handle, items.map(([id, result]) => renderLine({ id, result })).join(''));
    fsyncSync(this.#handle);
    for (const [id, result] of items) this.#results.set(id, result);
  }

  close(): void {
    closeSync(this.#handle);
  }

  /** Closes the journal and removes its file: the run's products are written, it is not needed any more. */
  remove(): void {
    this.close();
    rmSync(this.#file, { force: true });
  }
}

/** A disk that is nearly full takes part of a line; the rest then says why. */
function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written);
}

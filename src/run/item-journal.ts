import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
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

const CHUNK_BYTES = 1 << 20;

/** The texts of the whole lines of a file, of any size; what follows the last line end is torn, or empty. */
function* wholeLines(file: string): Generator<{ readonly text: string; readonly end: number }> {
  const handle = openSync(file, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  // What is read of a line that is not at its end yet.
  let rest: Buffer[] = [];
  let place = 0;
  try {
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < read; end = chunk.indexOf(NEWLINE, start)) {
        const text = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
        [rest, start] = [[], end + 1];
        yield { text, end: place + start };
      }
      if (start < read) rest.push(Buffer.from(chunk.subarray(start, read)));
      place += read;
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * Where each whole line ends, and its content, or null of one that is not sound: its item is done again. Lines of
 * journals from before lines had checksums count up to the first damaged or checked one: behind it, such a line is one
 * whose checksum was lost.
 */
function* readJournal(file: string): Generator<{ readonly end: number; readonly line: JournalLine | null }> {
  if (!existsSync(file)) return;
  let isOld = true;
  for (const { text, end } of wholeLines(file)) {
    const line = parseLine(text);
    isOld &&= line?.isChecked === false;
    yield { end, line: line !== null && (line.isChecked || isOld) ? line : null };
  }
}

/** How many items a journal has whose lines are sound; one of them is in memory at a time. */
export function countSoundItems(file: string): number {
  const ids = new Set<string>();
  for (const { line } of readJournal(file)) if (line !== null) ids.add(line.id);
  return ids.size;
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
    let length = 0;
    for (const { end, line } of readJournal(file)) {
      length = end;
      if (line !== null) this.#results.set(line.id, line.result as T);
    }
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

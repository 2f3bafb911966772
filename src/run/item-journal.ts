import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { itemAt } from '../present.js';
import { writeBytes } from './durable-file.js';
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

/** How a line goes on behind its checksum: its item, and what is known of it. */
const ITEM = /^"id":("(?:[^"\\]|\\.)*"),"result":/u;

/**
 * The item of a line, and whether it has a checksum, which then says that the line is sound; null for a damaged one.
 */
function itemOf(text: string): { readonly id: string; readonly isChecked: boolean } | null {
  const [start, check] = CHECKED.exec(text) ?? [];
  if (start === undefined) return uncheckedItemOf(text);
  const rest = text.slice(start.length);
  const [, id] = checkOf(rest) === check ? (ITEM.exec(rest) ?? []) : [];
  return id === undefined ? null : { id: JSON.parse(id) as string, isChecked: true };
}

function uncheckedItemOf(text: string): { readonly id: string; readonly isChecked: false } | null {
  try {
    const line = JSON.parse(text) as unknown;
    return isJournalLine(line) ? { id: line.id, isChecked: false } : null;
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
 * Where each whole line ends, and its item, or null of one that is not sound: its item is done again. Lines of
 * journals from before lines had checksums count up to the first damaged or checked one: behind it, such a line is one
 * whose checksum was lost.
 */
function* readJournal(file: string): Generator<{ readonly end: number; readonly id: string | null }> {
  if (!existsSync(file)) return;
  let isOld = true;
  for (const { text, end } of wholeLines(file)) {
    const item = itemOf(text);
    isOld &&= item?.isChecked === false;
    yield { end, id: item !== null && (item.isChecked || isOld) ? item.id : null };
  }
}

/** How many items a journal has whose lines are sound; one of them is in memory at a time. */
export function countSoundItems(file: string): number {
  const ids = new Set<string>();
  for (const { id } of readJournal(file)) if (id !== null) ids.add(id);
  return ids.size;
}

/** Checks whether a journal has an item whose line is sound. */
export function hasSoundItem(file: string): boolean {
  for (const { id } of readJournal(file)) if (id !== null) return true;
  return false;
}

/**
 * Finished items of a run, one JSON line each with a checksum, synced to disk before `append` returns: they survive
 * kill -9, and an item whose line was damaged is done again. Only the ids are in memory.
 */
export class ItemJournal<T> {
  readonly #file: string;
  readonly #handle: number;
  /** The number of each item's line, from 0. */
  readonly #lines = new Map<string, number>();
  /** Where each line ends in the file, in bytes: where the next one starts. */
  readonly #ends: number[] = [];

  constructor(file: string) {
    this.#file = file;
    for (const { end, id } of readJournal(file)) this.#note(id, end);
    this.#handle = openSync(file, 'a+');
    ftruncateSync(this.#handle, this.#ends.at(-1) ?? 0);
  }

  /** The next line; null: none that can be used. */
  #note(id: string | null, end: number): void {
    if (id !== null) this.#lines.set(id, this.#ends.length);
    this.#ends.push(end);
  }

  /** Returns an appended item, read from the file. */
  get(id: string): T | undefined {
    const line = this.#lines.get(id);
    return line === undefined ? undefined : this.#read(line);
  }

  get size(): number {
    return this.#lines.size;
  }

  /** Every result, in the order they first came. */
  get results(): readonly T[] {
    return Array.from(this.#lines.values(), (line) => this.#read(line));
  }

  #read(line: number): T {
    const start = this.#ends[line - 1] ?? 0;
    const bytes = Buffer.allocUnsafe(itemAt(this.#ends, line) - start);
    for (let read = 0; read < bytes.length;) {
      const more = readSync(this.#handle, bytes, read, bytes.length - read, start + read);
      if (more === 0) throw new Error(`${this.#file} was cut while it was in use`);
      read += more;
    }
    return (JSON.parse(bytes.toString('utf8')) as { readonly result: T }).result;
  }

  append(id: string, result: T): void {
    this.appendAll([[id, result]]);
  }

  /** Several at once, synced together. */
  appendAll(items: readonly (readonly [id: string, result: T])[]): void {
    const lines = items.map(([id, result]) => ({ id, bytes: Buffer.from(renderLine({ id, result })) }));
    writeBytes(this.#handle, Buffer.concat(lines.map(({ bytes }) => bytes)));
    fsyncSync(this.#handle);
    for (const { id, bytes } of lines) this.#note(id, (this.#ends.at(-1) ?? 0) + bytes.length);
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

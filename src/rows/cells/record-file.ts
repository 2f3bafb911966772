import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { InputFormatError } from '../../errors.js';

/** Where a column's value is in a record, by the record's header. https://sqlite.org/fileformat2.html §2.1 */
export interface StoredValue {
  /** Serial type: kind and, of texts and blobs, length. */
  readonly type: number;
  /** Bytes from the record's start. */
  readonly start: number;
  readonly length: number;
}

/** Lengths of the serial types below 12. */
const FIXED = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0] as const;

/** Bytes that a value of a serial type takes. */
export function lengthOf(type: number): number {
  return FIXED[type] ?? Math.floor((type - 12) / 2);
}

/** Serial type of a blob of so many bytes. */
export function blobType(bytes: number): number {
  return 2 * bytes + 12;
}

/** Reads a variable-length integer; `next` is where the one after it begins. */
export function readVarint(bytes: Buffer, at: number): { readonly value: bigint; readonly next: number } {
  let value = 0n;
  for (let i = 0; i < 8; i++) {
    const byte = bytes.readUInt8(at + i);
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, next: at + i + 1 };
  }
  return { value: BigInt.asIntN(64, (value << 8n) | BigInt(bytes.readUInt8(at + 8))), next: at + 9 };
}

/** A variable-length integer of up to 56 bits. */
export function writeVarint(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return Buffer.from(bytes);
}

/** The values of a record whose header is within `bytes`; `headerSize` is how long that header is. */
export function readHeader(bytes: Buffer): { readonly headerSize: number; readonly values: readonly StoredValue[] } {
  const size = readVarint(bytes, 0);
  const headerSize = Number(size.value);
  const values: StoredValue[] = [];
  let start = headerSize;
  for (let at = size.next; at < headerSize;) {
    const { value, next } = readVarint(bytes, at);
    const type = Number(value);
    values.push({ type, start, length: lengthOf(type) });
    start += lengthOf(type);
    at = next;
  }
  return { headerSize, values };
}

/** The header of a record whose values have these serial types. */
export function writeHeader(types: readonly number[]): Buffer {
  const body = Buffer.concat(types.map(writeVarint));
  // The size counts its own bytes.
  let size = body.length + 1;
  while (writeVarint(size).length + body.length !== size) size++;
  return Buffer.concat([writeVarint(size), body]);
}

/** Bytes of a record that lie together in the file. */
interface Span {
  readonly position: number;
  readonly length: number;
}

/** Where a record begins: its length, the part on its leaf, and the first of the pages that hold the rest. */
interface RecordPlace {
  readonly length: number;
  readonly local: Span;
  /** 0 = none. */
  readonly overflow: number;
}

const LEAF = 13;
const INTERIOR = 5;
/** Bytes of the longest head of a cell: two variable-length integers. */
const CELL_HEAD = 18;
const FILE_HEADER = 100;

/**
 * Reads and overwrites records of a SQLite file's rowid tables in place, a page at a time, so that a record takes no
 * memory whatever its length. Nobody else may have the file open for writing, and it has no journal.
 * https://sqlite.org/fileformat2.html
 */
export class RecordFile {
  readonly #file: string;
  readonly #handle: number;
  readonly #pageSize: number;
  readonly #usable: number;

  constructor(file: string, mode: 'r' | 'r+') {
    this.#file = file;
    this.#handle = openSync(file, mode);
    const header = this.#bytes({ position: 0, length: FILE_HEADER });
    const size = header.readUInt16BE(16);
    this.#pageSize = size === 1 ? 1 << 16 : size;
    this.#usable = this.#pageSize - header.readUInt8(20);
  }

  close(): void {
    closeSync(this.#handle);
  }

  /** Bytes of the record of a row. @throws InputFormatError when the tree holds no such row */
  lengthOf(root: number, rowid: bigint): number {
    return this.#locate(root, rowid).length;
  }

  /** Reads `length` bytes of a record from `start` on, in pieces. */
  *read(root: number, rowid: bigint, start: number, length: number): Generator<Buffer, void> {
    let at = 0;
    for (const { position, length: held } of this.#spans(this.#locate(root, rowid))) {
      const from = Math.max(start, at);
      const to = Math.min(start + length, at + held);
      if (from < to) yield this.#bytes({ position: position + from - at, length: to - from });
      at += held;
      if (at >= start + length) return;
    }
  }

  /** Overwrites a record with pieces that together have its length. */
  write(root: number, rowid: bigint, pieces: Iterable<Buffer>): void {
    const spans = this.#spans(this.#locate(root, rowid));
    let span: Span = { position: 0, length: 0 };
    for (const piece of pieces) {
      for (let done = 0; done < piece.length;) {
        if (span.length === 0) span = spans.next().value ?? this.#damaged(rowid);
        const length = Math.min(span.length, piece.length - done);
        writeSync(this.#handle, piece, done, length, span.position);
        span = { position: span.position + length, length: span.length - length };
        done += length;
      }
    }
  }

  #bytes({ position, length }: Span): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#handle, bytes, 0, length, position);
    return bytes;
  }

  *#spans({ length, local, overflow }: RecordPlace): Generator<Span, undefined> {
    yield local;
    let page = overflow;
    for (let rest = length - local.length; rest > 0; rest -= this.#usable - 4) {
      const position = (page - 1) * this.#pageSize;
      yield { position: position + 4, length: Math.min(rest, this.#usable - 4) };
      page = this.#bytes({ position, length: 4 }).readUInt32BE(0);
    }
    return undefined;
  }

  #locate(root: number, rowid: bigint): RecordPlace {
    for (let number = root; ;) {
      const page = this.#bytes({ position: (number - 1) * this.#pageSize, length: this.#pageSize });
      const start = number === 1 ? FILE_HEADER : 0;
      const kind = page.readUInt8(start);
      if (kind === LEAF) return this.#onLeaf(page, start, number, rowid);
      if (kind !== INTERIOR) return this.#damaged(rowid);
      number = childOf(page, start, rowid);
    }
  }

  #onLeaf(page: Buffer, start: number, number: number, rowid: bigint): RecordPlace {
    const at = firstCell(page, start, 8, (cell) => readVarint(page, readVarint(page, cell).next).value >= rowid);
    if (at === null) return this.#damaged(rowid);
    const head = Buffer.concat([page.subarray(at), Buffer.alloc(CELL_HEAD)]);
    const size = readVarint(head, 0);
    const id = readVarint(head, size.next);
    if (id.value !== rowid) return this.#damaged(rowid);
    const length = Number(size.value);
    const held = this.#heldOnLeaf(length);
    const local = { position: (number - 1) * this.#pageSize + at + id.next, length: held };
    return { length, local, overflow: held < length ? page.readUInt32BE(at + id.next + held) : 0 };
  }

  /** How much of a record its leaf holds. */
  #heldOnLeaf(length: number): number {
    if (length <= this.#usable - 35) return length;
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const held = least + ((length - least) % (this.#usable - 4));
    return held <= this.#usable - 35 ? held : least;
  }

  #damaged(rowid: bigint): never {
    throw new InputFormatError(`row ${rowid} of a table is not where its tree leads`, {
      where: { file: this.#file },
      fix: 'Check the original with sqlite3 FILE "PRAGMA integrity_check".',
    });
  }
}

/** Where the first cell of a page lies that passes a test which all cells after it pass, too; null where none does. */
function firstCell(page: Buffer, start: number, header: number, passes: (at: number) => boolean): number | null {
  const count = page.readUInt16BE(start + 3);
  const cellAt = (i: number): number => page.readUInt16BE(start + header + 2 * i);
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (passes(cellAt(middle))) to = middle;
    else from = middle + 1;
  }
  return from < count ? cellAt(from) : null;
}

function childOf(page: Buffer, start: number, rowid: bigint): number {
  const at = firstCell(page, start, 12, (cell) => readVarint(page, cell + 4).value >= rowid);
  return page.readUInt32BE(at ?? start + 8);
}

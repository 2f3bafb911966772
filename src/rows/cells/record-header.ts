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

/** One field of a protobuf message, its value still encoded. */
export interface ProtoField {
  readonly number: number;
  readonly wireType: number;
  /** Value of a varint field, 0 for the others. */
  readonly varint: bigint;
  /** Bytes of a length-delimited field, empty for the others. */
  readonly bytes: Uint8Array;
  /** The whole field with its tag, to be copied as it is. */
  readonly raw: Uint8Array;
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;
const EMPTY = new Uint8Array(0);

function readVarint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = start, shift = 0n; at < bytes.length && shift < 70n; at++, shift += 7n) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new RangeError('a protobuf varint has no end');
}

function lengthOf(wireType: number): number {
  if (wireType === FIXED_64) return 8;
  if (wireType === FIXED_32) return 4;
  throw new RangeError(`protobuf wire type ${wireType} is unknown`);
}

/**
 * The fields of a message in their order; views, not copies.
 * @throws RangeError when the bytes are no protobuf message.
 */
export function readFields(message: Uint8Array): readonly ProtoField[] {
  const fields: ProtoField[] = [];
  for (let start = 0; start < message.length;) {
    const tag = readVarint(message, start);
    const [number, wireType] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
    let [varint, end] = [0n, tag.end];
    let bytes: Uint8Array = EMPTY;
    if (wireType === VARINT) ({ value: varint, end } = readVarint(message, tag.end));
    else if (wireType === LENGTH_DELIMITED) {
      const length = readVarint(message, tag.end);
      end = length.end + Number(length.value);
      bytes = message.subarray(length.end, end);
    } else end += lengthOf(wireType);
    if (end > message.length) throw new RangeError('a protobuf field is longer than its message');
    fields.push({ number, wireType, varint, bytes, raw: message.subarray(start, end) });
    start = end;
  }
  return fields;
}

/** Values of a repeated number: one field each, or packed into one. */
export function readNumbers(fields: readonly ProtoField[], number: number): readonly bigint[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ wireType, varint, bytes }) => (wireType === VARINT ? [varint] : readPacked(bytes)));
}

function readPacked(bytes: Uint8Array): readonly bigint[] {
  const values: bigint[] = [];
  for (let start = 0; start < bytes.length;) {
    const { value, end } = readVarint(bytes, start);
    values.push(value);
    start = end;
  }
  return values;
}

function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}

/** A varint field: whole numbers, negative ones as protobuf's int64. */
export function varintField(number: number, value: number | bigint): Uint8Array {
  return Buffer.concat([encodeVarint(BigInt(number << 3)), encodeVarint(BigInt(value))]);
}

/** Tag and length of a length-delimited field; its content follows. */
export function fieldHeader(number: number, length: number): Uint8Array {
  const tag = (BigInt(number) << 3n) | BigInt(LENGTH_DELIMITED);
  return Buffer.concat([encodeVarint(tag), encodeVarint(BigInt(length))]);
}

/** A length-delimited field: a text, or the parts of a message. */
export function bytesField(number: number, content: string | Uint8Array | readonly Uint8Array[]): Uint8Array {
  const whole = typeof content === 'string' ? Buffer.from(content) : content;
  const parts: readonly Uint8Array[] = whole instanceof Uint8Array ? [whole] : whole;
  return Buffer.concat([fieldHeader(number, totalLength(parts)), ...parts]);
}

/** Bytes of all parts together. */
export function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

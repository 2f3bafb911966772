import protobuf, { type Reader } from 'protobufjs/minimal.js';

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
const LENGTH_DELIMITED = 2;
const EMPTY = new Uint8Array(0);

function readVarint(reader: Reader): bigint {
  const { low, high } = reader.uint64();
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function readField(message: Uint8Array, reader: Reader): ProtoField {
  const start = reader.pos;
  const tag = reader.uint32();
  const [number, wireType] = [tag >>> 3, tag & 7];
  const varint = wireType === VARINT ? readVarint(reader) : 0n;
  const bytes = wireType === LENGTH_DELIMITED ? reader.bytes() : EMPTY;
  if (wireType !== VARINT && wireType !== LENGTH_DELIMITED) reader.skipType(wireType);
  return { number, wireType, varint, bytes, raw: message.subarray(start, reader.pos) };
}

/**
 * The fields of a message in their order; views, not copies.
 * @throws RangeError when the bytes are no protobuf message.
 */
export function readFields(message: Uint8Array): readonly ProtoField[] {
  const reader = protobuf.Reader.create(message);
  const fields: ProtoField[] = [];
  try {
    while (reader.pos < reader.len) fields.push(readField(message, reader));
  } catch (cause) {
    throw new RangeError('the bytes are no protobuf message', { cause });
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
  const reader = protobuf.Reader.create(bytes);
  const values: bigint[] = [];
  while (reader.pos < reader.len) values.push(readVarint(reader));
  return values;
}

/** A varint field: whole numbers, negative ones as protobuf's int64. */
export function varintField(number: number, value: number | bigint): Uint8Array {
  return protobuf.Writer.create()
    .uint32(number << 3)
    .int64(String(value))
    .finish();
}

/** Tag and length of a length-delimited field; its content follows. */
export function fieldHeader(number: number, length: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32((number << 3) | LENGTH_DELIMITED)
    .uint32(length)
    .finish();
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

import protobuf, { type Reader } from 'protobufjs/minimal.js';

/** One field of a protobuf message, its value still encoded. */
interface ProtoField {
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
function fieldHeader(number: number, length: number): Uint8Array {
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
function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

// Field numbers of onnx.proto, IR version 3 and later.
const MODEL = { graph: 7, opset: 8 } as const;
const OPSET = { domain: 1, version: 2 } as const;
const GRAPH = { node: 1, initializer: 5, output: 12 } as const;
const NODE = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 } as const;
const ATTRIBUTE = { name: 1, int: 3, ints: 8, type: 20 } as const;
const ATTRIBUTE_TYPE = { int: 2, ints: 7 } as const;
const TENSOR = { dims: 1, dataType: 2, int32Data: 5, name: 8, rawData: 9, dataLocation: 14 } as const;
const EXTERNAL = 1n;

/** ONNX element types that are read or written here. */
export const ELEMENT = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

export interface OnnxNode {
  readonly opType: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The node's encoded message. */
  readonly bytes: Uint8Array;
}

export interface OnnxTensor {
  readonly name: string;
  readonly elementType: number;
  readonly dims: readonly number[];
  /** Little-endian values; of tensors that keep theirs as 32-bit numbers, only 8-bit ones are right. */
  readonly raw: Uint8Array | null;
  readonly bytes: Uint8Array;
}

const texts = (fields: readonly ProtoField[], number: number): readonly string[] =>
  fields.filter((field) => field.number === number).map(({ bytes }) => Buffer.from(bytes).toString('utf8'));

function readNode(bytes: Uint8Array): OnnxNode {
  const fields = readFields(bytes);
  const [opType = ''] = texts(fields, NODE.opType);
  const domain = texts(fields, NODE.domain).join('');
  const name = domain === '' || domain === 'ai.onnx' ? opType : `${domain}.${opType}`;
  return { opType: name, inputs: texts(fields, NODE.input), outputs: texts(fields, NODE.output), bytes };
}

/** 8-bit values, which may be kept as 32-bit ones; null where there are none or they are in another file. */
function readRaw(fields: readonly ProtoField[]): Uint8Array | null {
  if (fields.some(({ number, varint }) => number === TENSOR.dataLocation && varint === EXTERNAL)) return null;
  const raw = fields.find(({ number }) => number === TENSOR.rawData);
  if (raw !== undefined) return raw.bytes;
  const wide = readNumbers(fields, TENSOR.int32Data);
  return wide.length === 0 ? null : Uint8Array.from(wide, (value) => Number(value & 0xffn));
}

function readTensor(bytes: Uint8Array): OnnxTensor {
  const fields = readFields(bytes);
  const [elementType = 0n] = readNumbers(fields, TENSOR.dataType);
  return {
    name: texts(fields, TENSOR.name)[0] ?? '',
    elementType: Number(elementType),
    dims: readNumbers(fields, TENSOR.dims).map(Number),
    raw: readRaw(fields),
    bytes,
  };
}

/** An attribute value: a whole number, or a list of them. */
export type AttributeValue = number | readonly number[];

function attribute(name: string, value: AttributeValue): Uint8Array {
  const isList = typeof value !== 'number';
  const values = isList ? value.map((item) => varintField(ATTRIBUTE.ints, item)) : [varintField(ATTRIBUTE.int, value)];
  const type = varintField(ATTRIBUTE.type, isList ? ATTRIBUTE_TYPE.ints : ATTRIBUTE_TYPE.int);
  return bytesField(NODE.attribute, [bytesField(ATTRIBUTE.name, name), ...values, type]);
}

/** A node of the default domain; an empty input name leaves an optional input out. */
export function createNode(
  opType: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, AttributeValue>> = {},
): OnnxNode {
  const bytes = Buffer.concat([
    ...inputs.map((name) => bytesField(NODE.input, name)),
    ...outputs.map((name) => bytesField(NODE.output, name)),
    bytesField(NODE.opType, opType),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  ]);
  return { opType, inputs, outputs, bytes };
}

/** A constant tensor. */
export function createTensor(
  name: string,
  elementType: number,
  dims: readonly number[],
  values: Float32Array | Int32Array | BigInt64Array,
): OnnxTensor {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = Buffer.concat([
    ...dims.map((dim) => varintField(TENSOR.dims, dim)),
    varintField(TENSOR.dataType, elementType),
    bytesField(TENSOR.name, name),
    bytesField(TENSOR.rawData, raw),
  ]);
  return { name, elementType, dims, raw, bytes };
}

/** The part of an ONNX file that a rewrite needs; all else is copied as it is. */
export class OnnxGraph {
  /** Version of the default operator set. */
  readonly opset: number;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: ReadonlyMap<string, OnnxTensor>;
  /** Names of the network's outputs. */
  readonly outputs: readonly string[];
  readonly #model: readonly ProtoField[];
  readonly #graph: readonly ProtoField[];

  /** @throws RangeError when the bytes are no ONNX file. */
  constructor(file: Uint8Array) {
    this.#model = readFields(file);
    const graph = this.#model.find(({ number }) => number === MODEL.graph);
    if (graph === undefined) throw new RangeError('the ONNX file has no graph');
    this.#graph = readFields(graph.bytes);
    const of = (number: number): readonly Uint8Array[] =>
      this.#graph.filter((field) => field.number === number).map(({ bytes }) => bytes);
    this.opset = this.#readOpset();
    this.nodes = of(GRAPH.node).map(readNode);
    this.initializers = new Map(
      of(GRAPH.initializer)
        .map(readTensor)
        .map((tensor) => [tensor.name, tensor]),
    );
    this.outputs = of(GRAPH.output).map((bytes) => texts(readFields(bytes), 1)[0] ?? '');
  }

  #readOpset(): number {
    const sets = this.#model.filter(({ number }) => number === MODEL.opset).map(({ bytes }) => readFields(bytes));
    const own = sets.find((fields) => ['', 'ai.onnx'].includes(texts(fields, OPSET.domain).join('')));
    return Number(readNumbers(own ?? [], OPSET.version)[0] ?? 0n);
  }

  /** The file with other nodes and further constants; constants that no node names are left out. */
  rewrite(nodes: readonly OnnxNode[], constants: readonly OnnxTensor[]): Uint8Array {
    const used = new Set([...nodes.flatMap(({ inputs }) => inputs), ...this.outputs]);
    const tensors = [...this.initializers.values(), ...constants].filter(({ name }) => used.has(name));
    const kept = this.#graph.filter(({ number }) => number !== GRAPH.node && number !== GRAPH.initializer);
    const graph = [
      ...nodes.flatMap(({ bytes }) => [fieldHeader(GRAPH.node, bytes.length), bytes]),
      ...kept.map(({ raw }) => raw),
      ...tensors.flatMap(({ bytes }) => [fieldHeader(GRAPH.initializer, bytes.length), bytes]),
    ];
    const others = this.#model.filter(({ number }) => number !== MODEL.graph).map(({ raw }) => raw);
    // Weights are copied once only: a network may be large.
    return Buffer.concat([...others, fieldHeader(MODEL.graph, totalLength(graph)), ...graph]);
  }
}

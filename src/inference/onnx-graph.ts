import {
  bytesField,
  fieldHeader,
  type ProtoField,
  readFields,
  readNumbers,
  totalLength,
  varintField,
} from './protobuf.js';

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

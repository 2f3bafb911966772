import { createNode, createTensor, ELEMENT, OnnxGraph, type OnnxNode, type OnnxTensor } from './onnx-graph.js';
import { itemAt } from '../present.js';
import { addTo } from '../vectors.js';

/** Operator sets in which the operators below mean what is meant here. */
const OLDEST_OPSET = 13;
const NEWEST_OPSET = 17;

/** Smallest normal float32: taken as the scale of an input of zeros, which has none. */
const TINY = 1.1754943508222875e-38;

const ZERO = 'batch:zero';
const HIGHEST = 'batch:255';
const SMALLEST = 'batch:tiny';
const FLAT = 'batch:flat';

const CONSTANTS: readonly OnnxTensor[] = [
  createTensor(ZERO, ELEMENT.float, [], Float32Array.of(0)),
  createTensor(HIGHEST, ELEMENT.float, [], Float32Array.of(255)),
  createTensor(SMALLEST, ELEMENT.float, [], Float32Array.of(TINY)),
  createTensor(FLAT, ELEMENT.int64, [1], BigInt64Array.of(-1n)),
];

/** Weights that a quantized matrix product takes, and the sum of each of their columns. */
interface Weights {
  readonly name: string;
  /** Name of their zero point; null where it is 0. */
  readonly zeroPoint: string | null;
  readonly columnSums: OnnxTensor;
}

/** `[rows, columns]` 8-bit weights less their zero point, summed by column; null where they are in another form. */
function sumColumns(weights: OnnxTensor, zeroPoint: OnnxTensor | undefined): Int32Array | null {
  const { dims, raw, elementType } = weights;
  const [rows = 0, columns = 0] = dims;
  const isByte = elementType === ELEMENT.int8 || elementType === ELEMENT.uint8;
  if (raw === null || !isByte || dims.length !== 2 || raw.length !== rows * columns) return null;
  const signed = elementType === ELEMENT.int8;
  const valuesOf = (bytes: Uint8Array): Int8Array | Uint8Array =>
    signed ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes;
  const values = valuesOf(raw);
  const zeros = zeroPoint === undefined ? new Int8Array(1) : zeroPoint.raw === null ? null : valuesOf(zeroPoint.raw);
  if (zeros === null || (zeros.length !== 1 && zeros.length !== columns)) return null;
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row++) addTo(sums, values.subarray(row * columns, (row + 1) * columns));
  return Int32Array.from(sums, (sum, c) => sum - rows * itemAt(zeros, zeros.length === 1 ? 0 : c));
}

/** Rewrites the dynamic quantization of one network; see {@link createBatchNetwork}. */
class QuantizationRewrite {
  readonly #graph: OnnxGraph;
  readonly #constants: OnnxTensor[] = [...CONSTANTS];
  /** Zero points by the name of the quantized input: `[batch, 1, …]` int32. */
  readonly #zeroPoints = new Map<string, string>();

  constructor(graph: OnnxGraph) {
    this.#graph = graph;
  }

  run(): Uint8Array | null {
    const nodes: OnnxNode[] = [];
    for (const node of this.#graph.nodes) {
      const replaced = this.#replace(node);
      if (replaced === null) return null;
      nodes.push(...replaced);
    }
    // A product of activations that were not quantized here would still see the whole batch.
    return this.#zeroPoints.size === 0 ? null : this.#graph.rewrite(nodes, this.#constants);
  }

  #replace(node: OnnxNode): readonly OnnxNode[] | null {
    if (node.opType === 'DynamicQuantizeLinear') return this.#quantizeEach(node);
    return node.opType === 'MatMulInteger' ? this.#multiply(node) : [node];
  }

  /** Scale and zero point of each input of the batch, by the formulas of DynamicQuantizeLinear. */
  #quantizeEach({ inputs, outputs }: OnnxNode): readonly OnnxNode[] | null {
    const [input = ''] = inputs;
    const [quantized = '', scale = '', zeroPoint = ''] = outputs;
    if (!this.#feedsProductsOnly(quantized, zeroPoint)) return null;
    const name = (part: string): string => `batch:${quantized}:${part}`;
    const node = (opType: string, from: readonly string[], to: string, attributes = {}): OnnxNode =>
      createNode(opType, from, [to], attributes);
    // Over the last axis, then over the second: right for [batch, tokens, width] and for [batch, width].
    const extreme = (kind: 'Min' | 'Max'): readonly OnnxNode[] => [
      node(`Reduce${kind}`, [input], name(`${kind}:rows`), { axes: [-1], keepdims: 1 }),
      node(`Reduce${kind}`, [name(`${kind}:rows`)], name(`${kind}:all`), { axes: [1], keepdims: 1 }),
      node(kind, [name(`${kind}:all`), ZERO], name(kind)),
    ];
    this.#zeroPoints.set(quantized, name('zero:int32'));
    return [
      ...extreme('Min'),
      ...extreme('Max'),
      node('Sub', [name('Max'), name('Min')], name('range')),
      node('Div', [name('range'), HIGHEST], name('step')),
      node('Max', [name('step'), SMALLEST], scale),
      node('Div', [name('Min'), scale], name('below')),
      node('Sub', [ZERO, name('below')], name('zero:exact')),
      node('Min', [name('zero:exact'), HIGHEST], name('zero:held')),
      node('Round', [name('zero:held')], name('zero')),
      node('Cast', [name('zero')], name('zero:int32'), { to: ELEMENT.int32 }),
      node('Cast', [name('zero')], name('zero:uint8'), { to: ELEMENT.uint8 }),
      node('Reshape', [name('zero:uint8'), FLAT], name('zero:flat')),
      node('Reshape', [scale, FLAT], name('scale:flat')),
      node('QuantizeLinear', [input, name('scale:flat'), name('zero:flat')], quantized, { axis: 0 }),
    ];
  }

  #feedsProductsOnly(quantized: string, zeroPoint: string): boolean {
    return this.#graph.nodes.every(({ opType, inputs }) => {
      if (!inputs.includes(quantized) && !inputs.includes(zeroPoint)) return true;
      return opType === 'MatMulInteger' && inputs[0] === quantized && inputs[2] === zeroPoint;
    });
  }

  /** (A - a)·(W - w) as A·(W - w) - a·Σ(W - w): whole numbers, so the same to the last bit. */
  #multiply({ inputs, outputs }: OnnxNode): readonly OnnxNode[] | null {
    const [quantized = ''] = inputs;
    const [product = ''] = outputs;
    const zeroPoint = this.#zeroPoints.get(quantized);
    const weights = this.#weightsOf(inputs);
    if (zeroPoint === undefined || weights === null) return null;
    const { columnSums } = weights;
    // Layers may share their weights.
    if (!this.#constants.some(({ name }) => name === columnSums.name)) this.#constants.push(columnSums);
    const [raw, shift] = [`batch:${product}:raw`, `batch:${product}:shift`];
    const factors = [quantized, weights.name, ...(weights.zeroPoint === null ? [] : ['', weights.zeroPoint])];
    return [
      createNode('MatMulInteger', factors, [raw]),
      createNode('Mul', [zeroPoint, columnSums.name], [shift]),
      createNode('Sub', [raw, shift], [product]),
    ];
  }

  #weightsOf([, name = '', , zeroName = '']: readonly string[]): Weights | null {
    const [tensor, zeros] = [this.#graph.initializers.get(name), this.#graph.initializers.get(zeroName)];
    if (tensor === undefined || (zeroName !== '' && zeros === undefined)) return null;
    const sums = sumColumns(tensor, zeros);
    if (sums === null) return null;
    const isZero = zeros?.raw?.every((byte) => byte === 0) ?? true;
    const columnSums = createTensor(`batch:${name}:sums`, ELEMENT.int32, [sums.length], sums);
    return { name, zeroPoint: isZero ? null : zeroName, columnSums };
  }
}

/**
 * A network that gives each input of a batch the scores that it has alone. Dynamic int8 quantization
 * (DynamicQuantizeLinear) takes one scale over the whole batch, so that a score depends on its neighbors; here every input
 * gets the scale and zero point of its own, by the same formulas, and the products stay exact in whole numbers. Inputs of
 * a batch must have one length.
 *
 * Null where the file is no such network: no dynamic quantization, another form of it, weights in another file.
 * Kernels differ, so whoever uses it compares a batch with its inputs one by one first.
 */
export function createBatchNetwork(file: Uint8Array): Uint8Array | null {
  try {
    const graph = new OnnxGraph(file);
    if (graph.opset < OLDEST_OPSET || graph.opset > NEWEST_OPSET) return null;
    return new QuantizationRewrite(graph).run();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

import { dot } from '../vectors.js';
/** Rows and queries are padded with zeros to a multiple of this many components. */
const LANES = 16;
const PAGE = 65_536;
/** Addresses of WebAssembly are 32 bits wide; some are left for query and scores. */
const MAX_ROW_BYTES = 3.5 * 2 ** 30;
const INT16_MAX = 32_767;

/** The used part of WebAssembly, whose types come with those of the browser. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => WasmInstance;
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => WasmMemory;
};

type RunDots = (query: number, rows: number, count: number, stride: number, scores: number) => void;

const OP = {
  block: 0x40,
  loop: 0x03,
  end: 0x0b,
  branchIf: [0x0d, 0],
  i32Store: [0x36, 2, 0],
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32LessUnsigned: 0x49,
  zero: [0xfd, 12, ...new Array<number>(16).fill(0)],
  i32x4ExtractLane: [0xfd, 27],
  i16x8ExtendLow: [0xfd, 0x87, 1],
  i16x8ExtendHigh: [0xfd, 0x88, 1],
  i32x4Add: [0xfd, 0xae, 1],
  i32x4Dot: [0xfd, 0xba, 1],
} as const;
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const load = (offset: number): number[] => [0xfd, 0, 4, offset];
/** A section or body: its length in two bytes of LEB128, then its bytes. */
const sized = (bytes: readonly number[]): number[] => [(bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes];

/**
 * The kernel as a WebAssembly module of one function, assembled here because a byte array says nothing and a compiler
 * would be one more thing to install. For each row: `scores[row] = Σ query[i] · row[i]`, 16 products a turn.
 */
function assembleKernel(): Uint8Array {
  const [query, row, count, stride, scores, rowEnd, at, low, high, part] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  const dotPart = (sum: number, extend: readonly number[], offset: number): number[] =>
    [get(sum), get(part), extend, get(at), load(offset), OP.i32x4Dot, OP.i32x4Add, set(sum)].flat();
  const lane = (index: number): number[] => [...get(low), ...OP.i32x4ExtractLane, index];
  const code = [
    [OP.loop, OP.block],
    [...get(query), ...set(at), ...get(row), ...get(stride), OP.i32Add, ...set(rowEnd)],
    [...OP.zero, ...set(low), ...OP.zero, ...set(high)],
    [OP.loop, OP.block],
    [...get(row), ...load(0), ...set(part)],
    dotPart(low, OP.i16x8ExtendLow, 0),
    dotPart(high, OP.i16x8ExtendHigh, 16),
    [...get(at), ...constant(32), OP.i32Add, ...set(at)],
    [...get(row), ...constant(16), OP.i32Add, ...tee(row), ...get(rowEnd), OP.i32LessUnsigned, ...OP.branchIf, OP.end],
    [...get(low), ...get(high), ...OP.i32x4Add, ...set(low)],
    [...get(scores), ...lane(0), ...lane(1), OP.i32Add, ...lane(2), OP.i32Add, ...lane(3), OP.i32Add, ...OP.i32Store],
    [...get(scores), ...constant(4), OP.i32Add, ...set(scores)],
    [...get(count), ...constant(1), OP.i32Sub, ...tee(count), ...OP.branchIf, OP.end, OP.end],
  ].flat();
  const [i32, v128, memory] = [0x7f, 0x7b, 2];
  const locals = [2, 2, i32, 3, v128];
  const name = (letter: string): number[] => [1, letter.charCodeAt(0)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized([1, 0x60, 5, i32, i32, i32, i32, i32, 0])],
    ...[2, ...sized([1, ...name('e'), ...name('m'), memory, 0, 1])],
    ...[3, ...sized([1, 0])],
    ...[7, ...sized([1, ...name('d'), 0, 0])],
    ...[10, ...sized([1, ...sized([...locals, ...code])])],
  ]);
}

let compiled: object | null | undefined;

/** The compiled kernel; null where the processor has no SIMD that WebAssembly knows. */
function compileKernel(): object | null {
  if (compiled !== undefined) return compiled;
  const bytes = assembleKernel();
  compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  return compiled;
}

/** The kernel in plain JavaScript: the same integers, some twenty times slower. */
function plainDots(memory: WasmMemory): RunDots {
  return (query, rows, count, stride, scores) => {
    const factors = new Int16Array(memory.buffer, query, stride);
    const values = new Int8Array(memory.buffer, rows, count * stride);
    const sums = new Int32Array(memory.buffer, scores, count);
    for (let row = 0; row < count; row++) sums[row] = dot(factors, values.subarray(row * stride, (row + 1) * stride));
  };
}

/** Bytes of a row of `dimension` int8 components with its padding. */
export function rowStride(dimension: number): number {
  return Math.ceil(dimension / LANES) * LANES;
}

/** Most rows of a dimension that a `DotKernel` can hold: 9.7 million of 384. */
export function maxRows(dimension: number): number {
  return Math.floor(MAX_ROW_BYTES / rowStride(dimension));
}

/**
 * Int8 rows in WebAssembly memory and their dot products with an int16 query: about 20 ns for 384 components, where
 * JavaScript takes 400. All sums are of integers, so they are the same on every processor. Memory that was not written
 * to costs nothing, so rows may be filled in when they are needed.
 */
export class DotKernel {
  readonly stride: number;
  /** All rows, `[capacity, stride]`; zeros until they are written. */
  readonly rows: Int8Array;
  readonly #query: Int16Array;
  readonly #scores: Int32Array;
  readonly #run: RunDots;
  /** A query up to this length keeps every dot product below 2^31, by Cauchy and Schwarz. */
  readonly #longestQuery: number;

  /** @throws RangeError where there are more rows than `maxRows`. */
  constructor(dimension: number, capacity: number, kernel: 'fastest' | 'plain' = 'fastest') {
    if (capacity > maxRows(dimension)) throw new RangeError(`${capacity} rows do not fit`);
    this.stride = rowStride(dimension);
    this.#longestQuery = 2 ** 31 / (127 * Math.sqrt(this.stride)) - Math.sqrt(this.stride);
    const rowsAt = 2 * this.stride;
    const scoresAt = rowsAt + capacity * this.stride;
    const pages = Math.ceil((scoresAt + 4 * capacity) / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.#query = new Int16Array(memory.buffer, 0, this.stride);
    this.rows = new Int8Array(memory.buffer, rowsAt, capacity * this.stride);
    this.#scores = new Int32Array(memory.buffer, scoresAt, capacity);
    const module = kernel === 'plain' ? null : compileKernel();
    this.#run =
      module === null
        ? plainDots(memory)
        : (new WebAssembly.Instance(module, { e: { m: memory } }).exports['d'] as RunDots);
  }

  /** Row `position` as it is stored, with its padding. */
  row(position: number): Int8Array {
    return this.rows.subarray(position * this.stride, (position + 1) * this.stride);
  }

  /** Takes an int8 vector as the query; dot products with it are exact. */
  setStoredQuery(vector: Int8Array): void {
    this.#query.fill(0);
    this.#query.set(vector);
  }

  /** Takes a vector as the query, scaled to int16; the angle changes by some 1e-5. */
  setQuery(vector: Float32Array): void {
    let [largest, squares] = [0, 0];
    for (const value of vector) {
      largest = Math.max(largest, Math.abs(value));
      squares += value * value;
    }
    const scale = Math.min(INT16_MAX / largest, this.#longestQuery / Math.sqrt(squares));
    this.#query.fill(0);
    this.#query.set(vector.map((value) => Math.round(value * scale)));
  }

  /** Dot products of the query with `count` rows from `first` on, in a list that the next call overwrites. */
  dots(first: number, count: number): Int32Array {
    const scores = this.#scores.subarray(0, count);
    if (count > 0) {
      const start = this.rows.byteOffset + first * this.stride;
      this.#run(this.#query.byteOffset, start, count, this.stride, scores.byteOffset);
    }
    return scores;
  }
}

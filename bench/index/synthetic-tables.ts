import { createRng } from '../../src/seeded-rng.js';
import type { CorpusEntry, CorpusReader } from '../../src/retriever/corpus-reader.js';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';
import type { CorpusTable } from '../../src/stage.js';

/** Largest weight of the second table, whose columns and vector are mixed into the first one's. */
const LARGEST_SHARE = 0.4;
/**
 * Weight of the difference of two further tables' vectors. Differences of real vectors vary along the directions in
 * which real vectors do, unlike noise in all directions, which would put all neighbors at one distance.
 */
const DRIFT = 0.3;

/** What a synthetic table is made of: base tables by position. */
interface Recipe {
  readonly main: number;
  readonly second: number;
  readonly share: number;
  readonly drift: readonly [number, number];
}

/** A base: real tables and their vectors by the encoder, `[tables, dimension]`. */
export interface Base {
  readonly tables: readonly CorpusTable[];
  readonly vectors: Float32Array;
  readonly dimension: number;
}

function draw(base: Base, seed: number, number: number): Recipe {
  const rng = createRng(seed, `table ${number}`);
  const any = (): number => rng.int(base.tables.length);
  return { main: any(), second: any(), share: rng.next() * LARGEST_SHARE, drift: [any(), any()] };
}

/** Columns of the first table, of which the second one's take over as large a share as in the vector. */
function mixColumns(
  main: CorpusTable,
  second: CorpusTable,
  share: number,
): readonly (readonly [CorpusTable, number])[] {
  const taken = Math.round((main.columns.length * share) / (1 + share));
  const names = new Set(main.columns);
  const others = second.columns.flatMap((name, column) => (names.has(name) ? [] : [[second, column] as const]));
  const own = main.columns.map((_, column) => [main, column] as const);
  const replaced = others.slice(0, taken);
  return [...own.slice(0, own.length - replaced.length), ...replaced];
}

/** Table number `number`: its number is in title and cells, so that no two are the same. */
export function createSyntheticTable(base: Base, seed: number, number: number): CorpusTable {
  const { main, second, share } = draw(base, seed, number);
  const table = base.tables[main]!;
  const columns = mixColumns(table, base.tables[second]!, share);
  const rows = table.rows.map((_, row) =>
    columns.map(([from, column], place) => `${from.rows[row]?.[column] ?? ''}${place === 0 ? ` ${number}` : ''}`),
  );
  return {
    id: `synthetic-${number}`,
    title: `${number} ${table.title}`,
    columns: columns.map(([from, column]) => from.columns[column]!),
    types: columns.map(([from, column]) => from.types[column]!),
    rows,
  };
}

/** The vector of table number `number`: that of its main table, moved towards the second and along the drift; length 1. */
export function createSyntheticVector(base: Base, seed: number, number: number): Float32Array {
  const { main, second, share, drift } = draw(base, seed, number);
  const { vectors, dimension } = base;
  const at = (table: number): Float32Array => vectors.subarray(table * dimension, (table + 1) * dimension);
  const [from, to, plus, minus] = [at(main), at(second), at(drift[0]), at(drift[1])];
  const vector = from.map((value, i) => value + share * to[i]! + DRIFT * (plus[i]! - minus[i]!));
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / norm);
}

/** A corpus of the synthetic tables 0 to `count` - 1. */
export function syntheticCorpus(base: Base, seed: number, count: number): CorpusReader {
  return {
    name: `${count} synthetic tables`,
    async *read(): AsyncGenerator<CorpusEntry> {
      for (let number = 0; number < count; number++) {
        const table = createSyntheticTable(base, seed, number);
        yield { kind: 'table', table, language: null, where: table.id };
      }
    },
  };
}

/** Stands for the encoder that made the base's vectors: gives each synthetic table, known by its number, its vector. */
export function syntheticEmbedder(base: Base, seed: number, model: TextEmbedder['model']): TextEmbedder {
  return {
    fingerprint: `synthetic:${model.sha256}`,
    dimension: base.dimension,
    model,
    embed: async (texts) => texts.map((text) => createSyntheticVector(base, seed, Number.parseInt(text, 10))),
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { causeText } from '../cause-text.js';
import { IndexMismatchError } from '../errors.js';
import { packagePath } from '../package-path.js';
import { itemAt } from '../present.js';
import { DotKernel } from '../retriever/dot-kernel.js';
import type { TextEmbedder } from '../retriever/text-embedder.js';
import { rankPlaces } from '../retriever/top-places.js';
import { sha256Of } from '../run/sha256.js';
import {
  columnOf,
  type ListedColumn,
  type ListedTable,
  NamePlaces,
  parseColumnLists,
  roleOf,
  tableOf,
} from './bank-lists.js';
import { dot } from '../vectors.js';

/** Files of a bank. */
const FILES = { columns: 'columns.txt', names: 'names.i8', tables: 'tables.i8', projection: 'projection.f32' } as const;

const fileSchema = z.strictObject({ bytes: z.int().nonnegative(), sha256: z.string() });
const manifestSchema = z.strictObject({
  kind: z.literal('perturbql-column-bank'),
  version: z.literal(1),
  encoder: z.strictObject({ name: z.string(), revision: z.string(), sha256: z.string() }),
  /** Components of a stored vector: the encoder's first principal components. */
  dimension: z.int().positive(),
  tables: z.int().positive(),
  columns: z.int().positive(),
  /** Distinct names of columns, each with a vector. */
  names: z.int().positive(),
  files: z.strictObject({
    [FILES.columns]: fileSchema,
    [FILES.names]: fileSchema,
    [FILES.tables]: fileSchema,
    [FILES.projection]: fileSchema,
  }),
});

/** A column of the bank in its table. */
export interface BankEntry extends ListedColumn {
  readonly table: ListedTable;
  /** Position of its table. */
  readonly at: number;
}

/** A name of columns of the bank, and how near it is to what was asked for. */
interface NearName {
  readonly name: string;
  /** Cosine of both names, -1 to 1. */
  readonly cosine: number;
}

/** Cosines of all names of columns with one name, -1 to 1. */
export interface NameCosines {
  of(name: string): number;
  /** The nearest names, best first. */
  nearest(count: number): readonly NearName[];
}

/** Cosines of all tables of the bank with one table, by position, -1 to 1. */
export interface TableCosines {
  of(at: number): number;
  /** The positions of the nearest tables, best first. */
  nearest(count: number): readonly number[];
}

function mismatch(folder: string, file: string, message: string): IndexMismatchError {
  return new IndexMismatchError(message, {
    where: { file: join(folder, file) },
    fix: 'Install perturbql again (`npm ci`); in a clone: node scripts/build-bank.mjs.',
  });
}

function readChecked(folder: string, file: string, expected: z.infer<typeof fileSchema>): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, file));
  } catch {
    throw mismatch(folder, file, `the bank of columns has no ${file}`);
  }
  const sha256 = sha256Of(bytes);
  if (sha256 === expected.sha256) return bytes;
  throw mismatch(folder, file, `the file's sha256 is ${sha256}, the manifest says ${expected.sha256}`);
}

function readManifest(folder: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  } catch (cause) {
    throw mismatch(folder, 'manifest.json', `the bank of columns has no usable manifest: ${causeText(cause)}`);
  }
}

const lengthOf = (vector: Int8Array): number => Math.sqrt(dot(vector, vector));

function lengthsOf(vectors: Int8Array, dimension: number): Float64Array {
  return Float64Array.from({ length: vectors.length / dimension }, (_, row) => {
    return lengthOf(vectors.subarray(row * dimension, (row + 1) * dimension));
  });
}

/** Vectors as int8 rows, and the cosines of all of them with one vector. */
class ShortVectors {
  readonly size: number;
  readonly #kernel: DotKernel;
  readonly #lengths: Float64Array;

  constructor(bytes: Buffer, dimension: number) {
    const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.size = values.length / dimension;
    this.#kernel = new DotKernel(dimension, this.size);
    for (let row = 0; row < this.size; row++)
      this.#kernel.row(row).set(values.subarray(row * dimension, (row + 1) * dimension));
    this.#lengths = lengthsOf(values, dimension);
  }

  /** Cosine of an int8 vector with each row, -1 to 1: sums of integers, the same on every machine. */
  cosines(vector: Int8Array): Float64Array {
    this.#kernel.setStoredQuery(vector);
    const dots = this.#kernel.dots(0, this.size);
    const length = lengthOf(vector);
    return this.#lengths.map((own, row) => itemAt(dots, row) / (own * length));
  }
}

/**
 * The project's own bank of columns: some 48,000 in their tables, each with names that replace it and names of
 * columns next to it (`data/columns`; its README has the standard that they were written by). Names and tables are found by
 * the encoder, whose vectors are cut to their first principal components.
 */
export class ColumnBank {
  readonly fingerprint: string;
  readonly tables: readonly ListedTable[];
  readonly #dimension: number;
  readonly #projection: Float32Array;
  /** Distinct names of columns, and the place of each among the vectors. */
  readonly #names: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #nameVectors: ShortVectors;
  readonly #tableVectors: ShortVectors;
  /** Where it has each name. */
  readonly places: NamePlaces;
  /** Entries that were asked for, by table and column. */
  readonly #entries = new Map<string, BankEntry>();

  /** @throws IndexMismatchError when a file is missing or changed, or the bank was made with another encoder */
  constructor(encoder: Pick<TextEmbedder, 'dimension' | 'model'>, folder: string = packagePath('data/columns')) {
    const manifest = readManifest(folder);
    if (manifest.encoder.sha256 !== encoder.model.sha256) {
      const made = `${manifest.encoder.name} ${manifest.encoder.revision}`;
      throw mismatch(folder, 'manifest.json', `the bank of columns was made with ${made}, not with the encoder in use`);
    }
    const read = (file: (typeof FILES)[keyof typeof FILES]): Buffer => readChecked(folder, file, manifest.files[file]);
    this.fingerprint = `bank:${manifest.files[FILES.columns].sha256.slice(0, 16)}`;
    this.tables = parseColumnLists(read(FILES.columns).toString('utf8'));
    this.#dimension = manifest.dimension;
    const { buffer } = Uint8Array.from(read(FILES.projection));
    this.#projection = new Float32Array(buffer);
    this.places = new NamePlaces(this.tables);
    this.#names = [...new Set(this.tables.flatMap(({ columns }) => columns.map(({ name }) => name)))];
    this.#places = new Map(this.#names.map((name, place) => [name, place]));
    this.#nameVectors = new ShortVectors(read(FILES.names), manifest.dimension);
    this.#tableVectors = new ShortVectors(read(FILES.tables), manifest.dimension);
  }

  /** Columns that are called so, or that the name replaces. */
  entriesOf(name: string): readonly BankEntry[] {
    const places = this.places.of(name).filter((place) => roleOf(place) !== 'addition');
    return places.map((place) => this.#entry(tableOf(place), columnOf(place)));
  }

  /** How near the names of columns are to a vector of the encoder. */
  nameCosines(vector: Float32Array): NameCosines {
    const cosines = this.#nameVectors.cosines(this.#shorten(vector));
    return {
      of: (name) => cosines[this.#places.get(name) ?? -1] ?? -1,
      nearest: (count) =>
        rankPlaces(cosines, count).map(({ place, score }) => ({ name: itemAt(this.#names, place), cosine: score })),
    };
  }

  /** How near the bank's tables are to a table's vector. */
  tableCosines(vector: Float32Array): TableCosines {
    const cosines = this.#tableVectors.cosines(this.#shorten(vector));
    return {
      of: (at) => itemAt(cosines, at),
      nearest: (count) => rankPlaces(cosines, count).map(({ place }) => place),
    };
  }

  #entry(at: number, column: number): BankEntry {
    const key = `${at} ${column}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const table = itemAt(this.tables, at);
    const entry = { ...itemAt(table.columns, column), table, at };
    this.#entries.set(key, entry);
    return entry;
  }

  #shorten(vector: Float32Array): Int8Array {
    return shortenVector(vector, this.#projection, this.#dimension);
  }
}

const INT8_MAX = 127;

/** The first principal components of a vector as int8, the largest at ±127; `projection` is `[dimension, vector]`. */
export function shortenVector(vector: Float32Array, projection: Float32Array, dimension: number): Int8Array {
  const short = new Float64Array(dimension);
  let largest = 0;
  for (let row = 0; row < dimension; row++) {
    const sum = dot(vector, projection.subarray(row * vector.length, (row + 1) * vector.length));
    short[row] = sum;
    largest = Math.max(largest, Math.abs(sum));
  }
  return Int8Array.from(short, (value) => Math.round((value * INT8_MAX) / largest));
}

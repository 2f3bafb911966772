import { formatCount } from '../counts.js';
import { access, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { faultSentence, shapeFault } from '../shape-fault.js';
import { IndexMismatchError } from '../errors.js';
import { streamSha256 } from '../run/sha256.js';

export const INDEX_KIND = 'perturbql-table-index';
export const GRAPH_KIND = 'perturbql-table-graph';
export const CELLS_KIND = 'perturbql-table-cells';
export const INDEX_VERSION = 1;

/** Files of an index folder. */
export const INDEX_FILES = {
  manifest: 'manifest.json',
  tables: 'tables.jsonl',
  vectors: 'vectors.i8',
  graph: 'hnsw.bin',
  graphManifest: 'hnsw.json',
  cells: 'cells.bin',
  cellVectors: 'cells.i8',
  cellManifest: 'cells.json',
} as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
const fileSchema = z.strictObject({ bytes: z.number().int().nonnegative(), sha256 });

const manifestSchema = z.strictObject({
  kind: z.literal(INDEX_KIND),
  version: z.literal(INDEX_VERSION),
  encoder: z.strictObject({ name: z.string(), revision: z.string(), sha256 }),
  /** TABLE_CONTEXT_VERSION at the time of the build. */
  contextVersion: z.number().int(),
  dimension: z.number().int().positive(),
  /** Number of tables. */
  count: z.number().int().positive(),
  columns: z.strictObject({ min: z.number().int(), max: z.number().int() }),
  files: z.strictObject({ [INDEX_FILES.tables]: fileSchema, [INDEX_FILES.vectors]: fileSchema }),
  /** Tables of the corpus that were left out, by reason. */
  skipped: z.record(z.string(), z.number().int().positive()),
});

const graphSchema = z.strictObject({
  kind: z.literal(GRAPH_KIND),
  version: z.literal(INDEX_VERSION),
  space: z.literal('ip'),
  m: z.number().int().positive(),
  efConstruction: z.number().int().positive(),
  seed: z.number().int().nonnegative(),
  /** Vectors that the graph was built from. */
  vectorsSha256: sha256,
  files: z.strictObject({ [INDEX_FILES.graph]: fileSchema }),
});

const cellSchema = z.strictObject({
  kind: z.literal(CELLS_KIND),
  version: z.literal(INDEX_VERSION),
  /** Number of cells. */
  cells: z.number().int().positive(),
  rounds: z.number().int().positive(),
  /** Vectors that the cells were made of, and the tables whose places are listed with them. */
  vectorsSha256: sha256,
  tablesSha256: sha256,
  files: z.strictObject({ [INDEX_FILES.cells]: fileSchema, [INDEX_FILES.cellVectors]: fileSchema }),
});

/** `manifest.json`: what an index was built with and the hashes of its files. */
export type IndexManifest = z.infer<typeof manifestSchema>;
/** `hnsw.json`: how the graph was built, and from which vectors. */
export type GraphManifest = z.infer<typeof graphSchema>;
/** `cells.json`: how the cells were made, and from which vectors and tables. */
export type CellManifest = z.infer<typeof cellSchema>;
/** Size and hash of one file. */
export type FileRecord = z.infer<typeof fileSchema>;

/** The advice that every fault of an index ends with. */
export function rebuildFix(folder: string): string {
  return `Build it again: perturbql index build --from <corpus> --out ${folder}`;
}

/** The error about a file of an index, with the command that repairs it. */
export function indexMismatch(message: string, folder: string, file: string, cause?: unknown): IndexMismatchError {
  return new IndexMismatchError(message, { fix: rebuildFix(folder), where: { file: join(folder, file) }, cause });
}

async function readJson(folder: string, file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(join(folder, file), 'utf8');
  } catch (cause) {
    throw indexMismatch(`the index has no ${file}`, folder, file, cause);
  }
  if (isLfsPointer(text)) throw lfsError(folder, file);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw indexMismatch(`${file} is not JSON`, folder, file, cause);
  }
}

function isLfsPointer(text: string): boolean {
  return text.startsWith('version https://git-lfs.github.com/spec/');
}

function lfsError(folder: string, file: string): IndexMismatchError {
  const fix = `Run \`git lfs pull\`, or build it again: perturbql index build --from <corpus> --out ${folder}`;
  return new IndexMismatchError('the file is a Git LFS pointer, not the data', {
    fix,
    where: { file: join(folder, file) },
  });
}

async function readChecked<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> {
  const json = await readJson(folder, file);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const fault = faultSentence(shapeFault(parsed.error, json), 'it');
  throw indexMismatch(`${file} is not the manifest of an index of this version: ${fault}`, folder, file);
}

/**
 * The manifest of an index folder; reads nothing else.
 * @throws IndexMismatchError when it is missing, not JSON, an LFS pointer, or of another kind or version.
 */
export function readIndexManifest(folder: string): Promise<IndexManifest> {
  return readChecked(folder, INDEX_FILES.manifest, manifestSchema);
}

/** The graph's manifest. @throws IndexMismatchError as `readIndexManifest` does. */
export function readGraphManifest(folder: string): Promise<GraphManifest> {
  return readChecked(folder, INDEX_FILES.graphManifest, graphSchema);
}

/** The manifest of the cells. @throws IndexMismatchError as `readIndexManifest` does. */
export function readCellManifest(folder: string): Promise<CellManifest> {
  return readChecked(folder, INDEX_FILES.cellManifest, cellSchema);
}

/** True where an index folder has the file. */
export function hasIndexFile(folder: string, file: string): Promise<boolean> {
  return access(join(folder, file)).then(
    () => true,
    () => false,
  );
}

/** Size and SHA-256 of a file, read as a stream. */
export async function describeFile(path: string): Promise<FileRecord> {
  return { bytes: (await stat(path)).size, sha256: await streamSha256(path) };
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Checks that a file of an index is there in its full size, for files whose parts are checked when they are read.
 * @throws IndexMismatchError when it is missing, an LFS pointer, or of another size.
 */
export async function checkIndexFileSize(folder: string, file: string, expected: FileRecord): Promise<void> {
  const path = join(folder, file);
  let start: string;
  try {
    start = await readStart(path);
  } catch (cause) {
    throw indexMismatch(`the index has no ${file}`, folder, file, cause);
  }
  if (isLfsPointer(start)) throw lfsError(folder, file);
  const { size } = await stat(path);
  if (size === expected.bytes) return;
  throw indexMismatch(
    `the file has ${formatCount(size)} bytes, the manifest says ${formatCount(expected.bytes)}`,
    folder,
    file,
  );
}

/**
 * Checks a file of an index against its record before anything loads it.
 * @throws IndexMismatchError when it is missing, an LFS pointer, of another size or of another SHA-256.
 */
export async function checkIndexFile(folder: string, file: string, expected: FileRecord): Promise<void> {
  await checkIndexFileSize(folder, file, expected);
  const actual = await streamSha256(join(folder, file));
  if (actual === expected.sha256) return;
  throw indexMismatch(`the file's sha256 is ${actual}, the manifest says ${expected.sha256}`, folder, file);
}

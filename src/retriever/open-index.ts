import { formatCount } from '../counts.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexMismatchError } from '../errors.js';
import { sha256Of } from '../run/sha256.js';
import { decodeDirectory, directoryBytes } from './cell-directory.js';
import { rowStride } from './dot-kernel.js';
import {
  checkIndexFile,
  checkIndexFileSize,
  hasIndexFile,
  INDEX_FILES,
  indexMismatch,
  readCellManifest,
  readGraphManifest,
  readIndexManifest,
  type CellManifest,
  type GraphManifest,
  type IndexManifest,
} from './index-manifest.js';
import { TABLE_CONTEXT_VERSION } from './table-context.js';
import { TableIndex, type OpenedCells, type TableIndexParts } from './table-index.js';
import { LoadedTables, StoredTables } from './table-store.js';
import type { TextEmbedder } from './text-embedder.js';
import { VectorTable } from './vector-table.js';

function mismatch(folder: string, message: string, file: string = INDEX_FILES.manifest): IndexMismatchError {
  return indexMismatch(message, folder, file);
}

function describeEncoder(name: string, revision: string, sha256: string, dimension: number): string {
  return `${name} (${revision}, sha256 ${sha256.slice(0, 12)}, ${dimension} dimensions)`;
}

function checkEncoder(folder: string, manifest: IndexManifest, embedder: TextEmbedder): void {
  const { encoder, dimension } = manifest;
  const { model } = embedder;
  if (encoder.sha256 === model.sha256 && dimension === embedder.dimension) return;
  const built = describeEncoder(encoder.name, encoder.revision, encoder.sha256, dimension);
  const used = describeEncoder(model.name, model.revision, model.sha256, embedder.dimension);
  throw mismatch(folder, `the index was built with the encoder ${built}, but the one in use is ${used}`);
}

function checkShape(folder: string, manifest: IndexManifest): void {
  if (manifest.contextVersion !== TABLE_CONTEXT_VERSION) {
    const versions = `version ${manifest.contextVersion}, now ${TABLE_CONTEXT_VERSION}`;
    throw mismatch(folder, `the index was built from another text of its tables (${versions})`);
  }
  const { bytes } = manifest.files[INDEX_FILES.vectors];
  if (bytes === manifest.count * manifest.dimension) return;
  const shape = `${formatCount(manifest.count)} vectors of ${manifest.dimension} bytes`;
  throw mismatch(folder, `the manifest promises ${shape}, but ${formatCount(bytes)} bytes of vectors`);
}

async function openGraph(folder: string, manifest: IndexManifest): Promise<GraphManifest | null> {
  if (!(await hasIndexFile(folder, INDEX_FILES.graphManifest))) return null;
  const graph = await readGraphManifest(folder);
  if (graph.vectorsSha256 !== manifest.files[INDEX_FILES.vectors].sha256) {
    throw mismatch(folder, 'the graph was built from other vectors than those of the index', INDEX_FILES.graphManifest);
  }
  await checkIndexFile(folder, INDEX_FILES.graph, graph.files[INDEX_FILES.graph]);
  return graph;
}

function checkCellManifest(folder: string, manifest: IndexManifest, cells: CellManifest): void {
  const { [INDEX_FILES.vectors]: vectors, [INDEX_FILES.tables]: tables } = manifest.files;
  if (cells.vectorsSha256 !== vectors.sha256 || cells.tablesSha256 !== tables.sha256) {
    throw mismatch(folder, 'the cells were made of other tables than those of the index', INDEX_FILES.cellManifest);
  }
  const stride = rowStride(manifest.dimension);
  const { [INDEX_FILES.cells]: directory, [INDEX_FILES.cellVectors]: rows } = cells.files;
  const expected = [directoryBytes(manifest.count, cells.cells, stride), manifest.count * stride];
  if (directory.bytes === expected[0] && rows.bytes === expected[1]) return;
  throw mismatch(folder, 'the manifest of the cells contradicts itself', INDEX_FILES.cellManifest);
}

/** Reads what an index divided into cells keeps in memory. The large files are looked at no further than their size. */
async function openCells(folder: string, manifest: IndexManifest): Promise<OpenedCells | null> {
  if (!(await hasIndexFile(folder, INDEX_FILES.cellManifest))) return null;
  const cells = await readCellManifest(folder);
  checkCellManifest(folder, manifest, cells);
  await checkIndexFile(folder, INDEX_FILES.cells, cells.files[INDEX_FILES.cells]);
  await checkIndexFileSize(folder, INDEX_FILES.cellVectors, cells.files[INDEX_FILES.cellVectors]);
  await checkIndexFileSize(folder, INDEX_FILES.tables, manifest.files[INDEX_FILES.tables]);
  await checkIndexFileSize(folder, INDEX_FILES.vectors, manifest.files[INDEX_FILES.vectors]);
  const { buffer, byteOffset, length } = await readFile(join(folder, INDEX_FILES.cells));
  const bytes = buffer.slice(byteOffset, byteOffset + length);
  return {
    manifest: cells,
    directory: decodeDirectory(bytes, manifest.count, cells.cells, rowStride(manifest.dimension)),
  };
}

async function loadVectors(folder: string, manifest: IndexManifest): Promise<VectorTable> {
  await checkIndexFile(folder, INDEX_FILES.vectors, manifest.files[INDEX_FILES.vectors]);
  return new VectorTable(await readFile(join(folder, INDEX_FILES.vectors)), manifest.dimension);
}

type ContentParts = Pick<TableIndexParts, 'graph' | 'cells' | 'tables' | 'loadVectors'>;

/** An index of moderate size: tables and vectors are checked whole and kept in memory. */
async function openWhole(folder: string, manifest: IndexManifest): Promise<ContentParts> {
  await checkIndexFile(folder, INDEX_FILES.tables, manifest.files[INDEX_FILES.tables]);
  const vectors = await loadVectors(folder, manifest);
  const graph = await openGraph(folder, manifest);
  const tables = new LoadedTables(await readFile(join(folder, INDEX_FILES.tables)));
  return { graph, cells: null, tables, loadVectors: () => Promise.resolve(vectors) };
}

async function openContent(folder: string, manifest: IndexManifest): Promise<ContentParts> {
  const cells = await openCells(folder, manifest);
  if (cells === null) return openWhole(folder, manifest);
  const tables = new StoredTables(folder, cells.directory.lines);
  return { graph: null, cells, tables, loadVectors: () => loadVectors(folder, manifest) };
}

/** Returns everything that determines the answers: tables, vectors and encoder. Counts of skipped tables do not. */
function fingerprintOf(manifest: IndexManifest): string {
  const { files, encoder, dimension, contextVersion } = manifest;
  const parts = [
    files[INDEX_FILES.tables].sha256,
    files[INDEX_FILES.vectors].sha256,
    encoder.sha256,
    dimension,
    contextVersion,
  ];
  return `index:${sha256Of(JSON.stringify(parts)).slice(0, 32)}`;
}

/**
 * Opens an index folder. The manifest is checked first, then every file's size and SHA-256, and only then is anything
 * loaded; hnswlib would load an index of another dimension and answer wrongly. An index that is divided into cells is
 * not read through: its large files are checked by size, their parts by checksum when they are read. Without an
 * embedder (BM25, `index info`) the encoder is not checked. Memory: the tables' text and `dimension` bytes per table;
 * with cells, 20 bytes per table.
 * @throws IndexMismatchError when the index was built with another encoder, dimension, table text or version, or when a
 * file is missing, truncated, changed or a Git LFS pointer.
 */
export async function openIndex(folder: string, embedder: TextEmbedder | null): Promise<TableIndex> {
  const manifest = await readIndexManifest(folder);
  checkShape(folder, manifest);
  if (embedder !== null) checkEncoder(folder, manifest, embedder);
  const content = await openContent(folder, manifest);
  const index = new TableIndex({ folder, manifest, fingerprint: fingerprintOf(manifest), ...content });
  if (index.size === manifest.count) return index;
  throw mismatch(
    folder,
    `the file holds ${formatCount(index.size)} tables, the manifest says ${formatCount(manifest.count)}`,
    INDEX_FILES.tables,
  );
}

import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IndexMismatchError } from '../errors.js';
import { sha256Of } from '../run/sha256.js';
import {
  checkIndexFile,
  INDEX_FILES,
  readGraphManifest,
  readIndexManifest,
  rebuildFix,
  type GraphManifest,
  type IndexManifest,
} from './index-manifest.js';
import { TABLE_CONTEXT_VERSION } from './table-context.js';
import { TableIndex } from './table-index.js';
import type { TextEmbedder } from './text-embedder.js';
import { VectorTable } from './vector-table.js';

function mismatch(folder: string, message: string, file: string = INDEX_FILES.manifest): IndexMismatchError {
  return new IndexMismatchError(message, { fix: rebuildFix(folder), where: { file: join(folder, file) } });
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
  const shape = `${manifest.count} vectors of ${manifest.dimension} bytes`;
  throw mismatch(folder, `the manifest promises ${shape}, but ${bytes} bytes of vectors`);
}

async function openGraph(folder: string, manifest: IndexManifest): Promise<GraphManifest | null> {
  const exists = await access(join(folder, INDEX_FILES.graphManifest)).then(
    () => true,
    () => false,
  );
  if (!exists) return null;
  const graph = await readGraphManifest(folder);
  if (graph.vectorsSha256 !== manifest.files[INDEX_FILES.vectors].sha256) {
    throw mismatch(folder, 'the graph was built from other vectors than those of the index', INDEX_FILES.graphManifest);
  }
  await checkIndexFile(folder, INDEX_FILES.graph, graph.files[INDEX_FILES.graph]);
  return graph;
}

/** What decides the answers: tables, vectors and encoder. Counts of skipped tables do not. */
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
 * loaded; hnswlib would load an index of another dimension and answer wrongly. Without an embedder (BM25, `index info`)
 * the encoder is not checked. Memory: the tables' text and `dimension` bytes per table.
 * @throws IndexMismatchError when the index was built with another encoder, dimension, table text or version, or
 * when a file is missing, truncated, changed or a Git LFS pointer.
 */
export async function openIndex(folder: string, embedder: TextEmbedder | null): Promise<TableIndex> {
  const manifest = await readIndexManifest(folder);
  checkShape(folder, manifest);
  if (embedder !== null) checkEncoder(folder, manifest, embedder);
  await checkIndexFile(folder, INDEX_FILES.tables, manifest.files[INDEX_FILES.tables]);
  await checkIndexFile(folder, INDEX_FILES.vectors, manifest.files[INDEX_FILES.vectors]);
  const graph = await openGraph(folder, manifest);
  const vectors = new VectorTable(await readFile(join(folder, INDEX_FILES.vectors)), manifest.dimension);
  const tables = await readFile(join(folder, INDEX_FILES.tables));
  const index = new TableIndex({ folder, manifest, graph, fingerprint: fingerprintOf(manifest), tables, vectors });
  if (index.size === manifest.count) return index;
  throw mismatch(
    folder,
    `the file holds ${index.size} tables, the manifest says ${manifest.count}`,
    INDEX_FILES.tables,
  );
}

import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGraph } from '../../src/retriever/hnsw-graph.js';
import { INDEX_FILES } from '../../src/retriever/index-manifest.js';
import { cpuSeconds, peakMemory } from './measure-build.js';

/** A graph of hnswlib over the vectors of an index. */
export interface RivalBuild {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly bytesPerTable: number;
}

/** Copies an index folder without its cells and gives it a graph, whatever its size. */
export async function buildRival(folder: string, rival: string): Promise<RivalBuild> {
  await rm(rival, { recursive: true, force: true });
  cpSync(folder, rival, { recursive: true });
  const cells = [INDEX_FILES.cells, INDEX_FILES.cellVectors, INDEX_FILES.cellManifest];
  for (const file of cells) await rm(join(rival, file), { force: true });
  const [wall, cpu] = [performance.now(), cpuSeconds()];
  const manifest = await buildGraph(rival, { signal: new AbortController().signal });
  const { bytes } = manifest.files[INDEX_FILES.graph];
  return {
    seconds: (performance.now() - wall) / 1000,
    cpuSeconds: cpuSeconds() - cpu,
    peakMb: peakMemory(),
    bytesPerTable: bytes,
  };
}

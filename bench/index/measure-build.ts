import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CorpusFilter } from '../../src/retriever/corpus-filter.js';
import { buildIndex, type BuildProgress } from '../../src/retriever/index-builder.js';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';
import { type Base, syntheticCorpus, syntheticEmbedder } from './synthetic-tables.js';

/** One build of an index, given the vectors. */
export interface BuildFigures {
  readonly tables: number;
  readonly search: string;
  /** Wall seconds: all, and of them the last step (graph or cells). */
  readonly seconds: number;
  readonly searchSeconds: number;
  readonly cpuSeconds: number;
  /** Largest resident memory of the process, MB. */
  readonly peakMb: number;
  /** Bytes per table on disk, by file. */
  readonly bytesPerTable: Readonly<Record<string, number>>;
}

/** Largest resident memory of this process so far, MB. */
export function peakMemory(): number {
  return process.resourceUsage().maxRSS / 1000;
}

/** Resident memory of this process now, MB, without what is only waiting to be collected. */
export function residentMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
}

/** CPU seconds of this process so far, all threads. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function sizesPerTable(folder: string, tables: number): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of (await readdir(folder)).sort()) sizes[name] = (await stat(join(folder, name))).size / tables;
  return sizes;
}

/** Builds an index of `count` synthetic tables in a new folder, in this process. */
export async function measureBuild(
  base: Base,
  seed: number,
  count: number,
  folder: string,
  model: TextEmbedder['model'],
): Promise<BuildFigures> {
  const [wall, cpu] = [performance.now(), cpuSeconds()];
  let embedded = wall;
  const onProgress = ({ step, done, total }: BuildProgress): void => {
    if (step === 'embed' && done === total) embedded = performance.now();
  };
  const report = await buildIndex({
    corpus: syntheticCorpus(base, seed, count),
    folder,
    embedder: syntheticEmbedder(base, seed, model),
    filter: new CorpusFilter(),
    signal: new AbortController().signal,
    onProgress,
  });
  const end = performance.now();
  return {
    tables: report.manifest.count,
    search: report.search,
    seconds: (end - wall) / 1000,
    searchSeconds: (end - embedded) / 1000,
    cpuSeconds: cpuSeconds() - cpu,
    peakMb: peakMemory(),
    bytesPerTable: await sizesPerTable(folder, report.manifest.count),
  };
}

import type { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { ExactRetriever } from '../../src/retriever/exact-retriever.js';
import { HnswRetriever } from '../../src/retriever/hnsw-retriever.js';
import { openIndex } from '../../src/retriever/open-index.js';
import { renderTargetQuery } from '../../src/retriever/table-context.js';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import type { TableRetriever, TargetTable } from '../../src/stage.js';
import { spread } from './base-tables.js';
import { embedAll } from './base-vectors.js';
import { cpuSeconds, peakMemory, residentMemory } from './measure-build.js';

const TOP = 100;

/** Milliseconds per query. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** Wall clock and CPU time; the first suffers from whatever else the machine does. */
interface PassFigures {
  readonly wall: Latency;
  readonly cpu: Latency;
}

/** Search in one index. */
export interface SearchFigures {
  readonly openMs: number;
  /** Resident memory in MB: before opening (Node, encoder with its sessions, vectors of the queries), after, after all queries. */
  readonly memoryMb: {
    readonly before: number;
    readonly opened: number;
    readonly searched: number;
    readonly peak: number;
  };
  /** Each query once after opening, and once again. */
  readonly first: PassFigures;
  readonly again: PassFigures;
  readonly queries: number;
  /** Queries that were compared with exact search. */
  readonly truths: number;
  /** Share of the exact 100 nearest that were found; mean, and of the worst twentieth. */
  readonly recall: { readonly mean: number; readonly p5: number };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function latencyOf(times: readonly number[]): Latency {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** An encoder that already knows the queries, so that only the search is timed. */
function knowing(texts: readonly string[], vectors: Float32Array, encoder: SentenceEncoder): TextEmbedder {
  const { dimension, fingerprint, model } = encoder;
  const places = new Map(texts.map((text, place) => [text, place * dimension]));
  const find = (text: string): Float32Array => vectors.subarray(places.get(text), places.get(text)! + dimension);
  return { dimension, fingerprint, model, embed: async (wanted) => wanted.map(find) };
}

async function idsOf(retriever: TableRetriever, target: TargetTable): Promise<readonly string[]> {
  const [found] = await retriever.retrieve([target], TOP, createStageContext(0, NOOP_HOST));
  return (found ?? []).map(({ table }) => table.id);
}

interface Pass {
  readonly figures: PassFigures;
  readonly ids: readonly (readonly string[])[];
}

async function searchAll(retriever: TableRetriever, targets: readonly TargetTable[]): Promise<Pass> {
  const [wall, cpu]: [number[], number[]] = [[], []];
  const ids: (readonly string[])[] = [];
  for (const target of targets) {
    const [start, used] = [performance.now(), cpuSeconds()];
    ids.push(await idsOf(retriever, target));
    wall.push(performance.now() - start);
    cpu.push((cpuSeconds() - used) * 1000);
  }
  return { figures: { wall: latencyOf(wall), cpu: latencyOf(cpu) }, ids };
}

async function recallOf(
  exact: TableRetriever,
  targets: readonly TargetTable[],
  found: readonly (readonly string[])[],
): Promise<SearchFigures['recall']> {
  const shares: number[] = [];
  for (const [i, target] of targets.entries()) {
    const truth = new Set(await idsOf(exact, target));
    shares.push(found[i]!.filter((id) => truth.has(id)).length / truth.size);
  }
  return { mean: shares.reduce((sum, share) => sum + share, 0) / shares.length, p5: percentile(shares, 0.05) };
}

/**
 * Opens an index next to a working encoder, asks every target of it twice, then compares the first `truths` with exact
 * search.
 */
export async function measureSearch(
  folder: string,
  targets: readonly TargetTable[],
  truths: number,
  encoder: SentenceEncoder,
): Promise<SearchFigures> {
  const texts = targets.map(renderTargetQuery);
  const embedder = knowing(texts, await embedAll(texts, encoder), encoder);
  const before = residentMemory();
  const start = performance.now();
  const index = await openIndex(folder, embedder);
  const retriever = await HnswRetriever.create(index, embedder);
  const openMs = performance.now() - start;
  const opened = residentMemory();
  const first = await searchAll(retriever, targets);
  const again = await searchAll(retriever, targets);
  const memoryMb = { before, opened, searched: residentMemory(), peak: peakMemory() };
  const recall = await recallOf(
    new ExactRetriever(index, embedder),
    spread(targets, truths),
    spread(again.ids, truths),
  );
  return {
    openMs,
    memoryMb,
    first: first.figures,
    again: again.figures,
    queries: targets.length,
    truths: Math.min(truths, targets.length),
    recall,
  };
}

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBaseTables, spread, type BaseTables } from '../../bench/index/base-tables.js';
import { renderIndexReport, type IndexReport } from '../../bench/index/index-report.js';
import { runIndexBench } from '../../bench/index/run-index-bench.js';
import {
  type Base,
  createSyntheticTable,
  createSyntheticVector,
  syntheticCorpus,
  syntheticEmbedder,
} from '../../bench/index/synthetic-tables.js';
import { ConfigError } from '../../src/errors.js';
import { CorpusFilter } from '../../src/retriever/corpus-filter.js';
import { renderCorpusTable } from '../../src/retriever/table-context.js';
import { HashingEmbedder } from '../retriever/hashing-embedder.js';
import { createTables, readAll } from '../retriever/retriever-fixture.js';

const signal = new AbortController().signal;
const embedder = new HashingEmbedder();
let base: Base;
beforeAll(async () => {
  const tables = createTables(40);
  const vectors = await embedder.embed(tables.map(renderCorpusTable), signal);
  base = { tables, vectors: Float32Array.from(vectors.flatMap((vector) => [...vector])), dimension: 32 };
});

describe('synthetic tables', () => {
  it('are the same for the same seed and number, and others for others', () => {
    expect(createSyntheticTable(base, 1, 7)).toEqual(createSyntheticTable(base, 1, 7));
    expect(createSyntheticTable(base, 2, 7)).not.toEqual(createSyntheticTable(base, 1, 7));
    expect(createSyntheticVector(base, 1, 7)).toEqual(createSyntheticVector(base, 1, 7));
  });

  it('pass the corpus filter, none of them twice', async () => {
    const filter = new CorpusFilter();
    const kept = (await readAll(syntheticCorpus(base, 1, 500))).filter((entry) => filter.keep(entry) !== null);
    expect(kept.length).toBe(500);
  });

  it('have vectors of length 1, which the embedder finds by the text', async () => {
    const stand = syntheticEmbedder(base, 1, embedder.model);
    const [vector] = await stand.embed([renderCorpusTable(createSyntheticTable(base, 1, 12))], signal);
    expect(vector).toEqual(createSyntheticVector(base, 1, 12));
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
  });
});

describe('readBaseTables', () => {
  let found: BaseTables;
  beforeAll(async () => {
    found = await readBaseTables(process.cwd(), join(tmpdir(), 'no-such-data'), { tables: 50, targets: 20 });
  });

  it('reads the starter corpus where the shared tables are absent', () => {
    expect(found.source).toContain('starter index');
    expect(found.tables).toHaveLength(50);
    expect(found.targets).toHaveLength(20);
  });

  it('holds the targets back', () => {
    const titles = new Set(found.tables.map(({ title, columns }) => `${title}|${columns.join(',')}`));
    for (const { table } of found.targets) {
      expect(titles).not.toContain(`${table.name}|${table.columns.map(({ name }) => name).join(',')}`);
    }
  });
});

it('spread takes items from everywhere, all of them where there are too few', () => {
  expect(spread([0, 1, 2, 3, 4, 5], 3)).toEqual([0, 2, 4]);
  expect(spread([0, 1], 3)).toEqual([0, 1]);
});

const latency = { p50: 1.25, p95: 2.5 };
const pass = { wall: latency, cpu: latency };
const REPORT: IndexReport = {
  date: '2026-01-02',
  machine: 'a machine',
  load: 0.5,
  seconds: 12,
  encoder: 'an encoder',
  base: { source: 'somewhere', tables: 40, seed: 1 },
  neighbors: { real: { 1: 0.9, 10: 0.8, 100: 0.7 }, synthetic: { 1: 0.91, 10: 0.81, 100: 0.71 } },
  rates: [{ texts: 'title, columns', tables: 10, characters: 71.6, perSecond: 300.4, perCpuSecond: 160 }],
  sessions: 2,
  curve: [
    {
      build: {
        tables: 60_000,
        search: 'cells',
        seconds: 30,
        searchSeconds: 10,
        cpuSeconds: 24,
        peakMb: 300,
        bytesPerTable: { 'tables.jsonl': 390, 'vectors.i8': 384, 'cells.i8': 384, 'cells.bin': 26 },
      },
      search: {
        openMs: 20,
        memoryMb: { before: 200, opened: 203, searched: 230, peak: 240 },
        first: pass,
        again: pass,
        queries: 300,
        truths: 100,
        recall: { mean: 0.9912, p5: 0.96 },
      },
      rival: null,
    },
  ],
};

it('renderIndexReport puts every figure into one table', () => {
  const text = renderIndexReport(REPORT);
  expect(text).toContain(
    '| 60,000 | cells | 30.0 / 24.0 | 2,500 | 300 | 1,184 / 500 | 20 | 200 / 203 / 230 | 1.25 / 2.50 | 1.25 / 2.50 | 1.25 / 2.50 | 0.9912 / 0.96 |',
  );
  expect(text).toContain('title, columns (10 texts of 72 characters): 300 tables/s with 2 sessions');
  expect(text).toContain('real tables 0.900 / 0.800 / 0.700');
});

it.each([[['--tables', 'many']], [['--curve', '1,x']], [['--nope']]])('runIndexBench refuses %s', async (args) => {
  const output = { print: () => undefined, tell: () => undefined, record: () => undefined };
  await expect(runIndexBench(args, process.cwd(), output)).rejects.toThrow(ConfigError);
});

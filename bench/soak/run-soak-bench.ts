import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
// Compiled because of this: the pool starts it as a worker thread.
import type {} from '../../src/inference/inference-worker.js';
import { locateModel } from '../../src/inference/model-store.js';
import { EconomicalScorer, OnnxEntailmentScorer } from '../../src/nli/entailment-scorer.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import { ScoreCache } from '../../src/run/score-cache.js';
import type { EntailmentPair, EntailmentScorer } from '../../src/stage.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { afterWarmUp, GROWTH_UNIT, growthOf, type MemoryPoint } from './memory-curve.js';
import { syntheticPairs } from './synthetic-pairs.js';

/** Pairs asked for at a time, about what four tables have in flight. */
const AT_ONCE = 500;
const MEGABYTE = 2 ** 20;

interface Options {
  readonly pairs: number;
  /** Highest growth that passes, megabytes per 10,000 pairs after the warm-up. */
  readonly bound: number;
  readonly nli: string;
  readonly jobs: number | undefined;
}

function readOptions(args: readonly string[], root: string): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        pairs: { type: 'string', default: '200000' },
        bound: { type: 'string', default: '1' },
        nli: { type: 'string', default: join('models', 'nli') },
        jobs: { type: 'string' },
      },
    });
    const [pairs, bound] = [Number(values.pairs), Number(values.bound)];
    if (!(pairs > 0 && bound > 0)) throw new Error('a number above 0 is expected');
    const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
    return { pairs, bound, nli: resolve(root, values.nli), jobs };
  } catch (cause) {
    const fix = 'Give any of: --pairs N, --bound MB, --nli DIR, --jobs N.';
    throw new ConfigError('bench:soak does not know this option', { cause, fix });
  }
}

/** Resident memory, after a collection where Node was started with --expose-gc. */
function residentMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / MEGABYTE;
}

function take(pairs: Iterator<EntailmentPair>, count: number): readonly EntailmentPair[] {
  return Array.from({ length: count }, () => pairs.next().value as EntailmentPair);
}

/** Scores synthetic pairs, `atOnce` at a time, and notes resident memory after each lot. */
async function* soak(scorer: EntailmentScorer, pairs: number, atOnce = AT_ONCE): AsyncGenerator<MemoryPoint> {
  const context = createStageContext(0, NOOP_HOST);
  const source = syntheticPairs(1);
  for (let done = 0; done < pairs;) {
    const lot = take(source, Math.min(atOnce, pairs - done));
    await scorer.score(lot, context);
    done += lot.length;
    yield { pairs: done, megabytes: residentMegabytes() };
  }
}

async function watch(
  scorer: EntailmentScorer,
  pairs: number,
  print: BenchOutput['print'],
): Promise<readonly MemoryPoint[]> {
  const [points, started]: [MemoryPoint[], number] = [[], performance.now()];
  print('  pairs   RSS MB   pairs/s');
  for await (const point of soak(scorer, pairs)) {
    points.push(point);
    if (point.pairs % GROWTH_UNIT !== 0 && point.pairs !== pairs) continue;
    const rate = point.pairs / ((performance.now() - started) / 1000);
    print(
      `${String(point.pairs).padStart(7)}  ${point.megabytes.toFixed(1).padStart(7)}  ${rate.toFixed(0).padStart(8)}`,
    );
  }
  return points;
}

function figureTable(measured: {
  readonly points: readonly MemoryPoint[];
  readonly growth: number;
  readonly cpuSeconds: number;
}): FigureTable {
  const { points, growth, cpuSeconds } = measured;
  const last = points.at(-1)?.pairs ?? 0;
  const settled = afterWarmUp(points).map(({ megabytes }) => megabytes);
  const row = {
    pairs: last,
    low: Math.min(...settled),
    high: Math.max(...settled),
    growth,
    cpu: cpuSeconds,
    perPair: (1000 * cpuSeconds) / last,
  };
  return {
    id: 'soak',
    title: 'Memory over a long run of the judge',
    about:
      'Synthetic pairs scored as a run does, through sessions, memory and cache. Memory is resident, after the first quarter of the pairs; ' +
      'growth is the median of the slopes between any two points.',
    columns: {
      pairs: { head: 'pairs' },
      low: { head: 'least memory, MB', decimals: 0 },
      high: { head: 'most memory, MB', decimals: 0 },
      growth: { head: 'growth, MB per 10,000 pairs', decimals: 2 },
      cpu: { head: 'CPU s', decimals: 0 },
      perPair: { head: 'CPU ms a pair', decimals: 2 },
    },
    rows: { memory: row },
  };
}

/**
 * Scores synthetic pairs as a run does, through sessions, memory and cache, and prints the curve of resident memory. True
 * where its growth after the warm-up is within the bound.
 * @throws ConfigError when an option is wrong; ModelFileError when the model can't be run.
 */
export async function runSoakBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { print, record } = output;
  const { pairs, bound, nli, jobs } = readOptions(args, root);
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-soak-'));
  const model = locateModel('nli', nli);
  const scorer = new EconomicalScorer(
    new OnnxEntailmentScorer(model, jobs),
    new ScoreCache(folder, model.sha256, print),
  );
  try {
    const points = await watch(scorer, pairs, print);
    const settled = afterWarmUp(points);
    const growth = growthOf(settled);
    const [first, last] = [settled[0]!, settled.at(-1)!];
    const { user, system } = process.cpuUsage();
    print(`CPU: ${((user + system) / 1e6).toFixed(1)} s, ${((user + system) / 1000 / pairs).toFixed(2)} ms a pair`);
    print(
      `after the warm-up: ${first.megabytes.toFixed(1)} MB at ${first.pairs}, ${last.megabytes.toFixed(1)} MB at ${last.pairs}`,
    );
    record(figureTable({ points, growth, cpuSeconds: (user + system) / 1e6 }));
    print(
      `growth: ${growth.toFixed(2)} MB per ${GROWTH_UNIT} pairs, bound ${bound}: ${growth <= bound ? 'flat' : 'it grows'}`,
    );
    return growth <= bound;
  } finally {
    await scorer.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

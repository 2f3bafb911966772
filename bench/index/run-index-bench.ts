import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
// Compiled because of this: the encoder starts it as a worker.
import type {} from '../../src/inference/inference-worker.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { readBaseTables, spread } from './base-tables.js';
import { loadBase, runStep, saveBase, startStep, type StepInput } from './bench-step.js';
import type { BenchOutput } from '../run-bench.js';
import { type CurvePoint, indexFigures, type IndexReport, renderIndexReport } from './index-report.js';
import { measureEncoder } from './measure-encoder.js';
import { profileNeighbors } from './neighbor-profile.js';

/** Sizes of the curve, as far as they are below the one that is asked for. */
const CURVE = '6000,60000';
/** A graph by hnswlib-node is built up to this size: it takes 1 s per 1,000 tables, and more the more there are. */
const RIVAL_UP_TO = 60_000;
const RATE_SAMPLE = 1_000;

interface Options {
  readonly tables: number;
  readonly curve: readonly number[];
  readonly base: number;
  readonly queries: number;
  readonly truths: number;
  readonly seed: number;
  readonly sessions: number;
  readonly data: string;
  readonly work: string;
  readonly encoder: string;
  readonly rival: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} ${text} is no whole number above 0`);
}

function readOptions(args: readonly string[], root: string): Options {
  try {
    const text = (value: string) => ({ type: 'string', default: value }) as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        tables: text('60000'),
        curve: text(CURVE),
        base: text('6000'),
        queries: text('300'),
        truths: text('100'),
        seed: text('1'),
        sessions: text(String(availableParallelism())),
        data: text(join('..', 'shared', 'data')),
        work: text(join('.cache', 'bench-index')),
        encoder: text(join('models', 'encoder')),
        rival: flag,
        keep: flag,
        json: flag,
      },
    });
    const number = (name: 'tables' | 'base' | 'queries' | 'truths' | 'seed' | 'sessions'): number =>
      positive(name, values[name]);
    return {
      tables: number('tables'),
      curve: values.curve.split(',').flatMap((size) => (size === '' ? [] : [positive('curve', size)])),
      base: number('base'),
      queries: number('queries'),
      truths: number('truths'),
      seed: number('seed'),
      sessions: number('sessions'),
      data: resolve(root, values.data),
      work: resolve(root, values.work),
      encoder: resolve(root, values.encoder),
      rival: values.rival,
      keep: values.keep,
      json: values.json,
    };
  } catch (cause) {
    throw new ConfigError('bench:index does not know this option', {
      cause,
      fix: 'Give any of: --tables N, --curve N,N, --base N, --queries N, --truths N, --seed N, --sessions N, --data DIR, --work DIR, --encoder DIR, --rival, --keep, --json.',
    });
  }
}

async function measureSize(tables: number, options: Options, output: BenchOutput): Promise<CurvePoint> {
  const folder = join(options.work, `tables-${tables}`);
  const { work, encoder, seed, truths, sessions } = options;
  const step = <S extends StepInput['step']>(name: S, of = folder): StepInput & { readonly step: S } => {
    output.tell(`${tables} tables: ${name}`);
    return { step: name, work, folder: of, encoder, tables, seed, truths, sessions };
  };
  await rm(folder, { recursive: true, force: true });
  const build = await startStep(step('build'));
  const search = await startStep(step('search'));
  let rival: CurvePoint['rival'] = null;
  if (options.rival && build.search === 'cells' && tables <= RIVAL_UP_TO) {
    rival = { build: await startStep(step('rival')), search: await startStep(step('search', `${folder}-hnswlib`)) };
  }
  if (!options.keep) {
    for (const path of [folder, `${folder}-hnswlib`]) await rm(path, { recursive: true, force: true });
  }
  return { build, search, rival };
}

async function measureBase(
  options: Options,
  root: string,
  output: BenchOutput,
): Promise<Pick<IndexReport, 'encoder' | 'rates' | 'base' | 'neighbors'>> {
  const counts = { tables: options.base, targets: options.queries };
  const real = await readBaseTables(root, options.data, counts);
  saveBase(options.work, real);
  const encoder = new SentenceEncoder(locateModel('table-context-encoder', options.encoder), options.sessions);
  try {
    output.tell(`encoder: ${real.tables.length} tables of ${real.source}`);
    const rates = await measureEncoder(spread(real.tables, RATE_SAMPLE), encoder);
    const base = await loadBase(options.work, encoder);
    const { name, revision, sha256 } = encoder.model;
    return {
      encoder: `${name} ${revision} (${sha256.slice(0, 12)}), ${encoder.dimension} dimensions`,
      rates,
      base: { source: real.source, tables: real.tables.length, seed: options.seed },
      neighbors: profileNeighbors(base, options.seed),
    };
  } finally {
    await encoder.dispose();
  }
}

/**
 * Measures the table index from 6,000 tables to as many as are asked for, and prints the curve. The tables are synthetic:
 * made of real ones, with vectors made of theirs. `root` is the project's folder.
 * @throws PerturbqlError when an option or the encoder is wrong.
 */
export async function runIndexBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  if (args[0] === '--step') return runStep(args[1] ?? '');
  const options = readOptions(args, root);
  const [started, load] = [Date.now(), loadavg()[0] ?? 0];
  mkdirSync(options.work, { recursive: true });
  const base = await measureBase(options, root, output);
  const curve: CurvePoint[] = [];
  for (const tables of [...options.curve.filter((size) => size < options.tables), options.tables]) {
    curve.push(await measureSize(tables, options, output));
  }
  const report: IndexReport = {
    date: new Date(started).toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown CPU'} × ${cpus().length}, Node ${process.versions.node}`,
    load,
    seconds: (Date.now() - started) / 1000,
    sessions: options.sessions,
    ...base,
    curve,
  };
  output.record(indexFigures(report));
  output.print(options.json ? JSON.stringify(report, null, 2) : renderIndexReport(report));
}

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import type { BaseTables } from './base-tables.js';
import { embedCached } from './base-vectors.js';
import { renderCorpusTable } from '../../src/retriever/table-context.js';
import { buildRival, type RivalBuild } from './hnswlib-rival.js';
import { type BuildFigures, measureBuild } from './measure-build.js';
import { measureSearch, type SearchFigures } from './measure-search.js';
import type { Base } from './synthetic-tables.js';

/** What a step works on; it runs in a process of its own, so that its memory is its own. */
export interface StepInput {
  readonly step: 'build' | 'search' | 'rival';
  readonly work: string;
  readonly folder: string;
  readonly encoder: string;
  readonly tables: number;
  readonly seed: number;
  /** Queries whose answers are compared with exact search. */
  readonly truths: number;
  readonly sessions: number;
}

interface StepFigures {
  readonly build: BuildFigures;
  readonly search: SearchFigures;
  readonly rival: RivalBuild;
}

const TABLES_FILE = 'base-tables.json';
const TARGETS_FILE = 'targets.json';

/** Keeps the base tables and the targets for the steps. */
export function saveBase(work: string, { tables, targets }: BaseTables): void {
  writeFileSync(join(work, TABLES_FILE), JSON.stringify(tables));
  writeFileSync(join(work, TARGETS_FILE), JSON.stringify(targets));
}

function readJson<T>(work: string, file: string): T {
  return JSON.parse(readFileSync(join(work, file), 'utf8')) as T;
}

/** The base tables with their vectors by the encoder, which are computed at the first call. */
export async function loadBase(work: string, encoder: SentenceEncoder): Promise<Base> {
  const tables = readJson<BaseTables['tables']>(work, TABLES_FILE);
  return {
    tables,
    vectors: await embedCached(work, tables.map(renderCorpusTable), encoder),
    dimension: encoder.dimension,
  };
}

async function work(input: StepInput): Promise<StepFigures[StepInput['step']]> {
  if (input.step === 'rival') return buildRival(input.folder, `${input.folder}-hnswlib`);
  const encoder = new SentenceEncoder(locateModel('table-context-encoder', input.encoder), input.sessions);
  try {
    if (input.step === 'search') {
      const targets = readJson<BaseTables['targets']>(input.work, TARGETS_FILE);
      return await measureSearch(input.folder, targets, input.truths, encoder);
    }
    const base = await loadBase(input.work, encoder);
    return await measureBuild(base, input.seed, input.tables, input.folder, encoder.model);
  } finally {
    await encoder.dispose();
  }
}

/** Does one step in this process and prints its figures as JSON. */
export async function runStep(text: string): Promise<void> {
  process.stdout.write(JSON.stringify(await work(JSON.parse(text) as StepInput)));
}

/** Has one step done by a new process. */
export async function startStep<S extends StepInput['step']>(input: StepInput & { step: S }): Promise<StepFigures[S]> {
  const args = [...process.execArgv, '--expose-gc', process.argv[1]!, '--step', JSON.stringify(input)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as StepFigures[S];
}

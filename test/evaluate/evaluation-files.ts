import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { loadNeededSchemas, pairUp } from '../../src/evaluate/inputs/paired-files.js';
import { readGoldQueries } from '../../src/evaluate/inputs/gold-queries.js';
import { readPredictions } from '../../src/evaluate/inputs/predictions.js';
import type { EvaluationPair } from '../../src/evaluate/metric.js';

const SHARED = join(import.meta.dirname, '../../../shared/data');
const SUITE = join(SHARED, 'test-suite');
const SPIDER = join(SHARED, 'spider');
export const hasVerdicts = existsSync(join(SUITE, 'esm-verdicts')) && existsSync(join(SPIDER, 'dev_gold.sql'));
/** For the names of tests that need them. */
export const NEEDS_VERDICTS = hasVerdicts ? '' : ' (skipped: ../shared/data/test-suite is absent)';
export const isFull = process.env['PERTURBQL_FULL'] === '1';

export const DEV_SETS = ['dev_1', 'dev_2', 'dev_3', 'dev_4', 'dev_5', 'dev_6', 'dev_7'] as const;
export type VerdictSet = (typeof DEV_SETS)[number] | 'predict';

/** What the published evaluator said of a pair. */
export interface PublishedLine {
  readonly index: number;
  readonly hardness: string;
  readonly parsed: boolean;
  readonly exact: number;
  readonly partial_below_1: Readonly<Record<string, readonly [precision: number, recall: number]>>;
}

export function readVerdicts(set: VerdictSet): PublishedLine[] {
  const text = gunzipSync(readFileSync(join(SUITE, 'esm-verdicts', `${set}.jsonl.gz`))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PublishedLine);
}

/** The pairs of a published model, or of gold against itself. */
export function readPairs(set: VerdictSet | 'gold'): readonly EvaluationPair[] {
  const isSparc = set === 'predict';
  const gold = readGoldQueries(isSparc ? join(SUITE, 'gold.txt') : join(SPIDER, 'dev_gold.sql'));
  const databases = loadNeededSchemas(join(isSparc ? SUITE : SPIDER, 'tables.json'), gold);
  const file = isSparc ? join(SUITE, 'predict.txt') : join(SUITE, 'predictions', `${set}.txt`);
  return pairUp(gold, set === 'gold' ? gold.map(({ sql }) => sql) : readPredictions(file, gold).texts, databases);
}

export function databaseFile(dbId: string): string {
  return join(SPIDER, 'database', dbId, `${dbId}.sqlite`);
}

/** Writes files into a folder that is gone after the tests. */
export function scratchFiles(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-evaluate-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, content) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
}

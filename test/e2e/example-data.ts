import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { PROJECT } from './run-cli.js';

export const EXAMPLES = join(PROJECT, 'examples');

/** A record of the example data set's dev.json or tables.json, as parsed. */
export type JsonRecord = Record<string, unknown>;

/** Where a data set lies, and the options that name it. */
export interface ExampleData {
  readonly tables: string;
  readonly examples: string;
  readonly databases: string;
  readonly options: readonly string[];
}

function dataAt(tables: string, examples: string): ExampleData {
  const databases = join(EXAMPLES, 'database');
  return {
    tables,
    examples,
    databases,
    options: ['--tables', tables, '--examples', examples, '--databases', databases],
  };
}

/** The whole of examples/. */
export const EXAMPLE_DATA: ExampleData = dataAt(join(EXAMPLES, 'tables.json'), join(EXAMPLES, 'dev.json'));

/** @throws where examples/ has no such file. */
export function readRecords(file: string): JsonRecord[] {
  return JSON.parse(readFileSync(file, 'utf8')) as JsonRecord[];
}

/** Questions of one table each: eight tables of all three databases, few columns, so that a run takes seconds. */
const SMALL = [0, 1, 2, 10, 11, 14, 20, 21];

/** Writes a part of the example data set into a folder. */
export function writeSmallData(folder: string, positions: readonly number[] = SMALL): ExampleData {
  mkdirSync(folder, { recursive: true });
  const records = readRecords(EXAMPLE_DATA.examples);
  const examples = join(folder, 'dev.json');
  writeFileSync(examples, JSON.stringify(positions.map((position) => records[position])));
  return dataAt(EXAMPLE_DATA.tables, examples);
}

/** Writes a data set of a test's own; what is given as text is written as it is. */
export function writeData(folder: string, tables: unknown, examples: unknown): ExampleData {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
    return file;
  };
  return dataAt(write('tables.json', tables), write('dev.json', examples));
}

/** An accepted candidate as a line of `candidates.jsonl` says it: RPL unless told otherwise. */
export function acceptedDecision(
  of: Pick<CandidateDecision, 'db_id' | 'table' | 'column' | 'candidate'> & Partial<CandidateDecision>,
): CandidateDecision {
  return {
    bucket: 'RPL',
    reason: 'entailment',
    source: 'dictionary',
    origin: null,
    similarity: null,
    association: null,
    e1: 0.9,
    e2: 0.9,
    against: null,
    near: false,
    ...of,
  };
}

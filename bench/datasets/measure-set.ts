import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DatasetFormat } from '../../src/formats/dataset-formats.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { loadText, parseJson } from '../../src/formats/json-file.js';
import { readTextLines } from '../../src/formats/streamed-file.js';
import { planTables } from '../../src/variants/candidates/plan-tables.js';
import type { PerturbedLine } from '../../src/formats/artifacts/provenance.js';
import type { AugmentReport } from '../../src/variants/report/augment-report.js';
import type { Verification } from '../../src/variants/verify/verify-run.js';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import type { MutateReport } from '../../src/variants/mutate/mutate-report.js';
import { type ShippedSet, type Step, stepArguments, STEPS } from './shipped-sets.js';

/** What the commands say of a set; shares from 0 to 1. */
export interface MeasuredSet {
  readonly examples: number;
  /** Records that the reader leaves out. */
  readonly unread: number;
  /** Of the examples, those with an RPL variant, and with an ADD variant. */
  readonly rpl: number;
  readonly add: number;
  /** Of the RPL variants, those of a column that the query does not mention. */
  readonly unmentioned: number;
  /** Examples whose gold binds on its schema. */
  readonly bound: number;
  /** RPL and ADD variants, those that were executed, and those that returned what the original does. */
  readonly variants: number;
  readonly executed: number;
  readonly equal: number;
  /** Share of the executed variants whose result has rows. */
  readonly nonEmpty: number;
  readonly mutants: number;
  /** Gold queries that were evaluated against themselves, and those that are correct. */
  readonly evaluated: number;
  readonly correct: number;
  /** Variants that were left out, by cause. */
  readonly causes: readonly string[];
}

/** How a step is run. */
export interface StepRunner {
  /** The built command. */
  readonly main: string;
  readonly tell: (line: string) => void;
}

const run = promisify(execFile);
const MOST_OUTPUT = 1 << 28;

/** What a command exits with where it left something out and did the rest: a set ships the databases of some schemas. */
const PARTIAL = 3;

async function outputOf(args: readonly string[]): Promise<string> {
  try {
    return (await run(process.execPath, [...args], { maxBuffer: MOST_OUTPUT })).stdout;
  } catch (error) {
    const { code, stdout } = error as { readonly code?: unknown; readonly stdout?: string };
    if (code === PARTIAL && stdout !== undefined) return stdout;
    throw error;
  }
}

/** @throws Error with what a step printed, where it fails */
async function runStep(step: Step, args: readonly string[], { main, tell }: StepRunner): Promise<string> {
  const started = performance.now();
  const stdout = await outputOf([main, ...args]);
  tell(`  ${step}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return stdout;
}

const readJson = (file: string): unknown => parseJson(loadText(file), file);

/** Reasons of variants that were left out, the most frequent first: "12 no column of its database has RPL candidates". */
function causesOf({ skipped }: AugmentReport): readonly string[] {
  return skipped.map(({ reason, count }) => `${count} ${reason}`);
}

async function boundGolds(set: ShippedSet, data: string): Promise<{ readonly bound: number; readonly unread: number }> {
  const dataset = await loadDataset({
    dataset: (set.dataset ?? 'spider') as DatasetFormat,
    tables: join(data, set.tables),
    examples: join(data, set.examples),
    databases: null,
    connection: null,
  });
  return { bound: planTables(dataset, 'mentioned').mentions.size, unread: dataset.skipped.length };
}

function countUnmentioned(augment: string): number {
  const lines = [...readTextLines(join(augment, 'provenance.jsonl'))].map(
    ({ text }) => JSON.parse(text) as PerturbedLine,
  );
  return lines.filter(({ kind, unmentioned }) => kind === 'RPL' && unmentioned).length;
}

/**
 * Runs candidates, augment, verify, mutate and evaluate (gold against gold) on a set as it is shipped, and sums up what
 * they say. Runs that are finished stay as they are.
 * @throws Error where a command fails
 */
export async function measureSet(
  set: ShippedSet,
  data: string,
  runs: string,
  runner: StepRunner,
): Promise<MeasuredSet> {
  const steps = stepArguments(set, data, runs);
  const printed = new Map<Step, string>();
  for (const step of STEPS) {
    const json = step === 'verify' || step === 'evaluate' ? ['--json'] : [];
    printed.set(step, await runStep(step, [...steps[step], ...json], runner));
  }
  const report = readJson(join(runs, 'augment', 'report.json')) as AugmentReport;
  const verified = JSON.parse(printed.get('verify') ?? '') as Verification;
  const evaluated = JSON.parse(printed.get('evaluate') ?? '') as EvaluationReport;
  const mutated = readJson(join(runs, 'mutate', 'report.json')) as MutateReport;
  const { original, rpl, add } = report.written;
  const verdicts = [verified.RPL, verified.ADD];
  const executed = verdicts.flatMap((tally) => Object.values(tally)).reduce((sum, count) => sum + count, 0);
  return {
    examples: original,
    ...(await boundGolds(set, data)),
    rpl: rpl / original,
    add: add / original,
    unmentioned: countUnmentioned(join(runs, 'augment')) / rpl,
    variants: rpl + add,
    executed,
    equal: verified.RPL.equal + verified.ADD.equal,
    nonEmpty: verified.nonEmpty ?? 0,
    mutants: mutated.total.cases,
    ...goldScores(evaluated),
    causes: causesOf(report),
  };
}

/** Of the gold against itself, by execution. */
function goldScores({ gold, execution }: EvaluationReport): Pick<MeasuredSet, 'evaluated' | 'correct'> {
  const evaluated = gold?.queries ?? 0;
  return { evaluated, correct: execution?.correct ?? 0 };
}

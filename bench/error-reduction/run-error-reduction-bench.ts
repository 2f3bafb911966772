import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import type { BenchOutput } from '../run-bench.js';
import { mutantParts, parseRecords, type Part, type ReductionInputs } from './mutant-parts.js';
import { type Arm, ARMS, askPart, errorRates, type JudgedMutant, type PartOutcome } from './parser-arms.js';
import { accuracyTable, PARSER, ratesTable } from './reduction-figures.js';

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ConfigError(`--${name} is a whole number from ${least} on`, { fix: `Give for instance --${name} 5.` });
}

function inputsOf(args: readonly string[]): ReductionInputs {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      state: { type: 'string', default: 'build/error-reduction' },
      candidates: { type: 'string' },
      databases: { type: 'string' },
      folds: { type: 'string', default: '5' },
    },
  });
  const spider = join(resolve(values.data), 'spider');
  return {
    tables: join(spider, 'tables.json'),
    examples: join(spider, 'train.json'),
    state: resolve(values.state),
    candidates: values.candidates ?? null,
    databases: values.databases === undefined ? null : wholeNumber('databases', values.databases, 2),
    folds: wholeNumber('folds', values.folds, 2),
  };
}

/** Asks all parts, a parser each that learned from the others. */
async function askArm(
  arm: Arm,
  parts: readonly Part[],
  ratesBut: (part: number) => ReturnType<typeof errorRates>,
  state: string,
  output: BenchOutput,
): Promise<readonly PartOutcome[]> {
  const outcomes: PartOutcome[] = [];
  for (const [i, part] of parts.entries()) {
    const others = parts.filter((one) => one !== part);
    outcomes.push(await askPart(arm, part, others, ratesBut(i), state));
    output.tell(`${arm}: part ${part.name} of ${parts.length}`);
  }
  return outcomes;
}

const joined = (outcomes: readonly PartOutcome[]): PartOutcome => ({
  mutants: outcomes.flatMap(({ mutants }) => mutants),
  seeds: outcomes.flatMap(({ seeds }) => seeds),
});

/**
 * Error rates of the built-in parser on mutants of databases that it did not learn from, without mutants in what it
 * learned and with as many as questions by each sampling (MT-TEQL §4, §5.5). The same command goes on after a stop.
 */
export async function runErrorReductionBench(
  args: readonly string[],
  _root: string,
  output: BenchOutput,
): Promise<void> {
  const inputs = inputsOf(args);
  mkdirSync(inputs.state, { recursive: true });
  const parts = await mutantParts(inputs, parseRecords(readFileSync(inputs.examples, 'utf8')), output);
  const found = new Map<Arm, PartOutcome>();
  let unaided: readonly PartOutcome[] = [];
  const ratesBut = (part: number): ReturnType<typeof errorRates> =>
    errorRates(unaided.filter((_, i) => i !== part).flatMap(({ mutants }): readonly JudgedMutant[] => mutants));
  for (const arm of ARMS) {
    const outcomes = await askArm(arm, parts, ratesBut, inputs.state, output);
    if (arm === 'original') unaided = outcomes;
    found.set(arm, joined(outcomes));
  }
  const questions = parts.reduce((sum, { originals }) => sum + originals.length, 0);
  const of = inputs.databases === null ? 'all databases' : `the first ${inputs.databases} databases`;
  const setting = `${questions} questions of ${of} of Spider’s train split in ${parts.length} parts by database: a parser that learned from the other parts is asked the questions and mutants of each (one a relation at most).`;
  const rates = ratesTable(found, {
    id: 'error-reduction',
    title: 'Error rates before and after mutants are learned',
    model: PARSER,
    setting: `${setting} Mutants whose prediction differs from that on their question.`,
  });
  const tables = [rates, accuracyTable(found, setting)];
  for (const table of tables) {
    for (const row of Object.values(table.rows).slice(0, ARMS.length)) output.print(JSON.stringify(row));
    output.record(table);
  }
}

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { FluencyModel } from '../../src/fluency/fluency-model.js';
import { measureScale } from '../metrics/anchors.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import { type Measured, MutateCommand } from './mutate-command.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';

/** The published tool (MTTeql/MT-Teql ba057d6) on all of Spider dev: cases and user CPU seconds, the mean of two runs. */
const ANCHOR = { cases: 47_806, seconds: (144.45 + 146.15) / 2 };
/** How much faster this has to be. */
const GOAL = 20;
/** Those that the anchor ran: its Column Renaming and Insertion ask ConceptNet, ours a judge. */
const OFFLINE = 'PI,PR,PS,SS,NO,FL,OK,TS,CS,CRm';

/** A part of the work: its cases and user CPU seconds. */
interface Part {
  readonly name: string;
  readonly cases: number;
  readonly seconds: number;
}

function show({ name, cases, seconds }: Part): string {
  const [count, rate] = [cases.toLocaleString('en-US').padStart(7), (cases / seconds).toFixed(0).padStart(7)];
  return `${name.padEnd(48)} ${count} cases ${seconds.toFixed(2).padStart(8)} user s ${rate}/s`;
}

/** User CPU seconds of scoring questions, the model's loading included. */
function fluencySeconds(folder: string, questions: readonly string[]): number {
  const before = ownSeconds();
  const model = FluencyModel.open(folder);
  for (const question of questions) model.score(question);
  return ownSeconds() - before;
}

/** The parts that the anchor has not, each by itself. */
function* measureParts(
  bench: MutateCommand,
  root: string,
  { questions }: Measured,
): Generator<readonly [string, Part]> {
  const fluency = fluencySeconds(join(root, 'models/fluency'), questions);
  yield ['fluency', { name: 'fluency alone', cases: questions.length, seconds: fluency }];
  const wordings = ['--relations', 'PI,PR,PS,SS'];
  const unguarded = bench.measure(...wordings, '--no-guard');
  const guarded = bench.measure(...wordings);
  const guard = guarded.seconds - unguarded.seconds;
  yield ['guard', { name: 'semantic guard alone', cases: unguarded.cases, seconds: guard }];
  const schemas = ['--relations', 'NO,FL,OK,TS,CS,CRm', '--databases', bench.databases, '--limit', '1'];
  const unwritten = bench.measure(...schemas);
  const written = bench.measure(...schemas, '--materialize');
  const execution = written.seconds - unwritten.seconds;
  yield ['execution', { name: 'databases and execution alone, a case each', cases: written.cases, seconds: execution }];
}

function figureTable(parts: ReadonlyMap<string, Part>, factor: number): FigureTable {
  const rows = [...parts].map(([id, { name, cases, seconds }]) => {
    const row = { part: name, cases, seconds, rate: cases / seconds, factor: id === 'mutation' ? factor : null };
    return [id, row] as const;
  });
  return {
    id: 'mutate',
    title: 'Making mutants',
    about:
      "`perturbql mutate` on Spider's dev set, user CPU of whole processes. The published tool (MTTeql/MT-Teql) makes the mutants of the first line, " +
      'scaled to this machine by the same Python loop; the other parts it does not have.',
    columns: {
      part: { head: 'part' },
      cases: { head: 'cases' },
      seconds: { head: 'user CPU s', decimals: 1 },
      rate: { head: 'cases/s', decimals: 0 },
      factor: { head: "times the published tool's rate", decimals: 1 },
    },
    rows: Object.fromEntries(rows),
  };
}

function parseFirst(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new ConfigError('--first is a whole number above 0', { fix: 'Give how many examples are mutated.' });
}

/**
 * Prints cases per user CPU second of whole processes; false where mutation, gold and JSON are less than 20 times as fast
 * as the published tool. Only Linux tells the CPU of processes that have ended, those of queries and models among them.
 */
export function runMutateBench(args: readonly string[], root: string, { print, tell, record }: BenchOutput): boolean {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', default: '../shared/data' }, first: { type: 'string' } },
  });
  const first = parseFirst(values.first);
  const bench = new MutateCommand(root, values.data, first);
  try {
    const scale = measureScale();
    tell(scale === null ? 'no Python 3: the anchor is not scaled' : `anchor loop ${scale.seconds.toFixed(1)} s`);
    const plain = bench.measure('--relations', OFFLINE, '--no-guard');
    const mutation: Part = { ...plain, name: 'mutation, gold, fluency and JSON' };
    print(show(mutation));
    const anchor = ANCHOR.cases / (ANCHOR.seconds * (scale?.scale ?? 1));
    const factor = plain.cases / plain.seconds / anchor;
    print(`published tool, scaled: ${anchor.toFixed(0)}/s; ${factor.toFixed(1)} times as many here (goal ${GOAL})`);
    const parts = new Map([['mutation', mutation]]);
    for (const [id, part] of measureParts(bench, root, plain)) {
      print(show(part));
      parts.set(id, part);
    }
    record(figureTable(parts, factor));
    return first !== null || factor >= GOAL;
  } finally {
    bench.close();
  }
}

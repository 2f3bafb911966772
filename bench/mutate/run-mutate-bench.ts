import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { readTextLines } from '../../src/formats/text-lines.js';
import { FluencyModel } from '../../src/metamorphic/fluency/fluency-model.js';
import type { MutateReport } from '../../src/metamorphic/mutate-report.js';
import type { MutantRecord } from '../../src/metamorphic/relation.js';
import { measureScale } from '../metrics/anchors.js';
import { childSeconds, ownSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';

/** The published tool (MTTeql/MT-Teql ba057d6) on all of Spider dev: cases and user CPU seconds, the mean of two runs. */
const ANCHOR = { cases: 47_806, seconds: (144.45 + 146.15) / 2 };
/** How much faster this has to be. */
const GOAL = 20;
/** Those that the anchor ran: its Column Renaming and Insertion ask ConceptNet, ours a judge. */
const OFFLINE = 'PI,PR,PS,SS,NO,FL,OK,TS,CS,CRm';

interface Measured {
  readonly cases: number;
  /** User CPU of the whole process, start-up included, as in the anchor. */
  readonly seconds: number;
  /** Questions that are not their seed's. */
  readonly questions: readonly string[];
}

function questionsIn(run: string): readonly string[] {
  const mutants = [...readTextLines(join(run, 'mutants.jsonl'))].map(({ text }) => JSON.parse(text) as MutantRecord);
  return mutants.flatMap(({ question, fluency }) => (fluency === null ? [] : [question]));
}

class MutateBench {
  readonly #spider: string;
  readonly #main: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'bench-mutate-'));
  readonly #examples: string;

  /** @param first how many examples of Spider dev are mutated; null = all */
  constructor(root: string, data: string, first: number | null) {
    this.#spider = join(data, 'spider');
    this.#main = join(root, 'dist/cli/main.js');
    if (!existsSync(this.#main)) {
      throw new ConfigError('the product is not built', { where: { file: this.#main }, fix: 'Run `npm run build`.' });
    }
    const examples = join(this.#spider, 'dev.json');
    if (!existsSync(examples)) {
      const fix = 'Give the folder that holds spider/ with --data.';
      throw new InputFormatError('Spider is not there', { where: { file: examples }, fix });
    }
    this.#examples = first === null ? examples : join(this.#folder, 'dev.json');
    if (first === null) return;
    const all = JSON.parse(readFileSync(examples, 'utf8')) as readonly unknown[];
    writeFileSync(this.#examples, JSON.stringify(all.slice(0, first)));
  }

  /** Runs the command, with an empty score cache. */
  measure(...options: readonly string[]): Measured {
    const folder = mkdtempSync(join(this.#folder, 'run-'));
    const [out, cache] = [join(folder, 'out'), join(folder, 'cache')];
    const inputs = ['--tables', join(this.#spider, 'tables.json'), '--examples', this.#examples];
    const before = childSeconds() ?? NaN;
    const args = [this.#main, 'mutate', ...inputs, '--out', out, '--cache', cache, ...options];
    execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const seconds = (childSeconds() ?? NaN) - before;
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as MutateReport;
    const measured = { cases: report.total.cases, seconds, questions: questionsIn(out) };
    rmSync(folder, { recursive: true, force: true });
    return measured;
  }

  get databases(): string {
    return join(this.#spider, 'database');
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function show(name: string, cases: number, seconds: number): string {
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
function* measureParts(bench: MutateBench, root: string, { questions }: Measured): Generator<string> {
  yield show('fluency alone', questions.length, fluencySeconds(join(root, 'models/fluency'), questions));
  const wordings = ['--relations', 'PI,PR,PS,SS'];
  const unguarded = bench.measure(...wordings, '--no-guard');
  const guarded = bench.measure(...wordings);
  yield show('semantic guard alone', unguarded.cases, guarded.seconds - unguarded.seconds);
  const schemas = ['--relations', 'NO,FL,OK,TS,CS,CRm', '--databases', bench.databases, '--limit', '1'];
  const unwritten = bench.measure(...schemas);
  const written = bench.measure(...schemas, '--materialize');
  yield show('databases and execution alone, a case each', written.cases, written.seconds - unwritten.seconds);
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
export function runMutateBench(args: readonly string[], root: string, { print, tell }: BenchOutput): boolean {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', default: '../shared/data' }, first: { type: 'string' } },
  });
  const first = parseFirst(values.first);
  const bench = new MutateBench(root, values.data, first);
  try {
    const scale = measureScale();
    tell(scale === null ? 'no Python 3: the anchor is not scaled' : `anchor loop ${scale.seconds.toFixed(1)} s`);
    const plain = bench.measure('--relations', OFFLINE, '--no-guard');
    print(show('mutation, gold, fluency and JSON', plain.cases, plain.seconds));
    const anchor = ANCHOR.cases / (ANCHOR.seconds * (scale?.scale ?? 1));
    const factor = plain.cases / plain.seconds / anchor;
    print(`published tool, scaled: ${anchor.toFixed(0)}/s; ${factor.toFixed(1)} times as many here (goal ${GOAL})`);
    for (const line of measureParts(bench, root, plain)) print(line);
    return first !== null || factor >= GOAL;
  } finally {
    bench.close();
  }
}

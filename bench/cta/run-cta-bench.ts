import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { ConfigError } from '../../src/errors.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { importBuilt } from './built-product.js';
import { compareDecisions, type Comparison, type Decision, readProductDecisions } from './compare-decisions.js';
import type { BenchOutput } from '../run-bench.js';
import { type CtaRun, renderRuns, runFigures } from './cta-report.js';
import { exportInput } from './export-input.js';
import { runMeasured } from './measured-process.js';
import { PAPER_SETTINGS } from './paper-settings.js';

/** Differences that are listed, at most. */
const SHOWN = 20;

interface Options {
  readonly data: string;
  readonly python: string;
  readonly columns: 'mentioned' | 'all';
  readonly only: readonly string[];
  /** Pairs per inference of a second Python run; null for none. */
  readonly batch: number | null;
  /** Folder that keeps inputs and outputs; null = a temporary one. */
  readonly keep: string | null;
}

function readOptions(args: readonly string[], root: string): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', default: join('..', 'shared', 'data') },
        python: { type: 'string', default: join('bench', 'python', '.venv', 'bin', 'python') },
        columns: { type: 'string', default: 'all' },
        only: { type: 'string', default: '' },
        batch: { type: 'string' },
        keep: { type: 'string' },
      },
    });
    const { columns, batch, keep } = values;
    if (columns !== 'mentioned' && columns !== 'all') throw new Error(`--columns ${columns} is unknown`);
    return {
      data: resolve(root, values.data),
      python: values.python.includes('/') ? resolve(root, values.python) : values.python,
      columns,
      only: values.only.split(',').filter((id) => id !== ''),
      batch: batch === undefined ? null : Number(batch),
      keep: keep === undefined ? null : resolve(root, keep),
    };
  } catch (cause) {
    const fix = 'Give any of: --python PATH, --data DIR, --only db,db, --columns mentioned|all, --batch N, --keep DIR.';
    throw new ConfigError('bench:cta does not know this option', { cause, fix });
  }
}

function requirePython({ python }: Options): void {
  if (!python.includes('/') || existsSync(python)) return;
  throw new ConfigError('there is no Python with the packages of bench/python/requirements.txt', {
    where: { file: python },
    fix: 'python3 -m venv bench/python/.venv && bench/python/.venv/bin/pip install -r bench/python/requirements.txt, or give --python PATH.',
  });
}

/** Spider dev where the shared data are, else the examples of the repository; `--only` keeps some databases. */
function chooseInput(root: string, folder: string, { data, only }: Options): Readonly<Record<string, string>> {
  const shared = existsSync(join(data, 'spider', 'dev.json'));
  const from = shared ? join(data, 'spider') : join(root, 'examples');
  const input = {
    tables: join(from, 'tables.json'),
    examples: join(from, 'dev.json'),
    databases: join(from, 'database'),
  };
  if (only.length === 0) return input;
  const all = JSON.parse(readFileSync(input.examples, 'utf8')) as readonly { readonly db_id: string }[];
  const examples = join(folder, 'dev.json');
  writeFileSync(examples, JSON.stringify(all.filter(({ db_id }) => only.includes(db_id))));
  return { ...input, examples };
}

/** Rows of the score cache: a pair is put there once, when the judge has scored it. */
function countScores(cache: string): number {
  const files = readdirSync(cache).filter((name) => /^scores-.*\.sqlite$/.test(name));
  return files.reduce((sum, name) => {
    const database = new Sqlite(join(cache, name), { readonly: true });
    const { count } = database.prepare('SELECT count(*) AS count FROM score').get() as { count: number };
    database.close();
    return sum + count;
  }, 0);
}

class CtaBench {
  readonly #root: string;
  readonly #folder: string;
  readonly #options: Options;
  readonly #input: Readonly<Record<string, string>>;
  readonly #print: BenchOutput['print'];
  readonly #record: BenchOutput['record'];

  constructor(root: string, folder: string, options: Options, { print, record }: BenchOutput) {
    this.#root = root;
    this.#folder = folder;
    this.#options = options;
    this.#input = chooseInput(root, folder, options);
    this.#print = print;
    this.#record = record;
  }

  async run(): Promise<boolean> {
    await this.#export();
    const cold = await this.#runProduct('perturbql, cold', 'cold');
    const warm = await this.#runProduct('perturbql, warm', 'warm');
    const python = await this.#runPython('Python, one pair a run', 'python.json', 1);
    const { batch } = this.#options;
    const batched =
      batch === null ? [] : [await this.#runPython(`Python, ${batch} pairs a run`, 'batched.json', batch)];
    this.#print(`\n${renderRuns([python, cold, warm, ...batched])}\n`);
    this.#record(runFigures({ python, cold, warm }));
    const ours = readProductDecisions(this.#file('cold', 'candidates.jsonl'));
    const same = this.#tell('perturbql and Python', compareDecisions(ours, this.#decisions('python.json')));
    if (batch !== null) {
      this.#tell('int8 scores depend on their batch', compareDecisions(ours, this.#decisions('batched.json')));
    }
    return same;
  }

  #file(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }

  async #export(): Promise<void> {
    const { withDefaults } = await importBuilt<typeof import('../../src/variants/candidates/candidates-run.js')>(
      this.#root,
      'variants/candidates/candidates-run.js',
    );
    writeFileSync(this.#file('settings.json'), JSON.stringify(PAPER_SETTINGS));
    const { columns } = this.#options;
    const settings = parseSettings(PAPER_SETTINGS);
    const options = { ...this.#input, columns, settings, out: this.#file('none'), cacheFolder: this.#file('export') };
    const size = await exportInput(this.#root, withDefaults(options), this.#file('input.json'));
    const { databases, tables, columns: count } = size;
    this.#print(
      `${this.#input['examples']}: ${count} columns (${columns}) of ${tables} tables, ${databases} databases`,
    );
    this.#print(`${cpus()[0]?.model ?? 'unknown CPU'} × ${cpus().length}, Node ${process.versions.node}`);
    this.#print('settings: the recipe cta without what the paper does not have (naturalness rules, bank of columns)');
  }

  async #runPython(name: string, output: string, batch: number): Promise<CtaRun> {
    const script = join(this.#root, 'bench', 'python', 'cta_baseline.py');
    const args = [script, this.#file('input.json'), this.#file(output), '--batch', String(batch)];
    const cost = await runMeasured(this.#options.python, args);
    const result = this.#result(output);
    if (batch === 1) {
      this.#print(
        `Python: onnxruntime ${result.onnxruntime}; ${result.distinct} of its pairs differ within their table`,
      );
    }
    return this.#done({ name, cost, pairs: result.pairs });
  }

  async #runProduct(name: string, out: string): Promise<CtaRun> {
    const { tables, examples, databases } = this.#input;
    const cache = this.#file('cache');
    mkdirSync(cache, { recursive: true });
    const before = countScores(cache);
    const paths = ['--tables', tables!, '--examples', examples!, '--databases', databases!];
    const choices = ['--columns', this.#options.columns, '--config', this.#file('settings.json')];
    const main = join(this.#root, 'dist', 'cli', 'main.js');
    const cost = await runMeasured(process.execPath, [
      main,
      'candidates',
      ...paths,
      ...choices,
      ...['--out', this.#file(out), '--cache', cache],
    ]);
    return this.#done({ name, cost, pairs: countScores(cache) - before });
  }

  /** Says what a run cost as soon as it has ended: all of them may take half an hour. */
  #done(run: CtaRun): CtaRun {
    this.#print(`${run.name}: ${run.cost.cpuSeconds?.toFixed(1) ?? 'unknown'} CPU s, ${run.pairs} pairs scored`);
    return run;
  }

  #result(output: string): PythonResult {
    return JSON.parse(readFileSync(this.#file(output), 'utf8')) as PythonResult;
  }

  #decisions(output: string): readonly Decision[] {
    return this.#result(output).decisions;
  }

  #tell(title: string, { compared, counts, differences }: Comparison): boolean {
    const { RPL, ADD, rejected } = counts;
    this.#print(
      `${title}: ${compared} candidates (${RPL} RPL, ${ADD} ADD, ${rejected} rejected), ${differences.length} differ`,
    );
    for (const difference of differences.slice(0, SHOWN)) this.#print(`  ${difference}`);
    return differences.length === 0;
  }
}

interface PythonResult {
  readonly pairs: number;
  readonly distinct: number;
  readonly onnxruntime: string;
  readonly decisions: readonly Decision[];
}

/**
 * Runs a straightforward Python version of ADVETA section 4 and the product on the same input, cold and warm, and prints
 * CPU seconds, pairs scored and memory. True where all decisions are the same.
 * @throws ConfigError when an option is wrong, the project is not built, or Python is not there.
 */
export async function runCtaBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const options = readOptions(args, root);
  requirePython(options);
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'perturbql-cta-'));
  for (const part of ['cold', 'warm', 'cache', 'export']) rmSync(join(folder, part), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    return await new CtaBench(root, folder, options, output).run();
  } finally {
    if (options.keep === null) rmSync(folder, { recursive: true, force: true });
  }
}

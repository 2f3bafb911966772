import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { readTextLines } from '../../src/formats/streamed-file.js';
import type { MutateReport } from '../../src/variants/mutate/mutate-report.js';
import type { MutantRecord } from '../../src/formats/artifacts/mutants.js';
import { childSeconds } from '../metrics/cpu-time.js';

/** What a run of the command came to. */
export interface Measured {
  readonly cases: number;
  readonly report: MutateReport;
  /** User CPU of the whole process, start-up included, as in the anchor. */
  readonly seconds: number;
  /** Questions that are not their seed's. */
  readonly questions: readonly string[];
}

function questionsIn(run: string): readonly string[] {
  const mutants = [...readTextLines(join(run, 'mutants.jsonl'))].map(({ text }) => JSON.parse(text) as MutantRecord);
  return mutants.flatMap(({ question, fluency }) => (fluency === null ? [] : [question]));
}

/** Runs `perturbql mutate` of the build on Spider dev; only Linux tells the CPU of processes that have ended. */
export class MutateCommand {
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
    const measured = { cases: report.total.cases, report, seconds, questions: questionsIn(out) };
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

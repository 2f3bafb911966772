import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import type { MutateReport } from '../../src/metamorphic/mutate-report.js';
import { measureScale } from '../metrics/anchors.js';
import { childSeconds } from '../metrics/cpu-time.js';
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
}

class MutateBench {
  readonly #spider: string;
  readonly #main = resolve('dist/cli/main.js');

  constructor(data: string) {
    this.#spider = join(data, 'spider');
    if (!existsSync(this.#main)) {
      throw new ConfigError('the product is not built', { where: { file: this.#main }, fix: 'Run `npm run build`.' });
    }
    const tables = join(this.#spider, 'tables.json');
    if (existsSync(tables)) return;
    const fix = 'Give the folder that holds spider/ with --data.';
    throw new InputFormatError('Spider is not there', { where: { file: tables }, fix });
  }

  /** Runs the command on Spider dev, with an empty score cache; its folder is gone afterwards. */
  measure(...options: readonly string[]): Measured {
    const folder = mkdtempSync(join(tmpdir(), 'bench-mutate-'));
    const [out, cache] = [join(folder, 'run'), join(folder, 'cache')];
    const inputs = ['--tables', join(this.#spider, 'tables.json'), '--examples', join(this.#spider, 'dev.json')];
    const before = childSeconds() ?? NaN;
    try {
      const args = [this.#main, 'mutate', ...inputs, '--out', out, '--cache', cache, ...options];
      execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as MutateReport;
      return { cases: report.total.cases, seconds: (childSeconds() ?? NaN) - before };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  get databases(): string {
    return join(this.#spider, 'database');
  }
}

function show(name: string, { cases, seconds }: Measured): string {
  const [count, rate] = [cases.toLocaleString('en-US').padStart(7), (cases / seconds).toFixed(0).padStart(7)];
  return `${name.padEnd(48)} ${count} cases ${seconds.toFixed(1).padStart(7)} user s ${rate}/s`;
}

/**
 * Prints cases per user CPU second of whole processes; false where mutation, gold and JSON are less than 20 times as fast
 * as the published tool. Only Linux tells the CPU of processes that have ended.
 */
export function runMutateBench(args: readonly string[], { print, tell }: BenchOutput): boolean {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      guard: { type: 'boolean', default: false },
      databases: { type: 'string', default: '0' },
    },
  });
  const bench = new MutateBench(values.data);
  const scale = measureScale();
  tell(scale === null ? 'no Python 3: the anchor is not scaled' : `anchor loop ${scale.seconds.toFixed(1)} s`);
  const plain = bench.measure('--relations', OFFLINE, '--no-guard');
  print(show('mutation, gold, fluency and JSON', plain));
  const anchor = ANCHOR.cases / (ANCHOR.seconds * (scale?.scale ?? 1));
  const factor = plain.cases / plain.seconds / anchor;
  print(`published tool, scaled: ${anchor.toFixed(0)}/s; ${factor.toFixed(1)} times as many here (goal ${GOAL})`);
  const wordings = ['--relations', 'PI,PR,PS,SS'];
  if (values.guard) {
    print(show('wordings alone, with fluency', bench.measure(...wordings, '--no-guard')));
    print(show('wordings with fluency and the semantic guard', bench.measure(...wordings)));
  }
  if (values.databases !== '0') {
    const written = ['--databases', bench.databases, '--materialize', '--no-guard', '--limit', values.databases];
    print(
      show(`databases and execution, limit ${values.databases}`, bench.measure('--relations', OFFLINE, ...written)),
    );
  }
  return factor >= GOAL;
}

import { basename } from 'node:path';
import { type FigureTable, narrowingOption, writeFigures } from './bench-figures.js';
import { ConfigError, PerturbqlError } from '../src/errors.js';

/** Where a bench writes; one call per line or block. */
export interface BenchOutput {
  print(this: void, text: string): void;
  /** Progress. */
  tell(this: void, line: string): void;
  /** Keeps a table of figures for docs/figures/. */
  record(this: void, table: FigureTable): void;
}

/** A bench, given its arguments and the project's folder; false where what it checks does not hold. */
export type Bench = (
  args: readonly string[],
  root: string,
  output: BenchOutput,
) => Promise<boolean | void> | boolean | void;

/** An option that `parseArgs` does not take is the user's mistake. */
function asUsers(error: unknown): unknown {
  const code = error instanceof TypeError && 'code' in error ? String(error.code) : '';
  if (!code.startsWith('ERR_PARSE_ARGS')) return error;
  const fix = 'docs/performance.md names the options of each bench.';
  return new ConfigError(`the bench does not take this: ${(error as TypeError).message}`, { fix });
}

/** What ran, as package.json calls it: `npm run bench:sql -- --rounds 1`. */
function commandOf(args: readonly string[]): string {
  const name = basename(process.argv[1] ?? '').replace(/\.m?js$/, '');
  return ['npm run bench:' + name, ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
}

/** Runs a bench as a command: exit code 1 where its check fails, 2 on wrong options or input. */
export async function runBench(bench: Bench): Promise<void> {
  const [args, root] = [process.argv.slice(2), process.cwd()];
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const narrowed = narrowingOption(args);
  const record = (table: FigureTable): void => {
    if (narrowed !== null) tell(`${narrowed}: this run's figures are not recorded`);
    else tell(`figures: ${writeFigures(root, commandOf(args), table)}; npm run docs:figures puts them into the docs`);
  };
  try {
    const print = (text: string): void => void process.stdout.write(`${text}\n`);
    const holds = await bench(args, root, { print, tell, record });
    if (holds === false) process.exitCode = 1;
  } catch (thrown) {
    const error = asUsers(thrown);
    if (!(error instanceof PerturbqlError)) throw error;
    process.stderr.write(`${error.render()}\n`);
    process.exitCode = 2;
  }
}

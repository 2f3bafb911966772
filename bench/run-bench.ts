import { ConfigError, PerturbqlError } from '../src/errors.js';

/** Where a bench writes; one call per line or block. */
export interface BenchOutput {
  print(this: void, text: string): void;
  /** Progress. */
  tell(this: void, line: string): void;
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

/** Runs a bench as a command: exit code 1 where its check fails, 2 on wrong options or input. */
export async function runBench(bench: Bench): Promise<void> {
  try {
    const holds = await bench(process.argv.slice(2), process.cwd(), {
      print: (text) => process.stdout.write(`${text}\n`),
      tell: (line) => process.stderr.write(`${line}\n`),
    });
    if (holds === false) process.exitCode = 1;
  } catch (thrown) {
    const error = asUsers(thrown);
    if (!(error instanceof PerturbqlError)) throw error;
    process.stderr.write(`${error.render()}\n`);
    process.exitCode = 2;
  }
}

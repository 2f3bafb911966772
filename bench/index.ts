// The table index by its size: npm run bench:index -- --tables 600000 [--curve N,N] [--rival] [--base N] [--queries N] [--truths N] [--sessions N] [--data DIR] [--work DIR] [--encoder DIR] [--keep] [--json]
import { PerturbqlError } from '../src/errors.js';
import { runIndexBench } from './index/run-index-bench.js';

try {
  await runIndexBench(process.argv.slice(2), process.cwd(), {
    print: (text) => process.stdout.write(`${text}\n`),
    tell: (line) => process.stderr.write(`${line}\n`),
  });
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

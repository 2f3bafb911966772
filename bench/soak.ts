// Memory over a long run of the judge: npm run bench:soak [-- --pairs N] [--bound MB] [--nli DIR] [--jobs N]
import { PerturbqlError } from '../src/errors.js';
import { runSoakBench } from './soak/run-soak-bench.js';

try {
  const flat = await runSoakBench(process.argv.slice(2), process.cwd(), (text) => process.stdout.write(`${text}\n`));
  if (!flat) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

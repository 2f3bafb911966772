// The NLI stage against ADVETA's human labels: npm run bench:quality [-- --json] [--data DIR] [--nli DIR] [--tpe auto|empty]
import { PerturbqlError } from '../src/errors.js';
import { runQuality } from './quality/run-quality.js';

try {
  await runQuality(process.argv.slice(2), process.cwd(), {
    print: (text) => process.stdout.write(`${text}\n`),
    tell: (line) => process.stderr.write(`${line}\n`),
  });
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

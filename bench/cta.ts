// CTA against a straightforward Python version: npm run bench:cta [-- --python PATH] [--only db,db] [--columns mentioned|all] [--batch N] [--keep DIR]
import { PerturbqlError } from '../src/errors.js';
import { runCtaBench } from './cta/run-cta-bench.js';

try {
  const same = await runCtaBench(process.argv.slice(2), process.cwd(), (text) => process.stdout.write(`${text}\n`));
  if (!same) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

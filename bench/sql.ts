// Rewrites per second and their rightness, beside node-sql-parser: npm run bench:sql [-- --data DIR] [--rounds N]
import { PerturbqlError } from '../src/errors.js';
import { runSqlBench } from './sql/run-sql-bench.js';

try {
  runSqlBench(process.argv.slice(2), process.cwd(), (text) => process.stdout.write(`${text}\n`));
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

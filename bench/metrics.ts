// CPU of exact match and execution over Spider dev: npm run bench:metrics [-- --data DIR] [--rounds N] [--mode MODE] [--sets gold,dev_1] [--agreement]
import { PerturbqlError } from '../src/errors.js';
import { runMetricsBench } from './metrics/run-metrics-bench.js';

try {
  await runMetricsBench(process.argv.slice(2), process.cwd(), (text) => process.stdout.write(`${text}\n`));
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

// CPU of exact match and execution over Spider dev: npm run bench:metrics [-- --data DIR] [--rounds N] [--mode MODE] [--sets gold,dev_1] [--agreement]
import { runMetricsBench } from './metrics/run-metrics-bench.js';
import { runBench } from './run-bench.js';

await runBench(runMetricsBench);

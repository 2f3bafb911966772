// Data sets as they are shipped: npm run bench:datasets [-- --data DIR] [--sets NAMES] [--runs DIR]
import { runDatasetsBench } from './datasets/run-datasets-bench.js';
import { runBench } from './run-bench.js';

await runBench(runDatasetsBench);

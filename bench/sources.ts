// Sources of names on the same columns: npm run bench:sources [-- --replay FILE] [--data DIR] [--json]
import { runBench } from './run-bench.js';
import { runSources } from './sources/run-sources.js';

await runBench(runSources);

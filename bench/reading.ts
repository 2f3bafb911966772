// Blind readings of names: npm run bench:reading -- make|score … (docs/performance.md)
import { runBench } from './run-bench.js';
import { runReading } from './reading/run-reading.js';

await runBench(runReading);

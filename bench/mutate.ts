// CPU of mutants of Spider dev: npm run bench:mutate [-- --data DIR] [--first N]
import { runMutateBench } from './mutate/run-mutate-bench.js';
import { runBench } from './run-bench.js';

await runBench(runMutateBench);

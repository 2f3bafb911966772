// The table index by its size: npm run bench:index -- --tables 600000 [--curve N,N] [--rival] [--base N] [--queries N] [--truths N] [--sessions N] [--data DIR] [--work DIR] [--encoder DIR] [--keep] [--json]
import { runIndexBench } from './index/run-index-bench.js';
import { runBench } from './run-bench.js';

await runBench(runIndexBench);

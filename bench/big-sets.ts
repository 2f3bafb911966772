// Memory, open files and time per example of a generated set: npm run bench:big-sets [-- --seed N]
import { runBench } from './run-bench.js';
import { runBigSetsBench } from './shards/run-big-sets-bench.js';

await runBench(runBigSetsBench);

// What cutting `augment` of Spider train into shards costs: npm run bench:shards [-- --data DIR] [--every N]
import { runBench } from './run-bench.js';
import { runShardsBench } from './shards/run-shards-bench.js';

await runBench(runShardsBench);

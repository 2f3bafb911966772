// Rewards per CPU second against the usual way in Python: npm run bench:rewards [-- --data DIR] [--python PATH] [--threads N] [--clients N] [--requests N] [--only plain|runaway|requests]
import { runBench } from './run-bench.js';
import { runRewardsBench } from './rewards/run-rewards-bench.js';

await runBench(runRewardsBench);

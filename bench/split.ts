// Agreement of split questions with people's on Spider dev: npm run bench:split [-- --data DIR]
import { runBench } from './run-bench.js';
import { runSplitBench } from './split/run-split-bench.js';

await runBench(runSplitBench);

// Memory over a long run of the judge: npm run bench:soak [-- --pairs N] [--bound MB] [--nli DIR] [--jobs N]
import { runSoakBench } from './soak/run-soak-bench.js';
import { runBench } from './run-bench.js';

await runBench(runSoakBench);

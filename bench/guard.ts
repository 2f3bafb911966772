// What the semantic guard drops of right and of wrong wordings: npm run bench:guard [-- --data DIR --show N]
import { runBench } from './run-bench.js';
import { runGuardBench } from './guard/run-guard-bench.js';

await runBench(runGuardBench);

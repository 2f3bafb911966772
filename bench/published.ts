// How many gold queries of published sets of perturbations bind, and how many when repaired: npm run bench:published [-- --data DIR]
import { runPublishedBench } from './published/run-published-bench.js';
import { runBench } from './run-bench.js';

await runBench(runPublishedBench);

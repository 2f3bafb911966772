// Kinds of schema evolution on Spider dev: npm run bench:evolution [-- --data DIR] [--first N]
import { runEvolutionBench } from './mutate/run-evolution-bench.js';
import { runBench } from './run-bench.js';

await runBench(runEvolutionBench);

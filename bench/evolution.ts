// Kinds of schema evolution: npm run bench:evolution [-- --data DIR] [--first N], or with --runs DIR [--sets dev,train,bird]
import { runEvolutionBench } from './mutate/run-evolution-bench.js';
import { runBench } from './run-bench.js';

await runBench(runEvolutionBench);

// Errors of the built-in parser before and after it learns from mutants: npm run bench:error-reduction [-- --data DIR] [--state DIR] [--candidates FROM] [--databases N] [--folds N]
import { runErrorReductionBench } from './error-reduction/run-error-reduction-bench.js';
import { runBench } from './run-bench.js';

await runBench(runErrorReductionBench);

// The NLI stage against ADVETA's human labels: npm run bench:quality [-- --json] [--data DIR] [--nli DIR] [--tpe auto|empty]
import { runQuality } from './quality/run-quality.js';
import { runBench } from './run-bench.js';

await runBench(runQuality);

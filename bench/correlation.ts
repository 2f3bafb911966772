// Exact match and execution against test-suite accuracy over several models, of verdicts that `perturbql evaluate
// --verdicts` wrote: npm run bench:correlation -- FILE FILE … [--names A,B,…] [--out DIR]
import { runBench } from './run-bench.js';
import { runCorrelationBench } from './correlation/run-correlation-bench.js';

await runBench(runCorrelationBench);

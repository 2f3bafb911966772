// Rates of distilling suites, and how far it comes: npm run bench:suite [-- --classical | --paper-tables --suite DIR [--compare-suite DIR] [--predictions DIR]] [--tables FILE] [--gold FILE] [--databases DIR]
import { runBench } from './run-bench.js';
import { runSuiteBench } from './suite/run-suite-bench.js';

await runBench(runSuiteBench);

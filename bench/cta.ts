// CTA against a straightforward Python version: npm run bench:cta [-- --python PATH] [--only db,db] [--columns mentioned|all] [--batch N] [--keep DIR]
import { runCtaBench } from './cta/run-cta-bench.js';
import { runBench } from './run-bench.js';

await runBench(runCtaBench);

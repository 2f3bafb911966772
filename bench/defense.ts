// What training sets teach a schema linker: npm run bench:defense [-- --state DIR] [--python PATH] [--smoke] [--arms A,B] [--seeds N]
import { runDefenseBench } from './defense/run-defense-bench.js';
import { runBench } from './run-bench.js';

await runBench(runDefenseBench);

// What identifiers are read as, against people's readings: npm run bench:identifiers [-- --data DIR] [--errors FILE]
import { runBench } from './run-bench.js';
import { runIdentifiersBench } from './identifiers/run-identifiers-bench.js';

await runBench(runIdentifiersBench);

// SQL to clauses and back, and clauses aligned with questions against people: npm run bench:compose [-- --data DIR]
import { runComposeBench } from './compose/run-compose-bench.js';
import { runBench } from './run-bench.js';

await runBench(runComposeBench);

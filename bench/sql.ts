// Rewrites per second and their rightness, next to node-sql-parser: npm run bench:sql [-- --data DIR] [--rounds N]
import { runSqlBench } from './sql/run-sql-bench.js';
import { runBench } from './run-bench.js';

await runBench(runSqlBench);

// Golds of Spider and BIRD that can't be trusted, and the CPU of telling: npm run bench:audit [-- --data DIR]
import { runAuditBench } from './audit/run-audit-bench.js';
import { runBench } from './run-bench.js';

await runBench(runAuditBench);

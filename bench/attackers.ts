// The paper's attackers as defenses, and what they propose: npm run bench:attackers [-- --state DIR] [--masked MODEL] [--arms A,B] [--seeds N] [--names]
import { runAttackersBench } from './attackers/run-attackers-bench.js';
import { runBench } from './run-bench.js';

await runBench(runAttackersBench);

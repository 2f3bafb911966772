// Primary entities of tables whose names are hidden, against labels by hand: npm run bench:tpe [-- --data DIR]
import { runBench } from './run-bench.js';
import { runTpeBench } from './tpe/run-tpe-bench.js';

await runBench(runTpeBench);

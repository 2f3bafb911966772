// Time of each action of the annotation page on a large project: npm run bench:annotate [-- --items N] [--rounds N]
import { runAnnotateBench } from './annotate/run-annotate-bench.js';
import { runBench } from './run-bench.js';

await runBench((args, _root, output) => runAnnotateBench(args, output));

// SQL to clauses and back, clauses aligned with questions against people, and what is composed of them:
// npm run bench:compose [-- --data DIR]
import { runCompositionsBench } from './compose/compositions.js';
import { runComposeBench } from './compose/run-compose-bench.js';
import { runBench } from './run-bench.js';

await runBench(async (args, root, output) => {
  runComposeBench(args, root, output);
  await runCompositionsBench(args, root, output);
});

// SQL to clauses and back, clauses aligned with questions against people, what is composed of them, and how the built-in
// parser fares on that:
// npm run bench:compose [-- --data DIR]
import { runCompositionsBench } from './compose/compositions.js';
import { runRecompositionBench } from './compose/recomposition.js';
import { runComposeBench } from './compose/run-compose-bench.js';
import { runBench } from './run-bench.js';

await runBench(async (args, root, output) => {
  runComposeBench(args, root, output);
  await runCompositionsBench(args, root, output);
  await runRecompositionBench(args, root, output);
});

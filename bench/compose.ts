// SQL to clauses and back, clauses aligned with questions against people, what is composed of them, and how the built-in
// parser fares on that:
// npm run bench:compose [-- --data DIR] [--part clauses|dev|train|bird|sparc|parser]
import { ConfigError } from '../src/errors.js';
import { runCompositionsBench } from './compose/compositions.js';
import { runRecompositionBench } from './compose/recomposition.js';
import { runComposeBench } from './compose/run-compose-bench.js';
import { runBench } from './run-bench.js';

const PARTS = ['clauses', 'dev', 'train', 'bird', 'sparc', 'parser'];

/** The parts that are to run: the one of --part, else all. */
function partsOf(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--part');
  if (at < 0) return PARTS;
  const part = args[at + 1] ?? '';
  if (PARTS.includes(part)) return [part];
  throw new ConfigError(`"${part}" is no part of this bench`, { fix: `Give one of ${PARTS.join(', ')}.` });
}

await runBench(async (args, root, output) => {
  const parts = partsOf(args);
  if (parts.includes('clauses')) runComposeBench(args, root, output);
  await runCompositionsBench(args, root, output, parts);
  if (parts.includes('parser')) await runRecompositionBench(args, root, output);
});

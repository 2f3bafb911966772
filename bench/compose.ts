// SQL to clauses and back, clauses aligned with questions against people, and what is composed of them:
// npm run bench:compose [-- --data DIR] [--part clauses|dev|train|bird|sparc]
import { ConfigError } from '../src/errors.js';
import { runCompositionsBench } from './compose/compositions.js';
import { runComposeBench } from './compose/run-compose-bench.js';
import { runBench } from './run-bench.js';

const PARTS = ['clauses', 'dev', 'train', 'bird', 'sparc'];

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
});

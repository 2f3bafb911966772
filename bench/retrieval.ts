// Retrieval of held-out tables by their questions and pages: npm run bench:retrieval [-- --encoder DIR] [--retriever exact|hnsw] [--work DIR] [--data DIR] [--json]
import { PerturbqlError } from '../src/errors.js';
import { runRetrieval } from './retrieval/run-retrieval.js';

try {
  await runRetrieval(process.argv.slice(2), process.cwd(), {
    print: (text) => process.stdout.write(`${text}\n`),
    tell: (line) => process.stderr.write(`${line}\n`),
  });
} catch (error) {
  if (!(error instanceof PerturbqlError)) throw error;
  process.stderr.write(`${error.render()}\n`);
  process.exitCode = 2;
}

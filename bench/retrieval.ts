// Retrieval of held-out tables by their questions and pages: npm run bench:retrieval [-- --encoder DIR] [--retriever exact|hnsw] [--work DIR] [--data DIR] [--json]
import { runRetrieval } from './retrieval/run-retrieval.js';
import { runBench } from './run-bench.js';

await runBench(runRetrieval);

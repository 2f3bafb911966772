// The HNSW graph of the starter index follows from its vectors, so it is built here and not kept in the repository.
// Where hnswlib-node could not be built, perturbql searches the index exactly and says so.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../data/wdc-index', import.meta.url));
if (!existsSync(`${folder}/hnsw.json`)) {
  const { buildGraph } = await import('../dist/retriever/hnsw-graph.js');
  try {
    await buildGraph(folder, { signal: new AbortController().signal });
    console.log('starter index: graph built');
  } catch (error) {
    console.warn(`starter index: no graph (${error.message}); the exact retriever serves instead`);
  }
}

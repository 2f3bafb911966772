// The package's own pipeline in a web worker: the stages and settings of `perturbql candidates`, read from fetched files.
import { createStages } from '../../src/create-stages.js';
import { type CtaStages, runPipeline, type TableTask } from '../../src/pipeline.js';
import { cta } from '../../src/recipes/recipes.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { StageResources } from '../../src/recipes/stage-resources.js';
import { createRng } from '../../src/seeded-rng.js';
import { itemAt } from '../../src/present.js';
import type { StageContext } from '../../src/stage.js';
import { fetchFiles } from './fetch-files.js';
import type { NamesRequest, WorkerReply } from './messages.js';

/** As the command line's default. */
const SEED = 0;

const CONTEXT: StageContext = {
  signal: new AbortController().signal,
  rngFor: (itemId) => createRng(SEED, itemId),
  emit: () => {},
};

function reply(message: WorkerReply): void {
  self.postMessage(message);
}

function fail(id: number | null, error: unknown): void {
  reply({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
}

async function load(): Promise<CtaStages> {
  await fetchFiles((bytes, of) => reply({ kind: 'loading', bytes, of }));
  // A page has no native graph: every table of the index is compared, with the same results.
  const settings = parseSettings({ retriever: { id: 'exact' } });
  const stages = await createStages(new StageResources(settings, cta, { jobs: 1, cacheFolder: '/cache' }));
  reply({ kind: 'ready' });
  return stages;
}

function taskOf({ database, table, columns, questions }: NamesRequest): TableTask {
  const own = itemAt(database.tables, table);
  const siblings = database.tables.filter((other) => other !== own);
  const values = own.columns.map(() => []);
  const target = { dbId: database.id, table: own, questions, values, siblings };
  return { id: `${database.id}/${own.originalName}`, target, columns };
}

const stages = load();
stages.catch((error: unknown) => fail(null, error));

async function answer(request: NamesRequest): Promise<void> {
  try {
    for await (const { decisions } of runPipeline([taskOf(request)], await stages, CONTEXT))
      reply({ kind: 'names', id: request.id, decisions });
  } catch (error) {
    fail(request.id, error);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<NamesRequest>) => void answer(data));

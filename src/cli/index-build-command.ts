import { formatCount } from '../counts.js';
import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import type { CorpusFilter } from '../retriever/corpus-filter.js';
import type { CorpusReader } from '../retriever/corpus-reader.js';
import type { BuildProgress, BuildReport } from '../retriever/index-builder.js';
import type { RunManifest } from '../run/run-folder.js';
import { VERSION } from '../version.js';
import { defineCommand } from './command.js';
import { modelSettings } from './model-settings.js';
import { refuseUselessSettings } from '../options/given-options.js';
import { positive, text } from '../options/option-field.js';
import { DRY_RUN_OPTION, MACHINE_OPTIONS, SHARD_OPTION } from './shared-options.js';

/** Tables embedded per second and session, measured on the shared Wikipedia tables (docs/performance.md). */
const TABLES_PER_SECOND = 75;

const STEPS: Readonly<Record<BuildProgress['step'], string>> = {
  read: 'tables read',
  embed: 'tables embedded',
  graph: 'tables placed for search',
};

/** An index inside its own corpus would be read as corpus by the next build. */
function checkOutside(from: string, out: string): void {
  const inside = relative(resolve(from), resolve(out));
  if (inside.startsWith('..') || isAbsolute(inside)) return;
  throw new ConfigError('the index can’t be written into the corpus', {
    where: { file: out },
    fix: 'Name an --out folder outside --from.',
  });
}

async function countTables(corpus: CorpusReader, filter: CorpusFilter, signal: AbortSignal): Promise<number> {
  let kept = 0;
  for await (const entry of corpus.read(signal)) if (filter.keep(entry) !== null) kept++;
  return kept;
}

function estimateLine(tables: number, sessions = availableParallelism()): string {
  const minutes = Math.ceil(tables / (TABLES_PER_SECOND * sessions) / 60);
  return `${formatCount(tables)} tables to index, about ${minutes} min with ${sessions} sessions`;
}

function reportLines(folder: string, { manifest, embedded, reused, skipped }: BuildReport): readonly string[] {
  return [
    `${formatCount(manifest.count)} tables indexed in ${folder} (${formatCount(embedded)} embedded now, ${formatCount(reused)} before)`,
    ...Object.entries(skipped).map(
      ([reason, { count, examples }]) => `  left out: ${formatCount(count)} ${reason} (such as ${examples.join(', ')})`,
    ),
  ];
}

/** Loaded when the command runs. */
async function loadRooms() {
  const [words, models, encoders, filters, builder, corpora] = await Promise.all([
    import('../dictionary/wordnet-reader.js'),
    import('../inference/model-store.js'),
    import('../inference/sentence-encoder.js'),
    import('../retriever/corpus-filter.js'),
    import('../retriever/index-builder.js'),
    import('../retriever/open-corpus.js'),
  ]);
  return { ...words, ...models, ...encoders, ...filters, ...builder, ...corpora };
}

/** `perturbql index build`. */
export const command = defineCommand({
  options: z.object({
    from: text('path', 'corpus: file or folder of JSONL, WDC JSON (also .gz, .tar.gz), CSV or SQLite'),
    out: text('dir', 'folder of the index'),
    minColumns: positive('n', 'fewest columns of a table that is kept').default(2),
    maxColumns: positive('n', 'most columns of a table that is kept (the paper’s 5)').default(5),
    ...MACHINE_OPTIONS,
    ...DRY_RUN_OPTION,
    ...SHARD_OPTION,
  }),
  example: 'perturbql index build --from tables.tar.gz --out my-index',
  onInterrupt: 'pauses',
  async run(given, { host, config, shard }) {
    const { from, out, minColumns, maxColumns, dryRun } = given;
    const { settings, jobs, device } = await modelSettings(given, config);
    refuseUselessSettings(given.set, (name) => name === 'retriever.model', 'building an index');
    checkOutside(from, out);
    const rooms = await loadRooms();
    const { corpusSha256 } = await import('../retriever/open-corpus.js');
    const { embedShard } = await import('../retriever/index-shard.js');
    const corpus = await rooms.openCorpus(from);
    const wordnet = rooms.WordNet.load(rooms.wordnetFolder());
    const filter = new rooms.CorpusFilter({ minColumns, maxColumns, isWord: (word) => wordnet.has(word) });
    if (dryRun) return { lines: [estimateLine(await countTables(corpus, filter, host.signal), jobs)] };
    const model = rooms.locateModel('table-context-encoder', settings.retriever.model ?? undefined);
    const embedder = new rooms.SentenceEncoder(model, jobs, device);
    const manifest = (): Omit<RunManifest, 'complete'> => ({
      command: 'index build',
      version: VERSION,
      seed: 0,
      settings: { minColumns, maxColumns },
      inputs: { corpus: corpusSha256(from), encoder: embedder.fingerprint },
    });
    const onProgress = ({ step, done, total }: BuildProgress): void => host.progress(STEPS[step], done, total);
    try {
      const job = { corpus, folder: out, embedder, filter, signal: host.signal };
      if (shard !== null) {
        const onEmbedded = (done: number): void => host.progress(STEPS.embed, done, null);
        await embedShard({ ...job, shard, manifest: manifest(), onProgress: onEmbedded });
      }
      return { lines: reportLines(out, await rooms.buildIndex({ ...job, manifest, onProgress })) };
    } finally {
      host.stop();
      await embedder.dispose();
    }
  },
});

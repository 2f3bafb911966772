import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { WordNet, wordnetFolder } from '../dictionary/wordnet-reader.js';
import { ConfigError } from '../errors.js';
import { locateModel } from '../inference/model-store.js';
import { SentenceEncoder } from '../inference/sentence-encoder.js';
import type { CorpusReader } from '../retriever/corpus-reader.js';
import { CorpusFilter } from '../retriever/corpus-filter.js';
import { buildIndex, type BuildProgress, type BuildReport } from '../retriever/index-builder.js';
import { openCorpus } from '../retriever/open-corpus.js';
import { ConsoleHost } from './console-host.js';
import { positiveOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({
  from: z.string(),
  out: z.string(),
  minColumns: positiveOption,
  maxColumns: positiveOption,
  dryRun: z.boolean().default(false),
});

/** Tables embedded per second and session, measured on the shared Wikipedia tables (docs/performance.md). */
const TABLES_PER_SECOND = 75;

const STEPS: Readonly<Record<BuildProgress['step'], string>> = {
  read: 'tables read',
  embed: 'tables embedded',
  graph: 'tables placed for search',
};

/** `perturbql index build`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  const common = parseCommonOptions(raw);
  checkOutside(options.from, options.out);
  const corpus = await openCorpus(options.from);
  const wordnet = WordNet.load(wordnetFolder());
  const isWord = (word: string): boolean => wordnet.has(word);
  const filter = new CorpusFilter({ minColumns: options.minColumns, maxColumns: options.maxColumns, isWord });
  if (options.dryRun) {
    printEstimate(await withInterrupt((signal) => countTables(corpus, filter, signal), false), common.workers);
    return;
  }
  const embedder = new SentenceEncoder(
    locateModel('table-context-encoder', common.settings.retriever.model ?? undefined),
    common.workers,
    common.device,
  );
  const report = await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const onProgress = ({ step, done, total }: BuildProgress): void => host.progress(STEPS[step], done, total);
    try {
      return await buildIndex({ corpus, folder: options.out, embedder, filter, signal, onProgress });
    } finally {
      host.stop();
      await embedder.dispose();
    }
  });
  printReport(options.out, report);
}

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

function printEstimate(tables: number, workers = availableParallelism()): void {
  const minutes = Math.ceil(tables / (TABLES_PER_SECOND * workers) / 60);
  console.log(`${tables} tables to index, about ${minutes} min with ${workers} sessions`);
}

function printReport(folder: string, report: BuildReport): void {
  console.log(
    `${report.manifest.count} tables indexed in ${folder} (${report.embedded} embedded now, ${report.reused} before)`,
  );
  for (const [reason, { count, examples }] of Object.entries(report.skipped)) {
    console.log(`  left out: ${count} ${reason} (such as ${examples.join(', ')})`);
  }
}

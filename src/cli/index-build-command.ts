import { z } from 'zod';
import { WordNet, wordnetFolder } from '../dictionary/wordnet-reader.js';
import { locateModel } from '../inference/model-store.js';
import { SentenceEncoder } from '../inference/sentence-encoder.js';
import { CorpusFilter } from '../retriever/corpus-filter.js';
import { buildIndex, type BuildProgress, type BuildReport } from '../retriever/index-builder.js';
import { openCorpus } from '../retriever/open-corpus.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, positiveOption, withInterrupt } from './run-context.js';

const schema = z.object({
  from: z.string(),
  out: z.string(),
  minColumns: positiveOption,
  maxColumns: positiveOption,
  dryRun: z.boolean().optional(),
});

const STEPS: Readonly<Record<BuildProgress['step'], string>> = {
  read: 'tables read',
  embed: 'tables embedded',
  graph: 'tables in the graph',
};

/** `perturbql index build`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  const common = parseCommonOptions(raw);
  const corpus = await openCorpus(options.from);
  const wordnet = WordNet.load(wordnetFolder());
  const isWord = (word: string): boolean => wordnet.has(word);
  const filter = new CorpusFilter({ minColumns: options.minColumns, maxColumns: options.maxColumns, isWord });
  if (options.dryRun === true) return;
  const embedder = new SentenceEncoder(
    locateModel('table-context-encoder', common.settings.retriever.model ?? undefined),
    common.workers,
  );
  const report = await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const onProgress = ({ step, done, total }: BuildProgress): void =>
      host.progress(STEPS[step], done, total ?? done + 1);
    try {
      return await buildIndex({ corpus, folder: options.out, embedder, filter, signal, onProgress });
    } finally {
      host.stop();
      await embedder.dispose();
    }
  });
  printReport(options.out, report);
}

function printReport(folder: string, report: BuildReport): void {
  console.log(
    `${report.manifest.count} tables indexed in ${folder} (${report.embedded} embedded now, ${report.reused} before)`,
  );
  for (const [reason, { count, examples }] of Object.entries(report.skipped)) {
    console.log(`  left out: ${count} ${reason} (such as ${examples.join(', ')})`);
  }
}

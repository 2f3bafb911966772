import { CorpusFilter } from '../../src/retriever/corpus-filter.js';
import type { CorpusEntry } from '../../src/retriever/corpus-reader.js';
import { buildIndex } from '../../src/retriever/index-builder.js';
import { openCorpus } from '../../src/retriever/open-corpus.js';
import { openIndex } from '../../src/retriever/open-index.js';
import type { TableIndex } from '../../src/retriever/table-index.js';
import type { TextEmbedder } from '../../src/retriever/text-embedder.js';
import type { CorpusTable } from '../../src/stage.js';

const PROGRESS_STEP = 2048;

/** Keeps every table that can be read: the questions ask for wide ones and for doubles, too. */
class KeepAll extends CorpusFilter {
  override keep(entry: CorpusEntry): CorpusTable | null {
    return entry.kind === 'table' ? entry.table : null;
  }
}

/** An index of all tables of a corpus by an encoder, in `folder`; what an earlier run has built there is used again. */
export async function openBenchIndex(
  corpus: string,
  folder: string,
  embedder: TextEmbedder,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<TableIndex> {
  const former = await openIndex(folder, embedder).catch(() => null);
  if (former !== null) return former;
  let told = 0;
  await buildIndex({
    corpus: await openCorpus(corpus),
    folder,
    embedder,
    filter: new KeepAll(),
    signal,
    onProgress: ({ step, done, total }) => {
      if (step !== 'embed' || done < told + PROGRESS_STEP) return;
      told = done;
      tell(`${embedder.model.name}: ${done} of ${total ?? '?'} tables embedded`);
    },
  });
  return openIndex(folder, embedder);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorFileWriter } from '../../src/reranker/vector-file-writer.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import type { StageContext, StageEvent } from '../../src/stage.js';

/** A folder for one test file; call `remove` afterwards. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-reranker-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes and opens a vector file of a few terms. */
export async function vectorsOf(
  folder: string,
  entries: Readonly<Record<string, readonly number[]>>,
  rankedCount = 0,
): Promise<VectorFile> {
  const terms = Object.entries(entries);
  const writer = new VectorFileWriter(terms[0]?.[1].length ?? 0);
  for (const [term, vector] of terms) writer.add(term, vector);
  const path = join(
    folder,
    `${terms
      .map(([term]) => term)
      .join('-')
      .slice(0, 40)}-${terms.length}.pqv`,
  );
  await writer.write(path, { name: 'tiny', revision: '1', license: 'MIT', rankedCount });
  return VectorFile.open(path);
}

/** A context that collects what a stage emits. */
export function collectingContext(signal = new AbortController().signal): StageContext & { events: StageEvent[] } {
  const events: StageEvent[] = [];
  return {
    signal,
    events,
    rngFor: () => {
      throw new Error('no stage of the reranker draws random numbers');
    },
    emit: (event) => events.push(event),
  };
}

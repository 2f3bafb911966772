import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './loop-files.js';
import { type PromptOptions, promptedRows } from './export-row.js';

function* renderSamples(set: OutputSet, options: PromptOptions): Generator<object> {
  for (const { id, messages, query, kind, db_id, source_id, original_db_id } of promptedRows(set, options)) {
    yield { id, input: messages, target: query, metadata: { kind, db_id, source_id, original_db_id } };
  }
}

/** `inspect/`: a task of Inspect with its samples and scorer. */
export function exportInspect(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('inspect/samples.jsonl', renderJsonLines(renderSamples(set, options)));
  writeLoopFiles('inspect', folder);
}

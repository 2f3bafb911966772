import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './loop-files.js';
import { type PromptOptions, promptedRows } from './export-row.js';

function* renderDocs(set: OutputSet, options: PromptOptions): Generator<object> {
  for (const { id, messages, query, kind, db_id } of promptedRows(set, options)) {
    // The harness has one text for chat models and others.
    yield { id, kind: kind.toLowerCase(), db_id, prompt: messages.map(({ content }) => content).join('\n\n'), query };
  }
}

/** `lm-eval/`: tasks of the LM Evaluation Harness, one for the questions of each kind, and a group of the first three. */
export function exportLmEval(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('lm-eval/questions.jsonl', renderJsonLines(renderDocs(set, options)));
  writeLoopFiles('lm-eval', folder);
}

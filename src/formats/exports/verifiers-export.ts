import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './loop-files.js';
import { messageOf, type PromptOptions, promptedRows } from './export-row.js';

/** Fields of Verifiers' `TaskData`, and those that the environment adds. */
function* renderTasks(set: OutputSet, options: PromptOptions): Generator<object> {
  for (const row of promptedRows(set, options)) {
    const { id, kind, db_id, query } = row;
    const prompts = { prompt: messageOf(row, 'user'), system_prompt: messageOf(row, 'system') };
    yield { id, ...prompts, kind, db_id, query };
  }
}

/** `verifiers/`: a package with an environment of Prime Intellect's Verifiers. */
export function exportVerifiers(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('verifiers/perturbql_sql/tasks.jsonl', renderJsonLines(renderTasks(set, options)));
  writeLoopFiles('verifiers', folder);
}

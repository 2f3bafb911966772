import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './loop-files.js';
import { type PromptOptions, promptedRows } from './export-row.js';

/** Fields as NVIDIA's own `bird_sql` server reads them, and what tells where a row comes from. */
function* renderTasks(set: OutputSet, options: PromptOptions): Generator<object> {
  let id = 0;
  for (const { messages, question, query, schema, db_id, kind, ...row } of promptedRows(set, options)) {
    yield {
      responses_create_params: { input: messages },
      question,
      gt_sql: query,
      sql_context: schema,
      db_id,
      id: id++,
      kind,
      example_id: row.id,
      source_id: row.source_id,
      original_db_id: row.original_db_id,
    };
  }
}

/** `nemo-gym/`: a resources server of NeMo Gym, found from this folder, with its tasks. */
export function exportNemoGym(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  const data = 'nemo-gym/resources_servers/perturbql_sql/data/tasks.jsonl';
  folder.write(data, renderJsonLines(renderTasks(set, options)));
  writeLoopFiles('nemo-gym', folder);
}
